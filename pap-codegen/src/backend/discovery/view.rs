//! The excerpt of `poppy.json`.

use std::collections::BTreeMap;

use pap_protocol::discovery::operations_entry;
use pap_protocol::extensions::ExtensionDescriptor;
use pap_protocol::value::Url;

use super::super::Input;
use super::names;
use crate::diagnostic::Problem;

/// What a company merges into its `poppy.json`.
pub(super) type Excerpt = BTreeMap<&'static str, BTreeMap<&'static str, ExtensionDescriptor>>;

/// The entry that the company's program serves too: both come from one function.
pub(super) fn excerpt(input: &Input<'_>) -> Result<Excerpt, Problem> {
    let endpoint: Url = input.endpoint_url().parse().map_err(Problem::bug)?;
    let entry = operations_entry(&endpoint, input.endpoint.resource.as_deref());
    Ok([(names::EXTENSIONS, [(names::OPERATIONS, entry)].into())].into())
}
