//! What one side lists about one extension.

use std::collections::BTreeMap;
use std::fmt::Formatter;

use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// What one side lists about one extension: its major version, and for a Company where it is.
///
/// Members that an extension of the Company's or of a third party adds are kept as they are.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ExtensionDescriptor {
    /// The major version: a whole number as text, such as `1`.
    pub version: String,
    /// Where the Company's endpoint is.
    pub endpoint: Option<String>,
    /// The resource that tokens must be issued for, if the Company restricts the endpoint.
    pub resource: Option<String>,
    /// Everything else, by name, as raw JSON text; also an `endpoint` or `resource` that is no string.
    pub others: BTreeMap<String, Box<RawValue>>,
}

impl ExtensionDescriptor {
    /// An entry with a version alone, as an agent lists it.
    pub fn new(version: impl Into<String>) -> Self {
        Self { version: version.into(), ..Self::default() }
    }

    /// With an endpoint.
    #[must_use]
    pub fn at(mut self, endpoint: impl Into<String>) -> Self {
        self.endpoint = Some(endpoint.into());
        self
    }

    /// Restricted to tokens that were issued for this resource.
    #[must_use]
    pub fn restricted_to(mut self, resource: impl Into<String>) -> Self {
        self.resource = Some(resource.into());
        self
    }
}

impl PartialEq for ExtensionDescriptor {
    fn eq(&self, other: &Self) -> bool {
        let others = |entry: &Self| -> Vec<(String, String)> {
            let others = entry.others.iter();
            others.map(|(name, value)| (name.clone(), value.get().to_owned())).collect()
        };
        self.version == other.version
            && self.endpoint == other.endpoint
            && self.resource == other.resource
            && others(self) == others(other)
    }
}

impl Eq for ExtensionDescriptor {}

impl Serialize for ExtensionDescriptor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("version", &self.version)?;
        if let Some(endpoint) = &self.endpoint {
            members.serialize_entry("endpoint", endpoint)?;
        }
        if let Some(resource) = &self.resource {
            members.serialize_entry("resource", resource)?;
        }
        for (name, value) in &self.others {
            members.serialize_entry(name, value)?;
        }
        members.end()
    }
}

impl<'de> Deserialize<'de> for ExtensionDescriptor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = ExtensionDescriptor;

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("the entry of an extension: an object with a `version`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut others: BTreeMap<String, Box<RawValue>> = BTreeMap::new();
        while let Some((name, value)) = members.next_entry()? {
            others.insert(name, value);
        }
        let version = take_text(&mut others, "version");
        Ok(ExtensionDescriptor {
            version: version.ok_or_else(|| A::Error::missing_field("version"))?,
            endpoint: take_text(&mut others, "endpoint"),
            resource: take_text(&mut others, "resource"),
            others,
        })
    }
}

/// Takes the member out if it is a string.
fn take_text(members: &mut BTreeMap<String, Box<RawValue>>, name: &str) -> Option<String> {
    let text = serde_json::from_str(members.get(name)?.get()).ok()?;
    members.remove(name);
    Some(text)
}

/// Reads an `extensions` map and leaves out every entry that is not one, whatever it is: what one side
/// does not understand changes nothing (extensions page).
pub(crate) fn entries<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, ExtensionDescriptor>, D::Error> {
    let map = Box::<RawValue>::deserialize(deserializer)?;
    let listed = serde_json::from_str::<BTreeMap<String, &RawValue>>(map.get()).unwrap_or_default();
    let read = |value: &RawValue| serde_json::from_str(value.get()).ok();
    Ok(listed.into_iter().filter_map(|(name, value)| Some((name, read(value)?))).collect())
}
