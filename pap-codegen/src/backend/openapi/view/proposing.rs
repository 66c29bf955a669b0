//! An endpoint that proposes instead of acting (section 4.1).

use std::collections::BTreeMap;

use openapiv3::{MediaType, Operation, ReferenceOr, RequestBody, Schema};
use pap_protocol::catalogue::{
    Entry, Member, Route, Schema as Form, UserApproval, WithoutExtension,
};
use serde_json::{Map, Value};

use super::super::super::answers::At;
use super::super::names;
use super::build::Object;
use super::endpoint::path_parameter;
use super::schemas::Schemas;
use super::{operation, responses};
use crate::codes::Code;
use crate::diagnostic::Problem;
use crate::forms;
use crate::load::parameters;

/// The proposing endpoint of an operation.
pub(super) fn operation(
    schemas: &mut Schemas,
    entry: &Entry,
    route: &Route,
    warnings: &mut Vec<Problem>,
) -> Operation {
    if [names::READ, names::CONFIRM, names::CANCEL].contains(&entry.tool.as_str()) {
        schemas.problems.push(id_taken(entry));
    }
    let proposed = proposed(schemas, entry);
    let description = "Proposed. Nothing happens until the operation is confirmed at the operations \
                       endpoint. If the action was proposed before, this is the same operation as it \
                       is now.";
    let body = body(schemas, entry, route);
    if body.is_some() && route.method == "DELETE" {
        warnings.push(no_body(entry));
    }
    let summary = match forms::first_sentence(&entry.doc) {
        "" => entry.action.clone(),
        sentence => sentence.to_owned(),
    };
    Operation {
        summary: Some(summary),
        description: Some(entry.doc.clone()).filter(|doc| !doc.is_empty()),
        operation_id: Some(entry.tool.clone()),
        parameters: in_path(schemas, entry, route),
        request_body: body,
        responses: responses::at(
            At::Propose,
            202,
            responses::json(description, proposed, &["Retry-After"]),
        ),
        extensions: [("x-pap-operation".to_owned(), facts(entry))].into(),
        ..Operation::default()
    }
}

/// The body of the good answer.
fn proposed(schemas: &mut Schemas, entry: &Entry) -> ReferenceOr<Schema> {
    let typed = add_schemas(schemas, entry);
    let answer = Object::new("What was proposed.").required("operation", typed).build();
    let name = format!("{}Proposed", names::of_action(&entry.action));
    schemas.claim(&name, &origin(entry), answer)
}

/// The schemas of an operation: its terms, its result, and the operation with these two.
pub(super) fn add_schemas(schemas: &mut Schemas, entry: &Entry) -> ReferenceOr<Schema> {
    let own = names::of_action(&entry.action);
    let origin = origin(entry);
    let terms = schemas.record(&entry.terms.record);
    let result = if entry.result == Form::Nothing {
        "OperationResult".to_owned()
    } else {
        let data = schemas.value(&entry.result);
        let name = format!("{own}Result");
        schemas.claim(&name, &origin, operation::result(Some(data)));
        name
    };
    let description = format!("An operation of the action `{}`.", entry.action);
    let typed = operation::operation(&description, terms, &result);
    schemas.claim(&format!("{own}Operation"), &origin, typed)
}

fn origin(entry: &Entry) -> String {
    format!("the operation `{}` ({})", entry.action, entry.origin)
}

fn in_path(
    schemas: &mut Schemas,
    entry: &Entry,
    route: &Route,
) -> Vec<ReferenceOr<openapiv3::Parameter>> {
    let members = forms::members(&entry.request);
    let named = |name: &str| members.iter().find(|member| member.name == name);
    parameters(&route.path)
        .into_iter()
        .filter_map(named)
        .map(|member| {
            let value = schemas.value(&member.schema);
            ReferenceOr::Item(path_parameter(&member.name, &member.doc, value))
        })
        .collect()
}

/// What is sent beside the path. A request that has nothing in its path, and is not the terms
/// themselves, keeps its own name.
fn body(schemas: &mut Schemas, entry: &Entry, route: &Route) -> Option<ReferenceOr<RequestBody>> {
    let Form::Record(record) = &entry.request else { return None };
    let in_path = parameters(&route.path);
    let rest: Vec<&Member> =
        record.members.iter().filter(|member| !in_path.contains(&member.name.as_str())).collect();
    if rest.is_empty() {
        return None;
    }
    let schema = if in_path.is_empty() && record.name != entry.terms.record.name {
        schemas.record(record)
    } else {
        let object = schemas.body(&record.doc, &rest).build();
        let name = format!("{}Body", names::of_action(&entry.action));
        schemas.claim(&name, &origin(entry), object)
    };
    let media = MediaType { schema: Some(schema), ..MediaType::default() };
    Some(ReferenceOr::Item(RequestBody {
        content: [("application/json".to_owned(), media)].into(),
        required: rest.iter().any(|member| !forms::may_be_absent(&member.schema)),
        ..RequestBody::default()
    }))
}

/// What an agent must know to tell proposing from acting, and to apply a standing permission; members
/// sorted, whatever `serde_json` does elsewhere.
fn facts(entry: &Entry) -> Value {
    let is_required = entry.user_approval == UserApproval::Required;
    let approval = if is_required { "required" } else { "optional" };
    let without = match entry.without_extension {
        WithoutExtension::Refuse => "refuse",
        _ => "other",
    };
    let facts: BTreeMap<&str, Value> = [
        ("action", entry.action.as_str().into()),
        ("expires_in", names::duration(entry.expires_in_s).into()),
        ("scopes", entry.scopes.clone().into()),
        ("summary", entry.terms.summary.as_str().into()),
        ("terms", names::schema_path(&entry.terms.record.name).into()),
        ("terms_version", entry.terms.version.into()),
        ("user_approval", approval.into()),
        ("version", names::extension().into()),
        ("without_extension", without.into()),
    ]
    .into();
    facts.into_iter().map(|(name, fact)| (name.to_owned(), fact)).collect::<Map<_, _>>().into()
}

fn id_taken(entry: &Entry) -> Problem {
    let message = format!("`{}` is the `operationId` of two endpoints", entry.tool);
    Problem::new(Code::NameCollision, message)
        .note(format!("one is of the operations endpoint, the other of `{}`", entry.origin))
        .help("give the operation another action name")
}

fn no_body(entry: &Entry) -> Problem {
    let message = format!("`{}` takes a body with DELETE", entry.action);
    Problem::new(Code::NoBody, message)
        .note("OpenAPI 3.0 has no body for DELETE, and some tools drop it")
        .help("use POST, or put every member of the request into the route")
        .as_warning()
}
