//! The operations extension in both lists (section 2).

use std::collections::BTreeMap;

use super::{ExtensionDescriptor, negotiate_extensions};
use crate::operation::OperationId;
use crate::value::Url;

/// The name of the operations extension.
pub const OPERATIONS: &str = "operations";

/// Where a Company's operations are read, confirmed and cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationsEndpoint {
    /// The endpoint, without a slash at its end.
    pub endpoint: Url,
    /// The resource that the Session Token must be issued for, if the Company restricts the endpoint.
    pub resource: Option<String>,
}

impl OperationsEndpoint {
    /// Where the operation is read (section 6).
    pub fn operation(&self, id: &OperationId) -> String {
        format!("{}/{id}", self.endpoint)
    }

    /// Where the operation is confirmed (section 5.2).
    pub fn confirm(&self, id: &OperationId) -> String {
        format!("{}/{id}/confirm", self.endpoint)
    }

    /// Where the operation is cancelled (section 7).
    pub fn cancel(&self, id: &OperationId) -> String {
        format!("{}/{id}/cancel", self.endpoint)
    }
}

/// Whether the agent's client metadata lists operations in the version that this toolkit speaks: a
/// Company returns operations to no other agent (section 2).
pub fn lists_operations(agent: &BTreeMap<String, ExtensionDescriptor>) -> bool {
    negotiate_extensions(agent, agent).contains_key(OPERATIONS)
}

/// The operations endpoint, if both sides list operations and the Company's entry says where: an
/// absolute `https` address without query and fragment. Otherwise operations are not used.
pub fn operations_endpoint(
    company: &BTreeMap<String, ExtensionDescriptor>,
    agent: &BTreeMap<String, ExtensionDescriptor>,
) -> Option<OperationsEndpoint> {
    let negotiated = negotiate_extensions(company, agent);
    let entry = company.get(OPERATIONS).filter(|_| negotiated.contains_key(OPERATIONS))?;
    // a restriction that cannot be read cannot be met either
    if entry.others.contains_key("resource") {
        return None;
    }
    let endpoint = entry.endpoint.as_deref()?;
    if endpoint.contains(['?', '#']) {
        return None;
    }
    let endpoint = endpoint.trim_end_matches('/').parse().ok()?;
    Some(OperationsEndpoint { endpoint, resource: entry.resource.clone() })
}
