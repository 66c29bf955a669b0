//! The operations endpoint: read, confirm and cancel (sections 5 to 7).

use openapiv3::{
    MediaType, Operation, Parameter, ParameterData, ParameterSchemaOrContent, PathItem, PathStyle,
    ReferenceOr, RequestBody, Schema,
};

use super::super::super::Input;
use super::super::super::answers::At;
use super::super::names;
use super::build::named;
use super::{operation, responses};

/// The three paths, in the order of an operation's life.
pub(super) fn paths(input: &Input<'_>) -> Vec<(String, PathItem)> {
    let one = format!("{}/{{operation_id}}", input.endpoint.path);
    let resource = match &input.endpoint.resource {
        Some(resource) => format!(" The token must be issued for the resource `{resource}`."),
        None => String::new(),
    };
    let item = |operation: Operation| PathItem {
        parameters: vec![ReferenceOr::Item(identifier())],
        get: Some(operation),
        ..PathItem::default()
    };
    let post = |operation: Operation| PathItem {
        post: Some(operation),
        get: None,
        ..item(Operation::default())
    };
    vec![
        (one.clone(), item(read(&resource))),
        (format!("{one}/confirm"), post(confirm(&resource))),
        (format!("{one}/cancel"), post(cancel(&resource))),
    ]
}

fn read(resource: &str) -> Operation {
    let description = "The operation as it is. While it is in progress, the answer says after how many \
                       seconds to read again.";
    endpoint(At::Read, names::READ, "Read an operation", description, resource)
}

fn confirm(resource: &str) -> Operation {
    let description = "Confirms the revision that was approved; the company then performs the action, \
                       at most once however often this is repeated. In any other state than \
                       `proposed` the operation is returned as it is. If the answer does not arrive, \
                       confirm again or read the operation.";
    let media = MediaType { schema: Some(named("ConfirmRequest")), ..MediaType::default() };
    let body = RequestBody {
        content: [("application/json".to_owned(), media)].into(),
        required: true,
        ..RequestBody::default()
    };
    Operation {
        request_body: Some(ReferenceOr::Item(body)),
        ..endpoint(At::Confirm, names::CONFIRM, "Confirm an operation", description, resource)
    }
}

fn cancel(resource: &str) -> Operation {
    let description = "Declines a proposal, or asks the company to stop an operation in progress, which \
                       stays in progress until the company knows whether it was stopped. A final \
                       operation is returned as it is. No body is needed.";
    endpoint(At::Cancel, names::CANCEL, "Cancel an operation", description, resource)
}

fn endpoint(at: At, id: &str, summary: &str, description: &str, resource: &str) -> Operation {
    let good = responses::json("The operation as it is now.", named("Operation"), &["Retry-After"]);
    Operation {
        summary: Some(summary.to_owned()),
        description: Some(format!("{description}{resource}")),
        operation_id: Some(id.to_owned()),
        responses: responses::at(at, 200, good),
        ..Operation::default()
    }
}

fn identifier() -> Parameter {
    let description = "The id of the operation.";
    path_parameter("operation_id", description, operation::identifier(""))
}

/// A parameter in the path: always there.
pub(super) fn path_parameter(
    name: &str,
    description: &str,
    schema: ReferenceOr<Schema>,
) -> Parameter {
    Parameter::Path {
        parameter_data: ParameterData {
            name: name.to_owned(),
            description: Some(description.to_owned()).filter(|text| !text.is_empty()),
            required: true,
            deprecated: None,
            format: ParameterSchemaOrContent::Schema(schema),
            example: None,
            examples: std::iter::empty().collect(),
            explode: None,
            extensions: std::iter::empty().collect(),
        },
        style: PathStyle::Simple,
    }
}
