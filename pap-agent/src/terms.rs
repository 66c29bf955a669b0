//! The Company's terms, taken apart: one [`Term`] for each value, with where it stands.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display, Formatter};

use pap_protocol::value::{Date, Instant, Money};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One value of a revision's `terms`, with where it stands.
///
/// `Debug` shows the place alone: values are the User's business.
#[derive(Clone, PartialEq, Eq)]
pub struct Term {
    path: String,
    value: TermValue,
    literal: String,
}

/// What a value is, as far as its form tells.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TermValue {
    /// An object with exactly `amount` and `currency`.
    Money(Money),
    /// A moment, RFC 3339.
    Moment(Instant),
    /// A calendar day.
    Day(Date),
    /// Any other string.
    Text(String),
    /// A number as the Company wrote it.
    Number(String),
    /// `true` or `false`.
    Flag(bool),
    /// `null`, or an object or list with nothing in it.
    Nothing,
}

impl Term {
    /// Where it stands, as a JSON Pointer (RFC 6901): `/price_difference`, `/lines/0/sku`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What it is.
    pub fn value(&self) -> &TermValue {
        &self.value
    }

    /// Whether it is one of the values that matter most: an amount of money, a day, a moment.
    pub fn is_important(&self) -> bool {
        matches!(self.value, TermValue::Money(_) | TermValue::Moment(_) | TermValue::Day(_))
    }

    /// The one JSON text of the value, so that equal values have equal text.
    pub(crate) fn literal(&self) -> &str {
        &self.literal
    }

    fn new(path: &str, value: TermValue, literal: impl Into<String>) -> Self {
        Self { path: path.to_owned(), value, literal: literal.into() }
    }
}

impl Debug for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Term").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Debug for TermValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Money(_) => "Money",
            Self::Moment(_) => "Moment",
            Self::Day(_) => "Day",
            Self::Text(_) => "Text",
            Self::Number(_) => "Number",
            Self::Flag(_) => "Flag",
            Self::Nothing => "Nothing",
        })
    }
}

/// As it is shown to the User, without quotes. Text can hold what a terminal would act on: show it
/// through [`CompanyText`](crate::CompanyText).
impl Display for TermValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            // the code of the currency, not its sign: a sign is shared by several
            Self::Money(money) => write!(f, "{} {}", money.amount(), money.currency()),
            Self::Moment(moment) => Display::fmt(moment, f),
            Self::Day(day) => Display::fmt(day, f),
            Self::Text(text) | Self::Number(text) => f.write_str(text),
            Self::Flag(flag) => Display::fmt(flag, f),
            Self::Nothing => f.write_str("none"),
        }
    }
}

/// A term that is different in another revision.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedTerm {
    /// Where it stands, as a JSON Pointer.
    pub path: String,
    /// The value that was approved; none if the term is new.
    pub before: Option<TermValue>,
    /// The value it has now; none if the term is gone.
    pub after: Option<TermValue>,
}

/// Every value of the terms, sorted by where it stands.
pub(crate) fn terms(raw: Option<&RawValue>) -> Vec<Term> {
    let mut found = Vec::new();
    if let Some(raw) = raw {
        collect(raw, "", &mut found);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// What is different between the terms of two revisions, sorted by where it stands.
pub(crate) fn changed(before: &[Term], after: &[Term]) -> Vec<ChangedTerm> {
    let mut pairs: BTreeMap<&str, (Option<&Term>, Option<&Term>)> = BTreeMap::new();
    for term in before {
        pairs.entry(&term.path).or_default().0 = Some(term);
    }
    for term in after {
        pairs.entry(&term.path).or_default().1 = Some(term);
    }
    let differ = |(before, after): &(Option<&Term>, Option<&Term>)| {
        before.map(Term::literal) != after.map(Term::literal)
    };
    let changed = pairs.into_iter().filter(|(_, pair)| differ(pair));
    let value = |term: Option<&Term>| term.map(|term| term.value.clone());
    changed
        .map(|(path, (before, after))| ChangedTerm {
            path: path.to_owned(),
            before: value(before),
            after: value(after),
        })
        .collect()
}

/// `raw` is of a document that strict reading has passed, so its depth is bounded.
fn collect(raw: &RawValue, path: &str, found: &mut Vec<Term>) {
    let text = raw.get().trim();
    match text.as_bytes().first() {
        Some(b'{') => collect_object(text, path, found),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
            if items.is_empty() {
                found.push(Term::new(path, TermValue::Nothing, "[]"));
            }
            for (index, item) in items.into_iter().enumerate() {
                collect(item, &format!("{path}/{index}"), found);
            }
        }
        Some(b'"') => {
            let said: String = serde_json::from_str(text).unwrap_or_default();
            let literal = serde_json::to_string(&said).unwrap_or_default();
            found.push(Term::new(path, from_text(said), literal));
        }
        Some(b't') => found.push(Term::new(path, TermValue::Flag(true), text)),
        Some(b'f') => found.push(Term::new(path, TermValue::Flag(false), text)),
        Some(b'n') | None => found.push(Term::new(path, TermValue::Nothing, text)),
        Some(_) => found.push(Term::new(path, TermValue::Number(text.to_owned()), text)),
    }
}

fn collect_object(text: &str, path: &str, found: &mut Vec<Term>) {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).unwrap_or_default();
    if let Some(money) = money(text, members.len()) {
        let literal = format!("{} {}", money.amount(), money.currency());
        found.push(Term::new(path, TermValue::Money(money), literal));
        return;
    }
    if members.is_empty() {
        found.push(Term::new(path, TermValue::Nothing, "{}"));
    }
    for (name, value) in members {
        let name = name.replace('~', "~0").replace('/', "~1");
        collect(value, &format!("{path}/{name}"), found);
    }
}

/// An object is money if nothing else is in it: a third member must not be overlooked.
fn money(text: &str, members: usize) -> Option<Money> {
    #[derive(Deserialize)]
    struct Members {
        amount: String,
        currency: String,
    }
    let money: Members = (members == 2).then(|| serde_json::from_str(text).ok()).flatten()?;
    Money::parse(&money.amount, &money.currency).ok()
}

fn from_text(said: String) -> TermValue {
    if let Ok(day) = said.parse() {
        return TermValue::Day(day);
    }
    said.parse().map_or(TermValue::Text(said), TermValue::Moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> Vec<Term> {
        let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
        terms(Some(&raw))
    }

    fn paths(terms: &[Term]) -> Vec<&str> {
        terms.iter().map(Term::path).collect()
    }

    #[test]
    fn every_value_is_found_where_it_stands() {
        let terms = of(
            r#"{"b":[{"sku":"m"},{}],"a/b":null,"fee":{"amount":"70","currency":"USD"},"n":1.50}"#,
        );
        assert_eq!(paths(&terms), ["/a~1b", "/b/0/sku", "/b/1", "/fee", "/n"]);
    }

    #[test]
    fn money_is_one_term_and_a_third_member_is_not_overlooked() {
        assert_eq!(paths(&of(r#"{"fee":{"amount":"70.00","currency":"USD"}}"#)), ["/fee"]);
        let with_tip = of(r#"{"fee":{"amount":"70.00","currency":"USD","tip":"5.00"}}"#);
        assert_eq!(paths(&with_tip), ["/fee/amount", "/fee/currency", "/fee/tip"]);
    }

    #[test]
    fn amounts_days_and_moments_are_important() {
        let terms = of(
            r#"{"at":"2026-10-08T12:20:00-07:00","day":"2026-10-08","fee":{"amount":"1.00","currency":"EUR"},"id":"ord_7"}"#,
        );
        let important: Vec<_> = terms.iter().filter(|term| term.is_important()).collect();
        assert_eq!(important.len(), 3);
    }

    #[test]
    fn spelling_is_no_change_and_every_value_is() {
        let approved = of(r#"{"a": "\u0041", "fee":{"amount":"70","currency":"USD"}}"#);
        let spelled = of(r#"{"fee":{"currency":"USD","amount":"70.00"},"a":"A"}"#);
        assert_eq!(changed(&approved, &spelled), []);

        let now = of(r#"{"a":"A","fee":{"amount":"75.00","currency":"USD"},"tip":null}"#);
        let changed = changed(&approved, &now);
        let paths: Vec<_> = changed.iter().map(|change| change.path.as_str()).collect();
        assert_eq!(paths, ["/fee", "/tip"]);
        assert_eq!(changed[1].before, None);
    }

    #[test]
    fn numbers_beyond_a_float_are_told_apart() {
        let changed =
            changed(&of(r#"{"n":10000000000000000001}"#), &of(r#"{"n":10000000000000000002}"#));
        assert_eq!(changed.len(), 1);
    }
}
