//! The one table of keys, as parser, messages and documentation use it.

use quote::quote;

use super::{operation, wrong};
use crate::declaration::Reconcile;
use crate::keys::{
    ATTRIBUTES, Form, OPERATION, ROLES, TERM, TERM_FIELD_KEYS, TERM_VARIANT_KEYS, TYPE_KEYS,
};
use crate::problem::Code;

#[test]
fn every_example_of_the_table_is_read_by_the_parser() {
    for key in OPERATION.keys {
        let given: proc_macro2::TokenStream = key.example.parse().unwrap();
        let told = wrong(quote!(#given));
        let unread = [Code::UnknownKey, Code::WrongForm, Code::NotYet];
        assert!(!told.iter().any(|code| unread.contains(code)), "{}: {told:?}", key.example);
    }
}

#[test]
fn every_key_is_documented_and_named_once() {
    for attribute in ATTRIBUTES {
        let mut names: Vec<&str> = attribute.keys.iter().map(|key| key.name).collect();
        for key in attribute.keys {
            assert!(key.doc.ends_with('.') && key.example.starts_with(key.name), "{}", key.name);
            assert_eq!(key.form == Form::Flag, !key.example.contains(['=', '(']), "{}", key.name);
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), attribute.keys.len(), "{}", attribute.name);
    }
}

#[test]
fn every_key_of_a_term_belongs_somewhere() {
    let places = [&TERM_FIELD_KEYS[..], &TERM_VARIANT_KEYS[..], &TYPE_KEYS[..]].concat();
    let names: Vec<&str> = TERM.keys.iter().map(|key| key.name).collect();
    assert_eq!(names, places);
    assert!(ROLES.iter().all(|role| TERM_FIELD_KEYS.contains(role)));
}

#[test]
fn keys_are_read_with_their_defaults() {
    let read = operation(
        quote!(action = "orders.gift_note", scopes = [], reconcile = operator),
        quote!(
            /// Adds a gift note.
            ///
            /// Before the order ships.
            pub(crate) async fn gift_note(shop: &Shop, op: Confirmed<NoteTerms>) -> Outcome {}
        ),
    );
    assert_eq!(read.doc, "Adds a gift note.");
    assert_eq!((read.expires_in_s, read.id_prefix.as_str()), (900, "op"));
    assert!(read.route.is_none() && read.identity.is_none() && !read.user_approval_required);
    assert!(
        matches!(read.reconcile, Reconcile::Operator)
            && read.stop.is_none()
            && read.propose.is_none()
    );
    assert_eq!(read.sketch.marker.to_string(), "gift_note");
    assert_eq!(read.sketch.write_marker.unwrap().to_string(), "pub (crate)");
}

#[test]
fn all_independent_mistakes_are_found_at_once() {
    let told = wrong(quote!(
        acton = "a",
        scopes = "orders:write",
        expires_in = "soon",
        route = "GET /",
        id_prefix = "X",
        identity(),
        user_approval = maybe,
        without_extension = perform,
        reconcile = operator,
        scopes = []
    ));
    let expected = [
        Code::UnknownKey,
        Code::WrongForm,
        Code::WrongForm,
        Code::NotYet,
        Code::Route,
        Code::Duration,
        Code::IdPrefix,
        Code::Identity,
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_missing_comma_costs_no_other_key() {
    let told = wrong(quote!(action = "a" scopes = [] reconcile = operator));
    assert_eq!(told, [Code::WrongForm, Code::WrongForm]);
}

#[test]
fn a_misspelled_key_is_not_missing_too() {
    assert_eq!(wrong(quote!(acton = "a", scopes = [], reconcile = operator)), [Code::UnknownKey]);
    assert_eq!(wrong(quote!(action = "a", scope = [], reconcile = operator)), [Code::UnknownKey]);
    assert_eq!(wrong(quote!(action = "a", scopes = [], reconcil = operator)), [Code::UnknownKey]);
}

#[test]
fn what_is_missing_is_named() {
    assert_eq!(wrong(quote!()), [Code::MissingKey, Code::MissingKey, Code::NoReconcile]);
}
