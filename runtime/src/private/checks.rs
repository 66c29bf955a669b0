//! Rules between declarations, checked while the compiler evaluates a constant at the author's token.
//!
//! The macros check what they see; these check the same, in the same words, through types.
#![expect(clippy::wildcard_enum_match_arm, reason = "a rule is about the forms it names")]

use super::words::{Words, refuse, same};
use crate::declaration::{Field, OperationDeclaration, Route, Schema, Seen, Segment};
use pap_protocol::catalogue::Role;

/// The path's parameter is a member of the request.
#[track_caller]
pub const fn path_names_member(of: &OperationDeclaration, parameter: &str) {
    match member(&of.request, parameter) {
        None => no_member(&of.request, "the path has `{", parameter, "}`", "PAP0041"),
        Some(Schema::Optional { .. }) => refuse(
            parameter,
            " is in the path, so it is always there: it can't be an `Option`",
            "PAP0041",
        ),
        Some(schema) if !fits_into_a_segment(schema) => {
            refuse(parameter, " is no value that fits into one segment of a path", "PAP0041")
        }
        Some(_) => {}
    }
}

/// What `identity` names is a member of the request.
#[track_caller]
pub const fn names_member(of: &OperationDeclaration, name: &str) {
    if member(&of.request, name).is_none() {
        no_member(&of.request, "`identity` names `", name, "`", "PAP0040");
    }
}

/// What `reference` names is one value that is always there.
#[track_caller]
pub const fn reference_names_member(of: &OperationDeclaration, name: &str) {
    match member(&of.request, name) {
        None => no_member(&of.request, "`reference` names `{", name, "}`", "PAP0043"),
        Some(schema) if !is_one_value(schema) => refuse(
            name,
            " is in the reference, and is not one value that is always there\nhelp: name a member that is text, \
             a number or a date, and no `Option`",
            "PAP0043",
        ),
        Some(_) => {}
    }
}

const fn is_one_value(schema: &Schema) -> bool {
    match schema {
        Schema::Named { of, .. } => is_one_value(of),
        Schema::Nothing
        | Schema::Optional { .. }
        | Schema::Record(_)
        | Schema::Choice { .. }
        | Schema::List { .. }
        | Schema::Money => false,
        _ => true,
    }
}

const fn member<'a>(request: &'a Schema, name: &str) -> Option<&'a Schema> {
    let mut fields = fields(request);
    while let [field, rest @ ..] = fields {
        if same(field.name, name) {
            return Some(&field.schema);
        }
        fields = rest;
    }
    None
}

/// The members of a form, through its names.
const fn fields(schema: &Schema) -> &[Field] {
    match schema {
        Schema::Record(record) => record.fields,
        Schema::Named { of, .. } => fields(of),
        _ => &[],
    }
}

const fn fits_into_a_segment(schema: &Schema) -> bool {
    match schema {
        Schema::Named { of, .. } => fits_into_a_segment(of),
        Schema::Record(_) | Schema::Choice { .. } | Schema::List { .. } | Schema::Money => false,
        _ => true,
    }
}

#[track_caller]
const fn no_member(request: &Schema, before: &str, name: &str, after: &str, code: &str) -> ! {
    let mut words = Words::new()
        .and(before)
        .and(name)
        .and(after)
        .and(", but the request has no such member\nhelp: its members are ");
    let mut fields = fields(request);
    if fields.is_empty() {
        words = words.and("none");
    }
    while let [field, rest @ ..] = fields {
        words = words.named(field.name).and(if rest.is_empty() { "" } else { ", " });
        fields = rest;
    }
    words.and("\nmore: pap-codegen explain ").and(code).refuse()
}

/// A caller sends an object, or nothing.
#[track_caller]
pub const fn request_is_an_object(of: &OperationDeclaration) {
    if !is_object(&of.request) {
        Words::new()
            .and("the request is no object\nhelp: write a struct with named fields and `#[derive(Shape)]`")
            .and("\nmore: pap-codegen explain PAP0019")
            .refuse();
    }
}

const fn is_object(schema: &Schema) -> bool {
    match schema {
        Schema::Record(_) | Schema::Nothing => true,
        Schema::Named { of, .. } => is_object(of),
        _ => false,
    }
}

/// The summary of a whole operation is a sentence.
#[track_caller]
pub const fn is_sentence(of: &OperationDeclaration) {
    if !matches!(of.terms.summary.as_bytes(), [.., b'.' | b'!' | b'?'] | []) {
        Words::new()
            .and("the summary of ")
            .named(of.terms.record.name)
            .and(" does not end with a full stop")
            .and("\nnote: the User reads it in the Personal Agent's interface, as plain text")
            .and("\nmore: pap-codegen explain PAP0005")
            .refuse();
    }
}

/// Without `propose` the agent sends the terms: it must not set its own price.
#[track_caller]
pub const fn agent_may_send(of: &OperationDeclaration) {
    fields_may_be_sent(of.terms.record.fields);
}

#[track_caller]
const fn fields_may_be_sent(mut fields: &[Field]) {
    while let [field, rest @ ..] = fields {
        let role = match field.term {
            Some(facts) => facts.role,
            None => None,
        };
        let what = match (role, field.seen) {
            (Some(Role::Charge), _) => "the agent would set the charge ",
            (Some(Role::Refund), _) => "the agent would set the refund ",
            (_, Seen::Private) => "the agent would send the private ",
            (_, Seen::InTheSummary) => "the agent would write the shown-only ",
            (_, Seen::OnTheWire) => "",
        };
        if !what.is_empty() {
            Words::new()
                .and(what)
                .named(field.name)
                .and(" itself\nnote: without `propose` the request is the terms, as the agent sends them")
                .and("\nhelp: work it out in a function, and name it: `propose = …, request = …`")
                .and("\nmore: pap-codegen explain PAP0061")
                .refuse();
        }
        form_may_be_sent(&field.schema);
        fields = rest;
    }
}

#[track_caller]
const fn form_may_be_sent(schema: &Schema) {
    match schema {
        Schema::Record(record) => fields_may_be_sent(record.fields),
        Schema::Choice { variants, .. } => {
            let mut variants = *variants;
            while let [variant, rest @ ..] = variants {
                fields_may_be_sent(variant.fields);
                variants = rest;
            }
        }
        Schema::Named { of, .. } | Schema::Optional { of } | Schema::List { of } => {
            form_may_be_sent(of);
        }
        _ => {}
    }
}

/// The type has a format of this name.
#[track_caller]
pub const fn has_format(field: &str, formats: &'static [&'static str], format: &str) {
    let mut known = formats;
    while let [one, rest @ ..] = known {
        if same(one, format) {
            return;
        }
        known = rest;
    }
    let mut words = Words::new().named(field).and(" has no format ").named(format).and("\nhelp: ");
    words = words.and(if formats.is_empty() {
        "its type has one form only"
    } else {
        "its formats are "
    });
    known = formats;
    while let [one, rest @ ..] = known {
        words = words.named(one).and(if rest.is_empty() { "" } else { ", " });
        known = rest;
    }
    words.and("\nmore: pap-codegen explain PAP0004").refuse()
}

/// What tells whether two entries may have a name or a route in common, at the cost of a number.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Fingerprint {
    /// Of the tool's name, which follows from the action's.
    tool: u64,
    /// Of the route without the names of its parameters; 0 if there is none.
    route: u64,
}

/// The fingerprints of a list: comparing the texts of every two entries would be felt in the build of a
/// company with many operations.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler; the index is below both lengths"
)]
pub const fn fingerprints<const N: usize>(all: &[&OperationDeclaration]) -> [Fingerprint; N] {
    let mut prints = [Fingerprint { tool: 0, route: 0 }; N];
    let mut index = 0;
    while index < N && index < all.len() {
        let route = match &all[index].route {
            Some(route) => hash_of_route(route),
            None => 0,
        };
        prints[index] = Fingerprint { tool: hash(START, all[index].tool), route };
        index += 1;
    }
    prints
}

// FNV-1a: short, and good enough to tell apart what is then compared
const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

#[expect(clippy::as_conversions, reason = "`u64::from` is not yet constant")]
const fn hash(start: u64, text: &str) -> u64 {
    let (mut hash, mut bytes) = (start, text.as_bytes());
    while let [byte, rest @ ..] = bytes {
        hash = (hash ^ *byte as u64).wrapping_mul(PRIME);
        bytes = rest;
    }
    hash
}

const fn hash_of_route(route: &Route) -> u64 {
    let (mut print, mut segments) = (hash(START, route.method), route.segments);
    while let [segment, rest @ ..] = segments {
        print = match segment {
            Segment::Fixed(text) => hash(hash(print, "/"), text),
            Segment::Parameter(_) => hash(print, "{"),
        };
        segments = rest;
    }
    // 0 stands for no route
    if print == 0 { 1 } else { print }
}

/// No earlier entry of the list has the same action, route or tool name.
#[track_caller]
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated by the compiler; both indices are of the list"
)]
pub const fn is_distinct(all: &[&OperationDeclaration], prints: &[Fingerprint], index: usize) {
    let this = prints[index];
    let mut earlier = 0;
    while earlier < index {
        let other = prints[earlier];
        if this.tool == other.tool || this.route != 0 && this.route == other.route {
            are_distinct(all[index], all[earlier]);
        }
        earlier += 1;
    }
}

#[track_caller]
const fn are_distinct(this: &OperationDeclaration, other: &OperationDeclaration) {
    if same(this.action, other.action) {
        refuse_second(this, other, "the action", this.action);
    }
    if same(this.tool, other.tool) {
        refuse_second(this, other, "the tool name", this.tool);
    }
    if let (Some(route), Some(taken)) = (&this.route, &other.route)
        && same_route(route, taken)
    {
        refuse_second(this, other, "the route", taken.path);
    }
}

#[track_caller]
const fn refuse_second(
    this: &OperationDeclaration,
    other: &OperationDeclaration,
    what: &str,
    value: &str,
) -> ! {
    Words::new()
        .named(other.origin)
        .and(" and ")
        .named(this.origin)
        .and(" both have ")
        .and(what)
        .and(" ")
        .named(value)
        .and("\nnote: it says which operation is meant, so it is of one")
        .and("\nmore: pap-codegen explain PAP0062")
        .refuse()
}

/// Whether one request would fit both: the names of parameters make no difference.
const fn same_route(one: &Route, other: &Route) -> bool {
    if !same(one.method, other.method) || one.segments.len() != other.segments.len() {
        return false;
    }
    let (mut these, mut those) = (one.segments, other.segments);
    while let ([this, rest @ ..], [that, others @ ..]) = (these, those) {
        let fit = match (this, that) {
            (Segment::Fixed(this), Segment::Fixed(that)) => same(this, that),
            (Segment::Parameter(_), Segment::Parameter(_)) => true,
            (Segment::Fixed(_), Segment::Parameter(_))
            | (Segment::Parameter(_), Segment::Fixed(_)) => false,
        };
        if !fit {
            return false;
        }
        (these, those) = (rest, others);
    }
    true
}
