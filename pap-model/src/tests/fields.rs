//! Terms, values and their fields.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::{codes, operation, shape, term, terms};
use crate::declaration::{Piece, Seen, ValueForm};
use crate::problem::Code;

fn wrong_terms(fields: &TokenStream) -> Vec<Code> {
    let item = quote!(#[terms(summary = "Exchange {item}.")] struct ExchangeTerms { item: String, #fields });
    codes(&crate::terms(item, Span::call_site()).unwrap().problems)
}

fn wrong_term(item: TokenStream) -> Vec<Code> {
    codes(&crate::term(item).unwrap().problems)
}

#[test]
fn terms_are_read_with_what_was_said_about_them() {
    let read = terms(quote!(
        /// What the User approves.
        #[terms(summary = "Exchange {item} for {price:code}.", version = 3, upgrades = [old::V1, V2])]
        #[serde(rename_all = "camelCase")]
        pub struct ExchangeTerms {
            #[term(shown_as = item, subject)]
            item_id: ItemId,
            #[term(charge)]
            #[serde(rename = "difference")]
            price: Money,
            #[term(private = "which stock hold to use")]
            stock_hold: HoldId,
            #[term(shown_only)]
            item: Shown,
            /// How to pack it.
            #[term(unstated = "the User gets the same item")]
            r#box: Option<String>,
        }
    ));
    let wires: Vec<&str> = read.fields.iter().map(|field| field.wire.as_str()).collect();
    assert_eq!(wires, ["itemId", "difference", "stockHold", "item", "box"]);
    let seen: Vec<Seen> = read.fields.iter().map(|field| field.term.seen).collect();
    assert_eq!(
        seen,
        [Seen::OnTheWire, Seen::OnTheWire, Seen::Private, Seen::InTheSummary, Seen::OnTheWire]
    );
    assert_eq!((read.version, read.named.doc.as_str()), (3, "What the User approves."));
    let older: Vec<String> = read.upgrades.iter().map(ToString::to_string).collect();
    assert_eq!(older, ["old :: V1", "V2"]);
    assert_eq!(read.fields[0].term.shown_as.as_deref(), Some("item"));
    assert_eq!(read.fields[1].term.role, Some("charge"));
    assert_eq!(read.fields[4].doc, "How to pack it.");
    let summary = read.summary.unwrap();
    let field = |index, name: &str, format: &str| Piece::Field {
        index: Some(index),
        name: name.to_owned(),
        format: format.to_owned(),
    };
    let text = |text: &str| Piece::Text(text.to_owned());
    assert_eq!(
        summary.pieces,
        [
            text("Exchange "),
            field(3, "item", ""),
            text(" for "),
            field(1, "price", "code"),
            text(".")
        ]
    );
}

/// OPS-3-12: every field that affects the action is stated, or says why not; taking a placeholder out
/// is an error for each of them.
#[test]
fn taking_any_placeholder_out_is_refused() {
    let names = ["order_id", "item", "sku", "price", "day"];
    let placeholders: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
    for name in names {
        let out = format!("{{{name}}}");
        let others: Vec<&str> =
            placeholders.iter().map(String::as_str).filter(|other| **other != out).collect();
        let summary = format!("{}.", others.join(" "));
        let item = quote!(
            #[terms(summary = #summary)]
            struct ExchangeTerms {
                order_id: String,
                item: String,
                sku: String,
                price: Money,
                day: Date,
            }
        );
        let checked = crate::terms(item, Span::call_site()).unwrap();
        assert_eq!(codes(&checked.problems), [Code::NotStated], "without {name}");
        assert!(checked.problems[0].message.contains(&format!("`{name}`")));
    }
}

#[test]
fn each_rule_of_a_field_is_kept() {
    assert_eq!(wrong_terms(&quote!(price: Money)), [Code::NotStated]);
    assert_eq!(wrong_terms(&quote!(#[term(unstated = "short")] x: String)), [Code::NoReason]);
    assert_eq!(wrong_terms(&quote!(#[term(private = "")] x: String)), [Code::NoReason]);
    assert_eq!(wrong_terms(&quote!(#[term(shown_only)] x: Shown)), [Code::NeverShown]);
    assert_eq!(wrong_terms(&quote!(#[term(shown_as = item)] x: String)), [Code::ShownAs]);
    assert_eq!(wrong_terms(&quote!(#[term(shown_as = gone)] x: String)), [Code::ShownAs]);
    assert_eq!(
        wrong_terms(&quote!(#[term(unstated = "the User gets the same")] x: f64)),
        [Code::Float]
    );
    assert_eq!(
        wrong_terms(&quote!(#[term(unstated = "the User gets the same")] x: Vec<String>)),
        [Code::NoMax]
    );
    assert_eq!(
        wrong_terms(&quote!(#[term(unstated = "the User gets the same", max = 0)] x: Vec<String>)),
        [Code::WrongForm]
    );
    assert_eq!(
        wrong_terms(&quote!(#[term(unstated = "the User gets the same", charge)] x: Money)),
        [Code::ExcludingKeys]
    );
    assert_eq!(
        wrong_terms(
            &quote!(#[serde(rename = "item")] #[term(unstated = "the User gets the same")] x: String)
        ),
        [Code::SameName]
    );
}

#[test]
fn an_absent_term_has_words_where_it_is_stated() {
    let item = |attribute: &TokenStream| {
        let item =
            quote!(#[terms(summary = "Send {a}.")] struct T { #attribute a: Option<String> });
        codes(&crate::terms(item, Span::call_site()).unwrap().problems)
    };
    assert_eq!(item(&quote!()), [Code::NoIfNone]);
    assert_eq!(item(&quote!(#[term(if_none = " ")])), [Code::NoIfNone]);
    assert_eq!(item(&quote!(#[term(if_none = "nothing")])), []);
}

#[test]
fn serde_is_taken_where_it_can_be_told() {
    let with = |attribute: &str| {
        let attribute: TokenStream = attribute.parse().unwrap();
        wrong_terms(
            &quote!(#[serde(#attribute)] #[term(unstated = "the User gets the same")] x: Option<String>),
        )
    };
    for taken in ["rename = \"y\"", "skip_serializing_if = \"Option::is_none\""] {
        assert_eq!(with(taken), [], "{taken}");
    }
    for refused in [
        "skip",
        "flatten",
        "default",
        "default = \"f\"",
        "with = \"m\"",
        "alias = \"y\"",
        "getter = \"f\"",
        "skip_serializing_if = \"f\"",
        "rename(serialize = \"a\")",
        "borrow",
        "deserialize_with = \"f\"",
    ] {
        assert_eq!(with(refused), [Code::SerdeAttribute], "{refused}");
    }
}

#[test]
fn an_enum_is_words_or_a_choice() {
    let words = term(quote!(
        #[serde(rename_all = "kebab-case")]
        enum Size {
            #[term(say = "medium")]
            Medium,
            #[term(say = "extra large")]
            ExtraLarge,
        }
    ));
    let ValueForm::Words(words) = words.form else { panic!("not words") };
    let read: Vec<_> = words.iter().map(|word| (word.wire.as_str(), word.say.as_str())).collect();
    assert_eq!(read, [("medium", "medium"), ("extra-large", "extra large")]);

    let choice = term(quote!(
        #[serde(tag = "kind", rename_all = "snake_case")]
        enum Cost {
            #[term(summary = "for {amount} more")]
            More {
                #[term(charge)]
                amount: Money,
            },
            #[term(say = "at no extra cost")]
            NoneAtAll,
        }
    ));
    let ValueForm::Choice(variants) = choice.form else { panic!("not a choice") };
    let read: Vec<_> = variants.iter().map(|variant| variant.wire.as_str()).collect();
    assert_eq!(read, ["more", "none_at_all"]);
}

#[test]
fn each_rule_of_a_value_is_kept() {
    for (item, expected) in [
        ("enum E {}", Code::WrongItem),
        ("enum E { A }", Code::VariantNotStated),
        ("enum E { #[term(summary = \"a\")] A }", Code::VariantNotStated),
        ("enum E { #[term(say = \" \")] A }", Code::SummaryText),
        (
            "enum E { #[term(say = \"a\")] A, #[serde(rename = \"A\")] #[term(say = \"b\")] B }",
            Code::SameName,
        ),
        ("enum E { #[term(summary = \"{a}\")] A { a: String } }", Code::WrongVariant),
        ("#[serde(tag = \"kind\")] enum E { A(String) }", Code::WrongVariant),
        (
            "#[serde(tag = \"kind\")] enum E { #[term(say = \"a\")] A { a: String } }",
            Code::VariantNotStated,
        ),
        (
            "#[serde(tag = \"kind\")] enum E { #[term(summary = \"a\")] A { a: String } }",
            Code::NotStated,
        ),
        (
            "#[serde(tag = \"kind\")] enum E { #[term(summary = \"{kind}\")] A { kind: String } }",
            Code::SameName,
        ),
        ("struct S { a: String }", Code::WrongItem),
        ("struct S;", Code::WrongItem),
        ("struct S(f32);", Code::Float),
        ("struct S<T>(T);", Code::Generic),
        ("struct S(Vec<S>);", Code::Recursive),
        ("struct S(&'static str);", Code::Generic),
        ("struct S(HashMap<String, String>);", Code::OpenForm),
    ] {
        assert_eq!(wrong_term(item.parse().unwrap()), [expected], "{item}");
    }
}

#[test]
fn a_shape_has_members_and_no_words() {
    let read = shape(quote!(
        #[serde(rename = "Exchange", deny_unknown_fields)]
        struct ExchangeRequest {
            item_id: ItemId,
            note: Option<String>,
        }
    ));
    assert_eq!(read.named.schema_name, "Exchange");
    let ValueForm::Record(fields) = read.form else { panic!("not a record") };
    assert_eq!(fields.len(), 2);
    let words = shape(quote!(
        enum Size {
            Medium,
            Large,
        }
    ));
    assert!(matches!(words.form, ValueForm::Words(words) if words[0].say == "Medium"));
}

/// The shortest form: what the agent sends is what the User approves, so it can send neither a price nor
/// the company's words.
#[test]
fn the_agent_sets_no_price() {
    let told = |fields: &TokenStream| {
        let attribute = quote!(
            action = "orders.pay", route = "POST /pay/{item}", scopes = [], reconcile = operator,
            summary = "Pay for {item}, {x}.", terms = { item: String, #fields }
        );
        let item = quote!(
            async fn pay(shop: &Shop, op: Confirmed<PayTerms>) -> Outcome {}
        );
        codes(&crate::operation(attribute, item, Span::call_site()).problems)
    };
    assert_eq!(told(&quote!(x: String)), []);
    assert_eq!(told(&quote!(#[term(charge)] x: Money)), [Code::AgentSetsPrice]);
    assert_eq!(told(&quote!(#[term(refund)] x: Money)), [Code::AgentSetsPrice]);
    assert_eq!(told(&quote!(#[term(shown_only)] x: Shown)), [Code::AgentSetsPrice]);
}

#[test]
fn inline_terms_name_their_struct_after_the_operation() {
    let read = operation(
        quote!(
            action = "orders.gift_note", scopes = [], reconcile = operator, identity("order_id"),
            summary = "Put “{note}” into {order_id}.",
            terms = { #[term(subject)] order_id: OrderId, #[serde(rename = "text")] note: String }
        ),
        quote!(
            async fn gift_note(shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {}
        ),
    );
    let written = read.sketch.written_terms.unwrap();
    assert_eq!(written.terms.named.name.to_string(), "GiftNoteTerms");
    let fields = written.fields.to_string();
    assert!(!fields.contains("# [term") && fields.contains("# [serde"), "{fields}");
    assert_eq!(read.identity.unwrap()[0].value, "order_id");
}
