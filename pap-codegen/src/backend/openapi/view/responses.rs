//! What the endpoints answer when they refuse (section 9), each status with its codes and headers.

use openapiv3::{
    Header, HeaderStyle, MediaType, ParameterSchemaOrContent, ReferenceOr, Response, Responses,
    Schema, StatusCode,
};

use super::super::super::answers::{self, Answer, At};
use super::super::names;
use super::build::{self, Object, named, plain};
use super::schemas::{PROTOCOL, Schemas};

/// A proposing endpoint's no in the company's own words.
const NOT_OFFERED: &str = "NotOffered";

/// The responses that endpoints refer to, each with its schema. Sorted by name.
pub(super) fn add<Sorted>(schemas: &mut Schemas) -> Sorted
where
    Sorted: FromIterator<(String, ReferenceOr<Response>)>,
{
    let mut found = std::collections::BTreeMap::new();
    for place in [At::Propose, At::Read, At::Confirm, At::Cancel] {
        for status in statuses(place) {
            let codes: Vec<&Answer> =
                answers::at(place).filter(|answer| answer.status() == status).collect();
            let name = name(status, place);
            found.entry(name.to_owned()).or_insert_with(|| refusal(schemas, name, status, &codes));
        }
    }
    found.insert(NOT_OFFERED.to_owned(), not_offered(schemas));
    found.into_iter().map(|(name, response)| (name, ReferenceOr::Item(response))).collect()
}

/// The answers of an endpoint: the good one, then every refusal.
pub(super) fn at(place: At, status: u16, good: Response) -> Responses {
    let mut responses = Responses::default();
    responses.responses.insert(StatusCode::Code(status), ReferenceOr::Item(good));
    for status in statuses(place) {
        responses.responses.insert(StatusCode::Code(status), refer(name(status, place)));
    }
    if place == At::Propose {
        responses.responses.insert(StatusCode::Range(4), refer(NOT_OFFERED));
    }
    responses.responses.sort_by(|a, _, b, _| a.to_string().cmp(&b.to_string()));
    responses
}

/// An answer with a JSON body.
pub(super) fn json(description: &str, schema: ReferenceOr<Schema>, headers: &[&str]) -> Response {
    let media = MediaType { schema: Some(schema), ..MediaType::default() };
    Response {
        description: description.to_owned(),
        headers: headers
            .iter()
            .map(|name| {
                let reference = names::path("headers", &name.replace('-', ""));
                ((*name).to_owned(), ReferenceOr::Reference { reference })
            })
            .collect(),
        content: [("application/json".to_owned(), media)].into(),
        ..Response::default()
    }
}

/// The headers that answers refer to.
pub(super) fn headers<Sorted>() -> Sorted
where
    Sorted: FromIterator<(String, ReferenceOr<Header>)>,
{
    let nonce = "The nonce that the next proof must carry.";
    let retry = "Whole seconds after which to ask again. On an operation: while it is in progress.";
    let challenge = "The challenge of the scheme `DPoP`, with the error in `error` and what is needed \
                     in `scope` or `extension`.";
    [
        ("DPoPNonce", header(nonce, plain(""))),
        ("RetryAfter", header(retry, build::at_least(0, ""))),
        ("WWWAuthenticate", header(challenge, plain(""))),
    ]
    .into_iter()
    .map(|(name, header)| (name.to_owned(), ReferenceOr::Item(header)))
    .collect()
}

fn header(description: &str, schema: ReferenceOr<Schema>) -> Header {
    Header {
        description: Some(description.to_owned()),
        style: HeaderStyle::Simple,
        required: false,
        deprecated: None,
        format: ParameterSchemaOrContent::Schema(schema),
        example: None,
        examples: std::iter::empty().collect(),
        extensions: std::iter::empty().collect(),
    }
}

fn statuses(place: At) -> Vec<u16> {
    let mut statuses: Vec<u16> = answers::at(place).map(Answer::status).collect();
    statuses.dedup();
    statuses
}

fn name(status: u16, place: At) -> &'static str {
    match (status, place) {
        (400, At::Propose) => "ProposeInvalid",
        (400, _) => "InvalidRequest",
        (401, _) => "TokenRefused",
        (403, At::Propose) => "ProposeForbidden",
        (403, At::Confirm) => "ConfirmForbidden",
        (403, _) => "Forbidden",
        (404, _) => "OperationNotFound",
        (409, _) => "TermsChanged",
        (413, _) => "RequestTooLarge",
        (429, _) => "RateLimited",
        (500, _) => "InternalError",
        _ => "TemporarilyUnavailable",
    }
}

fn refusal(schemas: &mut Schemas, name: &str, status: u16, codes: &[&Answer]) -> Response {
    let lines: Vec<String> =
        codes.iter().map(|answer| format!("* `{}`: {}", answer.code(), answer.meaning)).collect();
    let description = lines.join("\n");
    let has = |code: &str| codes.iter().any(|answer| answer.code() == code);
    let mut object = Object::new("").required("error", error(schemas, name, codes));
    if has("invalid_request") || is_shared(name) {
        object = object.optional("message", plain("Why, in plain language."));
    }
    if has("insufficient_scope") {
        object =
            object.optional("scope", plain("The scopes that are needed, with spaces between."));
    }
    if has("extension_required") {
        object = object.optional("extension", plain("The extension that is needed: `operations`."));
    }
    if has("terms_changed") {
        object = object.required("operation", named("Operation"));
    }
    if has("user_approval_required") {
        object = object.optional("operation", named("Operation"));
    }
    let schema = schemas.claim(&schema_name(name), PROTOCOL, object.build());
    let headers: &[&str] = match status {
        401 => &["WWW-Authenticate", "DPoP-Nonce"],
        403 => &["WWW-Authenticate"],
        429 | 503 => &["Retry-After"],
        _ => &[],
    };
    json(&description, schema, headers)
}

/// `ForbiddenError` of `Forbidden`; `InternalError` says it already.
fn schema_name(response: &str) -> String {
    let stem = response.strip_suffix("Error").unwrap_or(response);
    format!("{stem}Error")
}

/// Whether the company's own codes come with this status too (`NotOffered` takes any from 400 to 499).
fn is_shared(name: &str) -> bool {
    ["ProposeInvalid", "ProposeForbidden"].contains(&name)
}

/// The `error` member: one word where it stands, several under a name; any word where the company's own
/// codes are among them.
fn error(schemas: &mut Schemas, name: &str, codes: &[&Answer]) -> ReferenceOr<Schema> {
    if is_shared(name) {
        let known: Vec<String> =
            codes.iter().map(|answer| format!("`{}`", answer.code())).collect();
        return plain(&format!("{}, or a code of the company's own.", known.join(", ")));
    }
    let words = build::text("", build::words(codes.iter().map(|answer| answer.code())));
    if codes.len() == 1 {
        return ReferenceOr::Item(words);
    }
    schemas.claim(&format!("{name}Code"), PROTOCOL, words)
}

fn not_offered(schemas: &mut Schemas) -> Response {
    let object = Object::new("The company does not offer this action.")
        .required("error", plain("The company's own code."))
        .optional("message", plain("Why, in plain language."))
        .build();
    let schema = schemas.claim("NotOfferedError", PROTOCOL, object);
    json("The company does not offer this action: nothing was proposed.", schema, &[])
}

fn refer(name: &str) -> ReferenceOr<Response> {
    ReferenceOr::Reference { reference: names::path("responses", name) }
}
