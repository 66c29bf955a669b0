//! The values of the attribute's keys.

use quote::ToTokens as _;
use syn::LitStr;

use crate::declaration::{Placed, ReferencePart, Route};
use crate::keys::OPERATION;
use crate::parse::given::{Keys, Named, Value};
use crate::problem::{Code, ErrorSink, Problem};
use crate::spelling::{self, Misspelled, nearest};

const DEFAULT_LIFETIME_S: u64 = 15 * 60;
const DEFAULT_ID_PREFIX: &str = "op";

/// What the keys say, apart from types and functions.
pub(super) struct Values {
    pub(super) action: String,
    pub(super) route: Option<Placed<Route>>,
    pub(super) scopes: Vec<String>,
    pub(super) expires_in_s: u64,
    pub(super) retain_for_s: Option<u64>,
    pub(super) user_approval_required: bool,
    pub(super) id_prefix: String,
    pub(super) identity: Option<Vec<Placed<String>>>,
    pub(super) reference: Option<Placed<Vec<ReferencePart>>>,
}

impl Values {
    /// Reads them; nothing if a required one is missing or any is wrong.
    pub(super) fn of(keys: &Keys, sink: &mut ErrorSink) -> Option<Self> {
        let (action, scopes) = (action(keys, sink), scopes(keys, sink));
        let route = route(keys, sink);
        let (expires_in_s, retain_for_s) = (expires_in(keys, sink), retain_for(keys, sink));
        let id_prefix = id_prefix(keys, sink);
        let identity = identity(keys, sink);
        let reference = reference(keys, identity.as_deref(), sink);
        Some(Self {
            action: action?,
            route,
            scopes: scopes?,
            expires_in_s: expires_in_s?,
            retain_for_s,
            user_approval_required: keys
                .word("user_approval")
                .is_some_and(|word| word == "required"),
            id_prefix: id_prefix?,
            identity,
            reference,
        })
    }
}

fn action(keys: &Keys, sink: &mut ErrorSink) -> Option<String> {
    let Some(text) = keys.text("action") else {
        required(
            keys,
            "action",
            "a standing permission names the action, so its name is written, not derived",
            sink,
        );
        return None;
    };
    let value = text.value();
    let checked = spelled(Code::Action, text, spelling::action(&value));
    sink.ok(checked.map_err(|problem| problem.note("standing permissions name the action by it")))
        .map(|()| value)
}

fn route(keys: &Keys, sink: &mut ErrorSink) -> Option<Placed<Route>> {
    let text = keys.text("route")?;
    let route = sink.ok(spelled(Code::Route, text, spelling::route(&text.value())))?;
    Some(Placed { value: route, at: text.to_token_stream() })
}

fn scopes(keys: &Keys, sink: &mut ErrorSink) -> Option<Vec<String>> {
    let Some(Value::Texts(texts)) = keys.find("scopes").map(|given| &given.value) else {
        required(keys, "scopes", "an operation that needs no scope says so: `scopes = []`", sink);
        return None;
    };
    let mut scopes: Vec<String> = Vec::new();
    for text in texts {
        let value = text.value();
        if let Err(problem) = spelled(Code::Scope, text, spelling::scope(&value)) {
            sink.push(problem);
        } else if scopes.contains(&value) {
            sink.push(
                Problem::new(Code::Scope, text, format!("`{value}` is listed twice"))
                    .help("keep one"),
            );
        }
        scopes.push(value);
    }
    Some(scopes)
}

fn expires_in(keys: &Keys, sink: &mut ErrorSink) -> Option<u64> {
    let Some(text) = keys.text("expires_in") else { return Some(DEFAULT_LIFETIME_S) };
    sink.ok(spelled(Code::Duration, text, spelling::lifetime(&text.value())))
}

fn retain_for(keys: &Keys, sink: &mut ErrorSink) -> Option<u64> {
    let text = keys.text("retain_for")?;
    sink.ok(spelled(Code::Duration, text, spelling::retention(&text.value())))
}

fn id_prefix(keys: &Keys, sink: &mut ErrorSink) -> Option<String> {
    let Some(text) = keys.text("id_prefix") else { return Some(DEFAULT_ID_PREFIX.to_owned()) };
    sink.ok(spelled(Code::IdPrefix, text, spelling::id_prefix(&text.value())))
        .map(|()| text.value())
}

fn identity(keys: &Keys, sink: &mut ErrorSink) -> Option<Vec<Placed<String>>> {
    let given = keys.find("identity")?;
    let Value::Names(names) = &given.value else { return None };
    if names.is_empty() {
        sink.push(
            Problem::new(Code::Identity, &given.name, "`identity()` names nothing, so any two requests would be one action")
                .help("name the members of the request that make it one action: `identity(order_id, item_id)`"),
        );
    }
    let mut seen: Vec<&Named> = Vec::new();
    for name in names {
        if seen.iter().any(|seen| seen.text == name.text) {
            let message = format!("`{}` is named twice", name.text);
            sink.push(Problem::new(Code::Identity, &name.at, message).help("keep one"));
        }
        seen.push(name);
    }
    let placed = |name: &Named| Placed { value: name.text.clone(), at: name.at.clone() };
    Some(names.iter().map(placed).collect())
}

/// It never changes: a repeated request with other values of its members is another action.
fn reference(
    keys: &Keys,
    identity: Option<&[Placed<String>]>,
    sink: &mut ErrorSink,
) -> Option<Placed<Vec<ReferencePart>>> {
    let text = keys.text("reference")?;
    let parts = sink.ok(spelled(Code::Reference, text, spelling::reference(&text.value())))?;
    let names = || identity.into_iter().flatten().map(|name| name.value.as_str());
    for name in members(&parts) {
        if identity.is_none() || names().any(|known| known == name) {
            continue;
        }
        let help = nearest(name, names()).map_or_else(
            || format!("add `{name}` to `identity(…)`, or name one of `{}`", joined(names())),
            |near| format!("a similar name identifies it: `{{{near}}}`"),
        );
        sink.push(
            Problem::new(
                Code::Reference,
                text,
                format!("`reference` names `{{{name}}}`, which does not identify the action"),
            )
            .note("what `identity` leaves out may be asked for differently later, and the reference stays")
            .help(help),
        );
    }
    Some(Placed { value: parts, at: text.to_token_stream() })
}

/// The members that a reference names.
pub(super) fn members(parts: &[ReferencePart]) -> impl Iterator<Item = &str> {
    parts.iter().filter_map(|part| match part {
        ReferencePart::Text(_) => None,
        ReferencePart::Member(name) => Some(name.as_str()),
    })
}

fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join("`, `")
}

fn spelled<T>(code: Code, at: &LitStr, result: Result<T, Misspelled>) -> Result<T, Problem> {
    result.map_err(|wrong| Problem::new(code, at, wrong.message).help(wrong.help))
}

/// A required key that is missing; one whose value was wrong is told already.
pub(super) fn required(keys: &Keys, name: &str, note: &str, sink: &mut ErrorSink) {
    if keys.tried(name) {
        return;
    }
    let example = OPERATION.key(name).map(|key| key.example).unwrap_or_default();
    sink.push(
        Problem::new(Code::MissingKey, &keys.at, format!("`{name}` is missing"))
            .note(note)
            .help(format!("add `{example}`")),
    );
}
