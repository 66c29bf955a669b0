//! The document, part by part.

mod build;
mod endpoint;
mod operation;
mod proposing;
mod responses;
mod schemas;

use std::collections::BTreeMap;

use openapiv3::{Components, Info, OpenAPI, PathItem, Paths, ReferenceOr, SecurityScheme, Server};
use serde_json::Value;

use super::super::Input;
use super::names;
use crate::codes::Code;
use crate::diagnostic::Problem;
use crate::load::without_names;
use schemas::Schemas;

/// The OpenAPI document of a company's operations.
pub(super) fn document(
    input: &Input<'_>,
    warnings: &mut Vec<Problem>,
) -> Result<OpenAPI, Vec<Problem>> {
    let mut schemas = Schemas::new(input.operations);
    operation::add(&mut schemas);
    let responses = responses::add(&mut schemas);
    let mut paths = Paths::default();
    let protocol = endpoint::paths(input);
    for entry in input.operations {
        let Some(route) = &entry.route else {
            proposing::add_schemas(&mut schemas, entry);
            continue;
        };
        let shape = without_names(&route.path);
        if protocol.iter().any(|(path, _)| without_names(path) == shape) {
            schemas.problems.push(route_taken(entry, &route.path));
        }
        let operation = proposing::operation(&mut schemas, entry, route, warnings);
        let item = paths.paths.entry(route.path.clone());
        if let ReferenceOr::Item(item) = item.or_insert(ReferenceOr::Item(PathItem::default())) {
            set(item, &route.method, operation);
        }
    }
    for (path, item) in protocol {
        paths.paths.insert(path, ReferenceOr::Item(item));
    }
    let (schemas, problems) = schemas.finish();
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut document = OpenAPI {
        openapi: names::OPENAPI.to_owned(),
        info: info(input),
        servers: vec![Server { url: input.company.origin.clone(), ..Server::default() }],
        paths,
        components: Some(Components {
            schemas,
            responses,
            headers: responses::headers(),
            security_schemes: [(names::DPOP.to_owned(), ReferenceOr::Item(dpop()))].into(),
            ..Components::default()
        }),
        ..OpenAPI::default()
    };
    document.security = Some(vec![[(names::DPOP.to_owned(), Vec::new())].into()]);
    Ok(document)
}

fn info(input: &Input<'_>) -> Info {
    let version = input.target.settings.get("version");
    Info {
        title: format!("{}: operations", input.company.name),
        description: Some(
            "Actions that are proposed first and performed once they are confirmed, by version 1 of \
             the `operations` extension of the Personal Agent Protocol. An endpoint with \
             `x-pap-operation` proposes: its answer is 202 and an operation, and nothing has happened \
             yet."
                .to_owned(),
        ),
        version: version.cloned().unwrap_or_else(|| "1".to_owned()),
        ..Info::default()
    }
}

fn dpop() -> SecurityScheme {
    SecurityScheme::HTTP {
        scheme: "dpop".to_owned(),
        bearer_format: None,
        description: Some(
            "A Session Token with a DPoP proof (RFC 9449): `Authorization: DPoP <token>` and \
             `DPoP: <proof>`."
                .to_owned(),
        ),
        extensions: BTreeMap::<String, Value>::new().into_iter().collect(),
    }
}

fn set(item: &mut PathItem, method: &str, operation: openapiv3::Operation) {
    let place = match method {
        "PUT" => &mut item.put,
        "PATCH" => &mut item.patch,
        "DELETE" => &mut item.delete,
        _ => &mut item.post,
    };
    *place = Some(operation);
}

fn route_taken(entry: &pap_protocol::catalogue::Entry, path: &str) -> Problem {
    let message = format!("`{path}` of `{}` is inside the operations endpoint", entry.action);
    Problem::new(Code::RouteTaken, message)
        .note("the operations endpoint reads, confirms and cancels there")
        .help("give the operation another route, or change `endpoint` in `pap.toml`")
}
