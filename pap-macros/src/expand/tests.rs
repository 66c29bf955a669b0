//! What the macros write: snapshots, a budget, and what must never be in it.

use std::path::Path;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::{Attribute, Item, Meta};

use crate::shell;

/// The expansion of every item of ours in `tests/expand/NAME.rs`.
fn expanded(name: &str) -> TokenStream {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/expand/{name}.rs"));
    let text = std::fs::read_to_string(path).unwrap();
    let file = syn::parse_file(&text).unwrap();
    file.items.into_iter().map(item).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "our macros stand on these four")]
fn item(mut item: Item) -> TokenStream {
    let attributes = match &mut item {
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => panic!("not an item of ours"),
    };
    let at = attributes.iter().position(|attribute| !attribute.path().is_ident("doc")).unwrap();
    let attribute = attributes.remove(at);
    let item = item.into_token_stream();
    if attribute.path().is_ident("operation") {
        let keys = arguments(&attribute);
        return shell::keeping(&item, || shell::operation(keys, &item, Span::call_site()));
    }
    let derives = arguments(&attribute).to_string();
    match derives.split(" ,").next().unwrap_or_default() {
        "Terms" => shell::terms(item, Span::call_site()),
        "Term" => shell::term(item),
        _ => shell::shape(item),
    }
}

fn arguments(attribute: &Attribute) -> TokenStream {
    let Meta::List(list) = &attribute.meta else { panic!("no arguments") };
    list.tokens.clone()
}

#[track_caller]
fn check(name: &str) {
    let file = syn::parse2(expanded(name)).unwrap();
    insta::with_settings!({
        snapshot_path => "../../tests/expand",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, prettyplease::unparse(&file));
    });
}

#[test]
fn an_operation_on_an_impl_block() {
    check("impl_form");
}

#[test]
fn an_operation_in_its_shortest_form() {
    check("shortest_form");
}

#[test]
fn an_operation_on_a_function_with_all_keys() {
    check("function_form");
}

#[test]
fn terms_with_every_kind_of_field() {
    check("terms");
    check("terms_without_summary");
}

#[test]
fn values_of_every_form() {
    check("values");
}

#[test]
fn a_wrong_declaration_keeps_what_it_can() {
    check("wrong_operation");
    check("wrong_terms");
}

fn count(tokens: TokenStream) -> usize {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => 1 + count(group.stream()),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => 1,
        })
        .sum()
}

/// What one operation costs a company's build grows with what is written for it. A test fails on the
/// number of tokens, which is the same on every machine; time is not.
#[test]
fn an_operation_stays_within_its_budget() {
    let budgets = [
        ("impl_form", 750),
        ("shortest_form", 1120),
        ("function_form", 930),
        ("terms", 1200),
        ("values", 1450),
    ];
    // a budget that is far above what is written would let it grow unseen
    let outside = budgets.map(|(name, budget)| (name, budget, count(expanded(name))));
    let outside: Vec<_> = outside
        .iter()
        .filter(|(_, budget, written)| written > budget || written * 10 < budget * 9)
        .map(|(name, budget, written)| format!("{name}: {written} tokens, budget {budget}"))
        .collect();
    assert!(outside.is_empty(), "{outside:#?}");
}

fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Literal(literal) => literal.to_string().contains(name),
        TokenTree::Punct(_) => false,
    })
}

#[test]
fn the_runtime_goes_by_the_name_that_is_given() {
    let keys = quote!(
        action = "a", scopes = [], reconcile = operator, crate = other::ops,
        summary = "Put {note}.", terms = { note: String }
    );
    let handler = quote!(
        async fn note(shop: &Shop, op: Confirmed<NoteTerms>) -> Outcome {}
    );
    let terms = quote!(
        #[terms(summary = "Put {note}.", crate = other::ops)]
        struct T {
            note: String,
        }
    );
    let term = quote!(
        #[term(crate = other::ops)]
        struct T(String);
    );
    let shape = quote!(
        #[shape(crate = other::ops)]
        struct T {
            note: String,
        }
    );
    let wrong = quote!(
        #[shape(crate = other::ops)]
        struct T {
            note: f64,
        }
    );
    for written in [
        shell::operation(keys, &handler, Span::call_site()),
        shell::operation(quote!(crate = other::ops), &handler, Span::call_site()),
        shell::terms(terms, Span::call_site()),
        shell::term(term),
        shell::shape(shape),
        shell::shape(wrong),
    ] {
        assert!(!mentions(written.clone(), "pap_runtime"), "{written}");
        assert!(mentions(written.clone(), "ops"), "{written}");
    }
}

/// The item as it was written comes first, whatever else is said.
#[track_caller]
fn check_kept(attribute: &str, item: &str) {
    let (attribute, item): (TokenStream, TokenStream) =
        (attribute.parse().unwrap(), item.parse().unwrap());
    let written = shell::keeping(&item, || shell::operation(attribute, &item, Span::call_site()));
    let written = written.to_string();
    assert!(written.contains(&item.to_string()), "{written}");
}

#[test]
fn an_item_is_kept_as_it_was_written() {
    let right = "action = \"a\", scopes = [], reconcile = operator";
    for attribute in ["", "=", "action", right, "terms = {", "terms = { a b }"] {
        if attribute.parse::<TokenStream>().is_err() {
            continue;
        }
        for item in [
            "async fn f(s: &S, op: Confirmed<T>) -> Outcome { let x = ; 1 + }",
            "async fn f(s: &S op) { }",
            "#[inline] pub(crate) async fn f<'a>(s: &'a S) { async move {} }",
            "impl X { async fn perform(s: &S, op: Confirmed<T>) -> Outcome { ] }"
                .trim_end_matches("] }"),
            "impl X { fn perform(; } const A: u8 = { 1 };",
            "struct X;",
            "",
        ] {
            if item.parse::<TokenStream>().is_ok() {
                check_kept(attribute, item);
            }
        }
    }
}

#[test]
fn a_panic_is_told_as_our_bug_and_keeps_the_item() {
    let item = quote!(
        async fn f(s: &S, op: Confirmed<T>) -> Outcome {
            1
        }
    );
    let written = shell::keeping(&item, || panic!("index {} is out", 3)).to_string();
    assert!(written.contains(&item.to_string()), "{written}");
    assert!(written.contains("pap-macros has a bug: index 3 is out"), "{written}");
    assert!(written.contains("PAP0070"), "{written}");
}
