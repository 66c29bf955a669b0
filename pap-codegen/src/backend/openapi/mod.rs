//! An OpenAPI 3.0.3 document: the proposing endpoints (section 4.1) and the operations endpoint.
//!
//! Schemas keep to what 3.0 and 3.1 have in common, so that a 3.1 document can be made from the same
//! parts: named objects, one `type` each, optional members that are left out and never null, no
//! siblings of `$ref`. Terms are closed. Choices are a named `oneOf` with the discriminator `kind`.

mod names;
mod view;

use super::{Backend, Fact, Input};
use crate::diagnostic::Problem;
use crate::output::File;

/// The target `openapi`.
#[derive(Debug)]
pub(super) struct OpenApi;

impl Backend for OpenApi {
    fn name(&self) -> &'static str {
        "openapi"
    }

    fn purpose(&self) -> &'static str {
        "OpenAPI 3.0.3 of the proposing endpoints and the operations endpoint"
    }

    fn default_path(&self) -> &'static str {
        names::FILE
    }

    fn keys(&self) -> &'static [&'static str] {
        &["version"]
    }

    fn supports(&self) -> &'static [Fact] {
        &[
            Fact::Endpoint,
            Fact::Routes,
            Fact::Requests,
            Fact::Terms,
            Fact::Roles,
            Fact::Summaries,
            Fact::Results,
            Fact::Scopes,
            Fact::Lifetimes,
            Fact::Approvals,
        ]
    }

    fn files(
        &self,
        input: &Input<'_>,
        warnings: &mut Vec<Problem>,
    ) -> Result<Vec<File>, Vec<Problem>> {
        let document = view::document(input, warnings)?;
        let text = serde_json::to_string_pretty(&document).map_err(|e| vec![Problem::bug(e)])?;
        Ok(vec![File::new(&input.target.path, &text)])
    }
}
