//! No input makes the library panic: a macro that panics loses the author's item.

use proc_macro2::{Span, TokenStream};
use proptest::prelude::*;
use proptest::sample::select;

use crate::keys::ATTRIBUTES;

/// What attributes and items are made of, and what does not belong there.
fn fragments() -> Vec<&'static str> {
    let mut fragments = vec![
        "=",
        ",",
        "\"{a}\"",
        "\"POST /a/{b}\"",
        "\"15m\"",
        "[\"a\"]",
        "[]",
        "{ a: B }",
        "{ a: Option<B>, }",
        "(a, b)",
        "()",
        "operator",
        "same_store",
        "a::b",
        "::a",
        "&'static str",
        "Vec<Vec<f64>>",
        "3",
        "0",
        "1.5",
        "r#type",
        "#",
        "!",
        "<",
        ">",
        "async",
        "fn",
        "impl",
        "struct",
        "enum",
        "union",
        "pub",
        "X",
        "Self",
        "self",
        "{ }",
        "{ a: String }",
        "(String)",
        "op: Confirmed<T>",
        "-> Outcome",
        "&Shop",
        "shop: &Shop",
        "#[term(charge)]",
        "#[terms(summary = \"{a}\")]",
        "#[serde(tag = \"kind\")]",
        "#[doc = \"x\"]",
        "where",
        ";",
        "unsafe",
        "const",
        "'a",
        "..",
        "|x|",
        "macro_rules",
        "dyn",
        "é",
    ];
    fragments.extend(ATTRIBUTES.iter().flat_map(|attribute| attribute.keys).map(|key| key.name));
    fragments.extend(ATTRIBUTES.iter().flat_map(|attribute| attribute.keys).map(|key| key.example));
    fragments
}

fn tokens(length: usize) -> impl Strategy<Value = TokenStream> {
    let some = proptest::collection::vec(select(fragments()), 0..length);
    some.prop_filter_map("not tokens", |words| words.join(" ").parse().ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_attribute_makes_it_panic(attribute in tokens(16)) {
        let function: TokenStream = "async fn f(s: &S, op: Confirmed<T>) -> Outcome {}".parse().unwrap();
        let block: TokenStream = "impl F { async fn propose(s: &S, request: R) -> P {} }".parse().unwrap();
        let _told = crate::operation(attribute.clone(), function, Span::call_site());
        let _told = crate::operation(attribute, block, Span::call_site());
    }

    #[test]
    fn no_item_makes_it_panic(item in tokens(24)) {
        let attribute: TokenStream = "action = \"a\", scopes = [], reconcile = operator".parse().unwrap();
        let _told = crate::operation(attribute, item.clone(), Span::call_site());
        let _told = crate::terms(item.clone(), Span::call_site());
        let _told = (crate::term(item.clone()), crate::shape(item.clone()), crate::list(item));
    }

    #[test]
    fn no_field_makes_it_panic(keys in tokens(10), variant in tokens(6)) {
        let item: TokenStream = format!(
            "#[terms({keys})] #[serde({keys})] struct T {{ #[term({keys})] #[serde({keys})] a: Vec<String> }}"
        ).parse().unwrap();
        let _told = crate::terms(item, Span::call_site());
        let item: TokenStream = format!("#[serde({keys})] enum T {{ #[term({keys})] A {{ {variant} }} }}").parse().unwrap();
        let _told = (crate::term(item.clone()), crate::shape(item));
    }
}
