//! Which extensions a Company and a Personal Agent use with each other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What one side lists about one extension: its version, and for a Company where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExtensionDescriptor {
    /// The major version, such as `1`.
    pub version: String,
    /// Where the Company's endpoint is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    /// The resource that tokens must be issued for, if the Company restricts the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
}

impl ExtensionDescriptor {
    /// An entry with a version alone.
    pub fn new(version: impl Into<String>) -> Self {
        Self { version: version.into(), endpoint: None, resource: None }
    }
}

/// Whether an agent's client metadata lists operations in the version that this toolkit speaks.
pub fn lists_operations(agent: &BTreeMap<String, ExtensionDescriptor>) -> bool {
    agent.get("operations").is_some_and(|entry| entry.version == "1")
}
