//! The pages, with every text ready: the templates only place them.

use askama::Template;
use pap_protocol::catalogue::{Entry, Reconcile, Schema, UserApproval};

use super::super::Input;
use super::super::answers::{self, Answer, At};
use super::names;
use super::rows::{FormRow, MemberRow, TermRow, form};
use crate::forms;
use crate::load::parameters;
use crate::output::MARK;

/// `index.md`.
#[derive(Debug, Template)]
#[template(path = "docs/index.md.jinja")]
pub(super) struct Index {
    mark: &'static str,
    company: String,
    endpoint: String,
    resource: String,
    operations: Vec<IndexRow>,
    refusals: Vec<RefusalRow>,
}

#[derive(Debug)]
struct IndexRow {
    action: String,
    page: String,
    does: String,
    route: String,
    approval: &'static str,
}

/// `operation.<action>.md`.
#[derive(Debug, Template)]
#[template(path = "docs/operation.md.jinja")]
pub(super) struct Page {
    mark: &'static str,
    index: &'static str,
    action: String,
    does: String,
    route: String,
    lifetime: String,
    kept: String,
    approval: &'static str,
    scopes: String,
    identity: String,
    stop: &'static str,
    recheck: &'static str,
    request: Vec<MemberRow>,
    summary: String,
    fence: String,
    terms_version: u32,
    terms: Vec<TermRow>,
    result: String,
    recovery: &'static str,
    forms: Vec<FormRow>,
    refusals: Vec<RefusalRow>,
}

#[derive(Debug)]
struct RefusalRow {
    code: String,
    status: u16,
    meaning: &'static str,
    at: String,
}

impl Index {
    pub(super) fn new(input: &Input<'_>) -> Self {
        let resource = input.endpoint.resource.as_deref();
        Self {
            mark: MARK,
            company: names::text(&input.company.name),
            endpoint: input.endpoint_url(),
            resource: resource.map(names::code).unwrap_or_default(),
            operations: input.operations.iter().map(IndexRow::new).collect(),
            refusals: answers::ANSWERS
                .iter()
                .filter(|answer| answer.at != [At::Propose])
                .map(RefusalRow::at_the_endpoint)
                .collect(),
        }
    }
}

impl IndexRow {
    fn new(entry: &Entry) -> Self {
        let route = entry.route.as_ref().map(|route| format!("{} {}", route.method, route.path));
        Self {
            action: names::code_in_table(&entry.action),
            page: names::page(&entry.action),
            does: names::doc(&entry.doc),
            route: route.as_deref().map(names::code_in_table).unwrap_or_default(),
            approval: if entry.user_approval == UserApproval::Required {
                "the User's"
            } else {
                "the User's, or a standing permission"
            },
        }
    }
}

impl Page {
    pub(super) fn new(input: &Input<'_>, entry: &Entry) -> Self {
        let origin = &input.company.origin;
        let route =
            entry.route.as_ref().map(|route| format!("{} {origin}{}", route.method, route.path));
        let terms = Schema::Record(entry.terms.record.clone());
        let own = [&entry.request, &terms].map(members_of);
        let used = own.concat().into_iter().chain([&entry.result]);
        Self {
            mark: MARK,
            index: names::INDEX,
            action: names::code(&entry.action),
            does: names::doc(&entry.doc),
            route: route.as_deref().map(names::code).unwrap_or_default(),
            lifetime: names::duration(entry.expires_in_s),
            kept: entry.retain_for_s.map(names::duration).unwrap_or_default(),
            approval: approval(entry.user_approval),
            scopes: scopes(&entry.scopes),
            identity: identity(entry),
            stop: stop(entry.can_stop),
            recheck: recheck(entry.rechecks),
            request: request(entry),
            summary: names::block(&entry.terms.summary),
            fence: names::fence(&entry.terms.summary),
            terms_version: entry.terms.version,
            terms: entry.terms.record.members.iter().map(TermRow::new).collect(),
            result: result(&entry.result),
            recovery: recovery(entry.reconcile),
            forms: FormRow::used(used),
            refusals: answers::at(At::Propose).map(RefusalRow::new).collect(),
        }
    }
}

impl RefusalRow {
    fn new(answer: &Answer) -> Self {
        let (status, meaning) = (answer.status(), answer.meaning);
        Self { code: names::code_in_table(answer.code()), status, meaning, at: String::new() }
    }

    fn at_the_endpoint(answer: &Answer) -> Self {
        let places = [(At::Read, "read"), (At::Confirm, "confirm"), (At::Cancel, "cancel")];
        let at = places.iter().filter(|(place, _)| answer.at.contains(place));
        let at: Vec<&str> = at.map(|(_, word)| *word).collect();
        Self { at: at.join(", "), ..Self::new(answer) }
    }
}

fn members_of(form: &Schema) -> Vec<&Schema> {
    forms::members(form).iter().map(|member| &member.schema).collect()
}

fn request(entry: &Entry) -> Vec<MemberRow> {
    let in_path = entry.route.as_ref().map(|route| parameters(&route.path)).unwrap_or_default();
    let place = |name: &str| if in_path.contains(&name) { "path" } else { "body" };
    let members = forms::members(&entry.request).iter();
    members.map(|member| MemberRow::new(member, place(&member.name))).collect()
}

fn result(result: &Schema) -> String {
    if *result == Schema::Nothing { String::new() } else { form(result, None) }
}

fn scopes(scopes: &[String]) -> String {
    let spelled: Vec<String> = scopes.iter().map(|scope| names::code_in_table(scope)).collect();
    if spelled.is_empty() { "none".to_owned() } else { spelled.join(", ") }
}

fn identity(entry: &Entry) -> String {
    match &entry.identity {
        None => "all of the request is equal".to_owned(),
        Some(fields) => {
            let spelled: Vec<String> =
                fields.iter().map(|field| names::code_in_table(field)).collect();
            format!("equal: {}", spelled.join(", "))
        }
    }
}

fn approval(approval: UserApproval) -> &'static str {
    if approval == UserApproval::Required {
        return "the User's approval of the exact revision; a standing permission is not enough";
    }
    "the User's approval, or a standing permission unless the proposal says `user_approval_required`"
}

fn stop(can_stop: bool) -> &'static str {
    if can_stop {
        "a cancel asks the company's systems to stop; it may come too late"
    } else {
        "a cancel is recorded; what has begun runs to its end"
    }
}

fn recheck(rechecks: bool) -> &'static str {
    if rechecks {
        "the company looks again: if the terms no longer hold, a new revision is proposed"
    } else {
        "nothing is looked up again: the confirmed revision counts"
    }
}

fn recovery(reconcile: Reconcile) -> &'static str {
    if reconcile == Reconcile::Operator {
        return "If the company's program stops while the action is performed, the operation stays \
                `in_progress` until a person has found out what happened and settled it. The action is \
                not performed again.";
    }
    if reconcile == Reconcile::SameStore {
        return "The action and its final state are recorded together or not at all. If the company's \
                program stops before that, the operation ends as `failed`, or `cancelled` if a stop was \
                asked for, with nothing changed. The action is not performed again.";
    }
    "If the company's program stops while the action is performed, the operation stays `in_progress` \
     while the company asks its own systems what happened. Then it gets the state and the result that \
     are true. The action is not performed again."
}
