//! Rules between the request and the rest, as far as the fields are written in the attribute.
//!
//! What is declared elsewhere is checked by the compiler in the same words, on the types themselves.

use super::functions::Functions;
use super::values::{Values, members};
use crate::declaration::{Field, InlineTerms, Seen};
use crate::parse::given::Keys;
use crate::problem::{Code, ErrorSink, Problem};
use crate::spelling::nearest;

/// Without `propose` the agent sends the terms.
pub(super) fn check(
    keys: &Keys,
    functions: &Functions,
    written: Option<&InlineTerms>,
    values: Option<&Values>,
    sink: &mut ErrorSink,
) {
    let Some(written) = written.filter(|_| functions.propose.is_none() && !keys.tried("propose"))
    else {
        return;
    };
    let fields = &written.terms.fields;
    for field in fields {
        agent_may_send(field, sink);
    }
    let Some(values) = values else { return };
    if let Some(route) = &values.route {
        for parameter in route.value.parameters() {
            let message =
                format!("the path has `{{{parameter}}}`, but the request has no such member");
            if let Some(help) = unless_member(parameter, fields) {
                sink.push(Problem::new(Code::NotInRequest, &route.at, message).help(help));
            }
        }
    }
    for name in values.identity.iter().flatten() {
        let message =
            format!("`identity` names `{}`, but the request has no such member", name.value);
        if let Some(help) = unless_member(&name.value, fields) {
            sink.push(Problem::new(Code::Identity, &name.at, message).help(help));
        }
    }
    // what `identity` names is told there
    let Some(reference) = values.reference.as_ref().filter(|_| values.identity.is_none()) else {
        return;
    };
    for name in members(&reference.value) {
        let message = format!("`reference` names `{{{name}}}`, but the request has no such member");
        if let Some(help) = unless_member(name, fields) {
            sink.push(Problem::new(Code::Reference, &reference.at, message).help(help));
        }
    }
}

/// What to type if the request has no such member.
fn unless_member(name: &str, fields: &[Field]) -> Option<String> {
    let members = || fields.iter().map(|field| field.wire.as_str());
    if members().any(|member| member == name) {
        return None;
    }
    let near = nearest(name, members());
    Some(near.map_or_else(
        || {
            format!(
                "add `{name}` to `terms`; its members are {}",
                members().map(|member| format!("`{member}`")).collect::<Vec<_>>().join(", ")
            )
        },
        |near| format!("a similar member exists: `{near}`"),
    ))
}

/// The agent must not set its own price, nor write what the User reads beside the terms.
fn agent_may_send(field: &Field, sink: &mut ErrorSink) {
    let name = &field.name;
    let (message, note) = match (field.term.role, field.term.seen) {
        (Some(role @ ("charge" | "refund")), _) => (
            format!("the agent would set the {role} `{name}` itself"),
            "without `propose` the request is the terms, as the agent sends them",
        ),
        (_, Seen::InTheSummary) => (
            format!("the agent would write `{name}`, which the User takes for the company's words"),
            "without `propose` the request is the terms, as the agent sends them",
        ),
        (_, Seen::Private) => (
            format!("the agent would send the private `{name}`"),
            "without `propose` the request is the terms, as the agent sends them",
        ),
        (_, Seen::OnTheWire) => return,
    };
    sink.push(
        Problem::new(Code::AgentSetsPrice, name, message)
            .note(note)
            .help("work it out in a function, and name it: `propose = …, request = …`"),
    );
}
