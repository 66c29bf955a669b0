//! The protocol's own objects (section 3).

use openapiv3::{ReferenceOr, Schema, SchemaKind, Type};
use pap_protocol::operation::{ApprovedBy, State};

use super::build::{self, Object, format, named, pattern, plain, text, with, words};
use super::schemas::{PROTOCOL, Schemas};

/// Claims the names of the protocol's objects before a company's type can take one.
pub(super) fn add(schemas: &mut Schemas) {
    let terms = Object::new("The same terms as a JSON object; its keys are the company's.").open();
    let description = "An action that the company proposed, with the terms the User approves and, \
                       later, its result.";
    let operation = operation(description, ReferenceOr::Item(terms.build()), "OperationResult");
    for (name, schema) in [
        ("Operation", operation),
        ("OperationState", state()),
        ("OperationConfirmation", confirmation()),
        ("OperationResult", result(None)),
        ("ApprovedBy", approved_by()),
        ("ConfirmRequest", confirm_request()),
        ("Money", money()),
    ] {
        schemas.claim(name, PROTOCOL, schema);
    }
}

/// An operation with the given form of terms and result.
pub(super) fn operation(description: &str, terms: ReferenceOr<Schema>, result: &str) -> Schema {
    Object::new(description)
        .required("operation_id", identifier("Identifies the operation at this company."))
        .required("revision", revision("Which version of the terms this is."))
        .required("state", named("OperationState"))
        .required("summary", plain("The terms in plain language: the User decides from it alone."))
        .optional("terms", terms)
        .optional("expires_at", moment("The last time this revision can be confirmed."))
        .optional("user_approval_required", flag())
        .optional("url", page())
        .required("confirmation", named("OperationConfirmation"))
        .required("result", named(result))
        .build()
}

/// What happened, once the operation is final; null until then.
pub(super) fn result(data: Option<ReferenceOr<Schema>>) -> Schema {
    let summary = plain("What happened, with every change that was made.");
    let any = || {
        ReferenceOr::Item(build::schema(
            build::described(
                "Details, as the company defines \
                                   them.",
            ),
            SchemaKind::Any(openapiv3::AnySchema::default()),
        ))
    };
    Object::new("What happened; null until the operation is final.")
        .or_null()
        .required("summary", summary)
        .optional("data", data.unwrap_or_else(any))
        .build()
}

/// An operation's id, as it stands in a path.
pub(super) fn identifier(description: &str) -> ReferenceOr<Schema> {
    ReferenceOr::Item(text(description, pattern("^[A-Za-z0-9_-]{1,256}$")))
}

fn state() -> Schema {
    let description = "Where the operation is. `succeeded`, `failed`, `cancelled` and `expired` are \
                       final.";
    text(description, words(State::ALL.map(State::as_str)))
}

fn confirmation() -> Schema {
    Object::new(
        "Which revision was confirmed, how it was approved, and when; null until confirmed.",
    )
    .or_null()
    .required("revision", revision("The confirmed revision."))
    .required("approved_by", named("ApprovedBy"))
    .required("confirmed_at", moment("When it was confirmed."))
    .build()
}

fn approved_by() -> Schema {
    let description = "`user`: the Personal Agent showed the User this revision's terms, and the User \
                       approved them. `standing_permission`: a permission the User gave earlier \
                       covers these terms.";
    text(description, words(ApprovedBy::ALL.map(ApprovedBy::as_str)))
}

fn confirm_request() -> Schema {
    Object::new("The revision that was approved, and how.")
        .required("revision", revision("The revision that was approved."))
        .required("approved_by", named("ApprovedBy"))
        .build()
}

fn money() -> Schema {
    let amount = text("A decimal number.", pattern(r"^-?[0-9]+(\.[0-9]+)?$"));
    let currency = text("ISO 4217.", pattern("^[A-Z]{3}$"));
    Object::new("An amount of money.")
        .required("amount", ReferenceOr::Item(amount))
        .required("currency", ReferenceOr::Item(currency))
        .closed()
        .build()
}

fn revision(description: &str) -> ReferenceOr<Schema> {
    build::at_least(1, description)
}

fn moment(description: &str) -> ReferenceOr<Schema> {
    ReferenceOr::Item(text(description, format("date-time")))
}

fn page() -> ReferenceOr<Schema> {
    let description =
        "A page on the company's website that shows this operation in the same Session.";
    ReferenceOr::Item(text(description, format("uri")))
}

fn flag() -> ReferenceOr<Schema> {
    let mut data = build::described(
        "True if the company accepts only the User's approval of this revision, not an earlier \
         permission.",
    );
    data.default = Some(false.into());
    let flag = SchemaKind::Type(Type::Boolean(openapiv3::BooleanType::default()));
    with(ReferenceOr::Item(build::schema(openapiv3::SchemaData::default(), flag)), data)
}
