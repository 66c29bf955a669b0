//! The excerpt of `poppy.json`, member by member.

use serde::Serialize;

use super::super::Input;
use super::names;

/// What a company merges into its `poppy.json`.
#[derive(Debug, Serialize)]
pub(super) struct Excerpt {
    extensions: Extensions,
}

#[derive(Debug, Serialize)]
struct Extensions {
    operations: Operations,
}

#[derive(Debug, Serialize)]
struct Operations {
    version: &'static str,
    endpoint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<String>,
}

impl Excerpt {
    pub(super) fn new(input: &Input<'_>) -> Self {
        let operations = Operations {
            version: names::VERSION,
            endpoint: input.endpoint_url(),
            resource: input.endpoint.resource.clone(),
        };
        Self { extensions: Extensions { operations } }
    }
}
