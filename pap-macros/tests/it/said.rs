//! How values are said, and which must not be offered.

use pap_runtime::declaration::Facts;
use pap_runtime::terms::{Reader, Said as _};
use pap_runtime::value::{Date, Money};
use pap_runtime::{Term, Terms};
use serde::{Deserialize, Serialize};

use crate::shop::money;

/// What it costs: each way of saying it is a variant of its own.
#[derive(Debug, PartialEq, Term, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Cost {
    #[term(summary = "for {amount} more, charged to the card")]
    More {
        #[term(charge)]
        amount: Money,
    },
    #[term(summary = "with {amount} refunded by {on:iso}")]
    Less {
        #[term(refund)]
        amount: Money,
        #[term(date)]
        on: Date,
    },
    #[term(say = "at no extra cost")]
    Same,
}

#[derive(Debug, PartialEq, Term, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Size {
    #[term(say = "medium")]
    Medium,
    #[term(say = "extra large")]
    ExtraLarge,
}

/// Where it goes.
#[derive(Debug, PartialEq, Terms, Serialize, Deserialize)]
#[terms(summary = "{street}, {city}")]
struct Address {
    street: String,
    city: String,
}

#[derive(Debug, PartialEq, Terms, Serialize, Deserialize)]
#[terms(summary = "Send {items} in {size} to {to}, {cost}; {gift}, {{as is}}.")]
struct SendTerms {
    #[term(max = 3)]
    items: Vec<String>,
    size: Size,
    #[term(recipient)]
    to: Address,
    cost: Cost,
    #[term(if_none = "not a gift")]
    gift: Option<Size>,
}

fn terms(cost: Cost, items: &[&str]) -> SendTerms {
    let to = Address { street: "Elm St 1".into(), city: "Oslo".into() };
    let items = items.iter().map(|item| (*item).to_owned()).collect();
    SendTerms { items, size: Size::ExtraLarge, to, cost, gift: None }
}

fn said(terms: &SendTerms) -> String {
    terms.summary(&Reader::default())
}

/// OPS-3-12: every value is in the summary, nested ones and those of variants too.
#[test]
fn every_value_is_said() {
    let to = "extra large to Elm St 1, Oslo";
    assert_eq!(
        said(&terms(Cost::More { amount: money("70.00", "USD") }, &["a hat"])),
        format!("Send a hat in {to}, for $70.00 more, charged to the card; not a gift, {{as is}}.")
    );
    let less = Cost::Less { amount: money("5", "JPY"), on: "2026-10-08".parse().unwrap() };
    assert_eq!(
        said(&terms(less, &["a hat", "a cap", "a tie"])),
        format!(
            "Send a hat, a cap and a tie in {to}, with ¥5 refunded by 2026-10-08; not a gift, {{as is}}."
        )
    );
    let gift = SendTerms { gift: Some(Size::Medium), ..terms(Cost::Same, &["a hat", "a cap"]) };
    assert_eq!(
        said(&gift),
        format!("Send a hat and a cap in {to}, at no extra cost; medium, {{as is}}.")
    );
}

/// Terms that a User must not be offered are found wherever they stand.
#[test]
fn what_must_not_be_offered_is_named() {
    let problem = |terms: &SendTerms| terms.problem(&Facts::NONE);
    assert_eq!(problem(&terms(Cost::Same, &["a hat"])), None);
    let negative = problem(&terms(Cost::More { amount: money("-1.00", "USD") }, &["a hat"]));
    assert!(negative.unwrap().contains("negative charge"));
    let long = problem(&terms(Cost::Same, &["a", "b", "c", "d"])).unwrap();
    assert!(long.contains("`items`") && long.contains("at most 3"), "{long}");
    assert!(problem(&terms(Cost::Same, &[])).is_some());
}

#[test]
fn terms_read_back_as_they_were_written() {
    let written = terms(Cost::More { amount: money("70.00", "USD") }, &["a hat"]);
    let text = serde_json::to_string(&written).unwrap();
    assert!(text.contains(r#""cost":{"kind":"more","amount":"#), "{text}");
    let read: SendTerms = serde_json::from_str(&text).unwrap();
    assert_eq!(read, written);
}
