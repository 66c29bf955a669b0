//! What both sides list.

use std::collections::BTreeMap;

use super::{ExtensionDescriptor, ExtensionName};

/// The extensions that this toolkit speaks, each with its version.
pub const SUPPORTED_EXTENSIONS: [(&str, &str); 1] = [("operations", "1")];

/// The extensions that a Company and an agent use with each other, each with its version: both list
/// it, at the same major version, and this toolkit supports that version.
///
/// Whatever else is listed is ignored. The two sides can be swapped.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
///
/// use pap_protocol::extensions::{ExtensionDescriptor, negotiate_extensions};
///
/// let operations = ExtensionDescriptor::new("1").at("https://api.example.com/poppy/operations");
/// let company = BTreeMap::from([
///     ("operations".to_owned(), operations),
///     ("example.com/gift-wrap".to_owned(), ExtensionDescriptor::new("2")),
/// ]);
/// let agent = BTreeMap::from([("operations".to_owned(), ExtensionDescriptor::new("1"))]);
///
/// let negotiated = negotiate_extensions(&company, &agent);
/// assert_eq!(negotiated, BTreeMap::from([("operations".to_owned(), "1".to_owned())]));
/// ```
pub fn negotiate_extensions(
    company: &BTreeMap<String, ExtensionDescriptor>,
    agent: &BTreeMap<String, ExtensionDescriptor>,
) -> BTreeMap<String, String> {
    negotiate_with(company, agent, &SUPPORTED_EXTENSIONS)
}

/// As [`negotiate_extensions`], for a host that supports other extensions too, such as a third party's
/// that it implements itself.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
///
/// use pap_protocol::extensions::{ExtensionDescriptor, SUPPORTED_EXTENSIONS, negotiate_with};
///
/// let gift_wrap = "example.com/gift-wrap";
/// let both = BTreeMap::from([(gift_wrap.to_owned(), ExtensionDescriptor::new("2"))]);
/// let supported = [SUPPORTED_EXTENSIONS.as_slice(), &[(gift_wrap, "2")]].concat();
///
/// assert_eq!(negotiate_with(&both, &both, &supported).len(), 1);
/// ```
pub fn negotiate_with(
    company: &BTreeMap<String, ExtensionDescriptor>,
    agent: &BTreeMap<String, ExtensionDescriptor>,
    supported: &[(&str, &str)],
) -> BTreeMap<String, String> {
    let both = supported.iter().filter(|(name, version)| {
        let listed = |side: &BTreeMap<String, ExtensionDescriptor>| {
            side.get(*name).is_some_and(|entry| entry.version == *version)
        };
        ExtensionName::of(name) != ExtensionName::Invalid
            && is_version(version)
            && listed(company)
            && listed(agent)
    });
    both.map(|(name, version)| ((*name).to_owned(), (*version).to_owned())).collect()
}

/// A major version: `0`, or digits that do not begin with `0`.
fn is_version(version: &str) -> bool {
    version == "0"
        || (!version.is_empty()
            && !version.starts_with('0')
            && version.bytes().all(|byte| byte.is_ascii_digit()))
}
