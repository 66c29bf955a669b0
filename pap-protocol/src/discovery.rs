//! A Company's discovery document, `/.well-known/poppy.json`, as far as operations need it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::extensions::{ExtensionDescriptor, SUPPORTED_EXTENSIONS, entries};
use crate::json::{Limits, OnlyObject, Refused, decode, object_if_there, only_object, strict};
use crate::value::Url;

/// The version of the base protocol that this toolkit reads and writes.
pub const PROTOCOL_VERSION: &str = "0.2";

/// What an agent needs of a Company's discovery document. Members that are not known are ignored, and
/// so is an extension's entry that is not one.
///
/// # Examples
///
/// ```
/// use pap_protocol::discovery::Discovery;
///
/// let document = br#"{
///   "protocol_version": "0.2",
///   "organization": { "name": "Example Outfitters", "domain": "example.com" },
///   "auth": { "issuer": "https://api.example.com" },
///   "extensions": { "operations": { "version": "1" }, "example.com/gift-wrap": ["unknown"] }
/// }"#;
/// let discovery = Discovery::from_json(document)?;
/// assert_eq!(discovery.organization.name, "Example Outfitters");
/// assert_eq!(discovery.extensions.len(), 1);
/// # Ok::<(), pap_protocol::json::Refused>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Discovery {
    /// The version of the base protocol; an agent uses [`PROTOCOL_VERSION`] and no other.
    pub protocol_version: String,
    /// Who the Company is.
    #[serde(deserialize_with = "only_object")]
    pub organization: Organization,
    /// Who issues its tokens.
    #[serde(
        default,
        deserialize_with = "object_if_there",
        skip_serializing_if = "Option::is_none"
    )]
    pub auth: Option<Auth>,
    /// The extensions it supports.
    #[serde(default, deserialize_with = "entries", skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: BTreeMap<String, ExtensionDescriptor>,
}

/// Who a Company is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Organization {
    /// The name that an agent shows the User with every summary (section 5.1).
    pub name: String,
    /// The domain that serves the document.
    pub domain: String,
}

/// Who issues a Company's tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Auth {
    /// The issuer, compared character for character.
    pub issuer: String,
}

impl Discovery {
    /// The most bytes that an agent reads.
    pub const BYTES_MAX: usize = 100 * 1024;

    /// Reads a discovery document.
    ///
    /// # Errors
    ///
    /// [`Refused`] if it is not strict JSON of at most [`Discovery::BYTES_MAX`] bytes, or does not say
    /// who the Company is.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Refused> {
        let text = strict(bytes, Limits::bytes(Self::BYTES_MAX))?;
        let OnlyObject(discovery) = decode::<OnlyObject<Self>>(text)?;
        if discovery.organization.name.trim().is_empty() {
            return Err(Refused::new("`organization.name` is empty"));
        }
        Ok(discovery)
    }
}

/// The entry of the operations extension in a Company's discovery document (section 2).
///
/// # Examples
///
/// ```
/// use pap_protocol::discovery::operations_entry;
///
/// let entry = operations_entry(&"https://api.example.com/poppy/operations".parse()?, None);
/// let written = serde_json::to_string(&entry)?;
/// assert_eq!(written, r#"{"version":"1","endpoint":"https://api.example.com/poppy/operations"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn operations_entry(endpoint: &Url, resource: Option<&str>) -> ExtensionDescriptor {
    let [(_, version)] = SUPPORTED_EXTENSIONS;
    let entry = ExtensionDescriptor::new(version).at(endpoint.as_str());
    match resource {
        Some(resource) => entry.restricted_to(resource),
        None => entry,
    }
}
