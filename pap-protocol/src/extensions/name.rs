//! Whose extension a name means.

use crate::value::is_domain;

/// Whose extension a name means (extensions page).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExtensionName<'a> {
    /// A plain name: the protocol defines it.
    Protocol,
    /// A name that begins with a domain, which its author controls.
    ThirdParty {
        /// The domain.
        domain: &'a str,
    },
    /// Neither; ignored.
    Invalid,
}

impl<'a> ExtensionName<'a> {
    /// Classifies a name by its form alone.
    ///
    /// # Examples
    ///
    /// ```
    /// use pap_protocol::extensions::ExtensionName;
    ///
    /// assert_eq!(ExtensionName::of("operations"), ExtensionName::Protocol);
    /// let third_party = ExtensionName::ThirdParty { domain: "example.com" };
    /// assert_eq!(ExtensionName::of("example.com/gift-wrap"), third_party);
    /// assert_eq!(ExtensionName::of("localhost/gift-wrap"), ExtensionName::Invalid);
    /// ```
    pub fn of(name: &'a str) -> Self {
        match name.split_once('/') {
            None if is_plain(name) => Self::Protocol,
            Some((domain, own)) if is_domain(domain) && own.split('/').all(is_segment) => {
                Self::ThirdParty { domain }
            }
            None | Some(_) => Self::Invalid,
        }
    }
}

/// Such as `operations` or `gift-wrap`.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// Such as `gift-wrap` or `v2.1`.
fn is_segment(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
