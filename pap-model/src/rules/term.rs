//! Rules about `#[term(…)]` on one field.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

use crate::declaration::{Seen, Term};
use crate::keys::{ROLES, TERM_FIELD_KEYS, TERM_VARIANT_KEYS, TYPE_KEYS};
use crate::parse::data::WrittenField;
use crate::parse::given::{Given, Keys, Value};
use crate::parse::spelled::{list_inside, option_inside};
use crate::problem::{Code, ErrorSink, Problem};

/// The fewest characters of a reason: shorter ones tell a reviewer nothing.
const MIN_REASON: usize = 10;

/// Keys of which a field has at most one.
const HOW_IT_IS_SEEN: [&str; 4] = ["shown_as", "unstated", "private", "shown_only"];

/// Keys that exclude each other beyond that, with the reason.
const EXCLUDING: &[(&str, &[&str], &str)] = &[
    (
        "unstated",
        &ROLES,
        "what costs, counts, or says to whom, when or under which condition is always stated",
    ),
    ("private", &ROLES, "the agent checks roles on the wire, and a private term is not there"),
    ("shown_only", &ROLES, "a role is of a term, and shown-only text is none"),
    ("shown_only", &["if_none", "max"], "shown-only text is one text that is always there"),
    ("private", &["if_none"], "the summary never says a private term"),
];

/// Where a `#[term(…)]` stands.
#[derive(Debug, Clone, Copy)]
pub(super) enum On {
    Field,
    Variant,
    Type,
}

/// Only keys that mean something in this place.
pub(super) fn keys_belong(keys: &Keys, on: On, sink: &mut ErrorSink) {
    let (what, known): (&str, &[&str]) = match on {
        On::Field => ("a field", &TERM_FIELD_KEYS),
        On::Variant => ("a variant", &TERM_VARIANT_KEYS),
        On::Type => ("a type", &TYPE_KEYS),
    };
    for given in keys.all().iter().filter(|given| !known.contains(&given.key.name)) {
        sink.push(
            Problem::new(
                Code::UnknownKey,
                &given.name,
                format!("`{}` is no key of {what}", given.key.name),
            )
            .note(format!("the keys of {what} are {}", known.join(", "))),
        );
    }
}

/// What the author said about a term; whether the summary states it is found later.
pub(super) fn term(field: &WrittenField, sink: &mut ErrorSink) -> Term {
    let keys = &field.keys;
    keys_belong(keys, On::Field, sink);
    one_way_to_be_seen(keys, sink);
    one_role(keys, sink);
    no_excluding_keys(keys, sink);
    let seen = match () {
        () if keys.find("shown_only").is_some() => Seen::InTheSummary,
        () if keys.find("private").is_some() => Seen::Private,
        () => Seen::OnTheWire,
    };
    let reason = |name| keys.text(name).map(|text| (text.value(), text.to_token_stream()));
    for (name, given) in [("private", reason("private")), ("unstated", reason("unstated"))] {
        if let Some((text, at)) = given {
            a_reviewer_can_judge(name, &text, &at, sink);
        }
    }
    Term {
        seen,
        role: ROLES.into_iter().find(|role| keys.find(role).is_some()),
        shown_as: shown_as(keys).map(ToString::to_string),
        unstated: reason("unstated").map(|(text, _)| text),
        if_none: if_none(keys, sink),
        max: max(field, sink),
        stated: false,
    }
}

/// The field that says this term.
pub(super) fn shown_as(keys: &Keys) -> Option<&Ident> {
    let Value::Name(name) = &keys.find("shown_as")?.value else { return None };
    Some(name)
}

fn one_way_to_be_seen(keys: &Keys, sink: &mut ErrorSink) {
    let given: Vec<&Given> = HOW_IT_IS_SEEN.iter().filter_map(|name| keys.find(name)).collect();
    at_most_one(&given, "a term is stated, or it has one reason not to be", sink);
}

fn one_role(keys: &Keys, sink: &mut ErrorSink) {
    let given: Vec<&Given> = ROLES.iter().filter_map(|name| keys.find(name)).collect();
    at_most_one(&given, "a machine reads one role per term", sink);
}

fn at_most_one(given: &[&Given], note: &str, sink: &mut ErrorSink) {
    let Some((first, others)) = given.split_first() else { return };
    for other in others {
        sink.push(excluding(other, first, note));
    }
}

fn no_excluding_keys(keys: &Keys, sink: &mut ErrorSink) {
    for (name, others, note) in EXCLUDING {
        let Some(first) = keys.find(name) else { continue };
        for other in others.iter().filter_map(|other| keys.find(other)) {
            sink.push(excluding(other, first, note));
        }
    }
}

fn excluding(given: &Given, first: &Given, note: &str) -> Problem {
    let message = format!("`{}` can't stand beside `{}`", given.key.name, first.key.name);
    Problem::new(Code::ExcludingKeys, &given.name, message)
        .note(note)
        .help("keep one of the two")
        .label(&first.name, "excludes it")
}

/// A waiver carries a reason that somebody can agree or disagree with.
fn a_reviewer_can_judge(name: &str, text: &str, at: &TokenStream, sink: &mut ErrorSink) {
    if text.trim().chars().count() < MIN_REASON {
        sink.push(
            Problem::new(
                Code::NoReason,
                at,
                format!("`{name}` needs a reason that a reviewer can judge"),
            )
            .note(format!("a reason has at least {MIN_REASON} characters"))
            .help(format!("write `{name} = \"internal tracking id; no effect on the action\"`")),
        );
    }
}

fn if_none(keys: &Keys, sink: &mut ErrorSink) -> Option<String> {
    let text = keys.text("if_none")?;
    if text.value().trim().is_empty() {
        sink.push(
            Problem::new(Code::NoIfNone, text, "`if_none` says nothing")
                .note("the User decides from the summary alone, also when a term is absent")
                .help("write what is then the case: `if_none = \"no note\"`"),
        );
    }
    Some(text.value())
}

/// A list has a most: a summary that states every value has an end.
fn max(field: &WrittenField, sink: &mut ErrorSink) -> Option<u32> {
    let given = field.keys.find("max");
    let max = given.and_then(|given| {
        let Value::Number(max) = given.value else { return None };
        Some((max, &given.name))
    });
    if let Some((0, name)) = max {
        sink.push(
            Problem::new(Code::WrongForm, name, "`max = 0` allows no value at all")
                .help("write the most values that the summary shall state: `max = 20`"),
        );
    }
    let list = option_inside(&field.ty).map_or_else(|| list_inside(&field.ty), list_inside);
    if list.is_some() && given.is_none() {
        sink.push(
            Problem::new(Code::NoMax, &field.ty, format!("`{}` is a list without a `max`", field.name))
                .note("the summary states every value, so a list has to end; more values are refused, never cut")
                .help("write `#[term(max = 20)]`"),
        );
    }
    max.map(|(max, _)| max)
}
