//! A Personal Agent's client metadata document, as far as operations need it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::extensions::{ExtensionDescriptor, SUPPORTED_EXTENSIONS, entries};
use crate::json::{Limits, OnlyObject, Refused, decode, strict};
use crate::value::Url;

/// What a Company needs of an agent's client metadata document. Members that are not known are
/// ignored, and so is an extension's entry that is not one.
///
/// # Examples
///
/// ```
/// use pap_protocol::client_metadata::ClientMetadata;
/// use pap_protocol::extensions::lists_operations;
///
/// let document = br#"{
///   "client_id": "https://agent.example/client.json",
///   "client_name": "Juniper",
///   "extensions": { "operations": { "version": "1" } }
/// }"#;
/// let agent = ClientMetadata::from_json(document)?;
/// assert!(lists_operations(&agent.extensions));
/// # Ok::<(), pap_protocol::json::Refused>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClientMetadata {
    /// The address of this document; whoever fetched it compares the two.
    pub client_id: Url,
    /// The agent's name.
    pub client_name: String,
    /// The extensions it supports.
    #[serde(default, deserialize_with = "entries", skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: BTreeMap<String, ExtensionDescriptor>,
}

impl ClientMetadata {
    /// The most bytes that a Company reads.
    pub const BYTES_MAX: usize = 100 * 1024;

    /// Reads a client metadata document.
    ///
    /// # Errors
    ///
    /// [`Refused`] if it is not strict JSON of at most [`ClientMetadata::BYTES_MAX`] bytes, or does not
    /// name the agent.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Refused> {
        let text = strict(bytes, Limits::bytes(Self::BYTES_MAX))?;
        let OnlyObject(metadata) = decode::<OnlyObject<Self>>(text)?;
        if metadata.client_id.as_str().contains('#') {
            return Err(Refused::new("`client_id` has a fragment"));
        }
        if metadata.client_name.trim().is_empty() {
            return Err(Refused::new("`client_name` is empty"));
        }
        Ok(metadata)
    }
}

/// The entry of the operations extension in an agent's client metadata document (section 2).
///
/// # Examples
///
/// ```
/// use pap_protocol::client_metadata::operations_entry;
///
/// assert_eq!(serde_json::to_string(&operations_entry())?, r#"{"version":"1"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn operations_entry() -> ExtensionDescriptor {
    let [(_, version)] = SUPPORTED_EXTENSIONS;
    ExtensionDescriptor::new(version)
}
