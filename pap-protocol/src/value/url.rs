//! An address on the web.
//!
//! The check is our own, and small: the `url` crate repairs what must be refused here (backslashes, line
//! breaks, `https:x`), and its tables of all scripts would be in every company's build for hosts that are
//! ASCII. A test holds that both see the same host in whatever is accepted.

use std::fmt::{Display, Formatter};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use super::NotAValue;
use crate::text::wire_string;

/// An absolute `https` address without user info, kept as it was written.
///
/// Stricter than what browsers repair: RFC 3986 characters only, a host of ASCII letters, digits and
/// hyphens (or an IP address in its one usual notation), a port that exists. So every reader sees the
/// same host in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url(String);

impl Url {
    /// The address as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host as written, without port; an IPv6 address in its brackets.
    pub fn host(&self) -> &str {
        parts(&self.0).map_or("", |parts| parts.host)
    }
}

impl AsRef<str> for Url {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Display for Url {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Url {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let parts = parts(text).filter(|parts| {
            is_host(parts.host)
                && parts.port.is_none_or(is_port)
                && is_path_and_query(parts.path_and_query)
                && parts.fragment.is_none_or(is_path_and_query)
        });
        parts.map(|_| Self(text.to_owned())).ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "an absolute `https` address, such as `https://example.com/orders`";

wire_string!(Url, EXPECTED);

struct Parts<'a> {
    host: &'a str,
    port: Option<&'a str>,
    path_and_query: &'a str,
    fragment: Option<&'a str>,
}

fn parts(text: &str) -> Option<Parts<'_>> {
    let (scheme, rest) = text.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    let (authority, after) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (path_and_query, fragment) = match after.split_once('#') {
        Some((before, fragment)) => (before, Some(fragment)),
        None => (after, None),
    };
    let host_ends = if authority.starts_with('[') {
        authority.find(']')? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, port) = authority.split_at(host_ends);
    let port = match port {
        "" => None,
        _ => Some(port.strip_prefix(':')?),
    };
    Some(Parts { host, port, path_and_query, fragment })
}

fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    host.parse::<Ipv4Addr>().is_ok() || is_name(host.strip_suffix('.').unwrap_or(host))
}

/// A name of at least two labels, which somebody can control.
pub(crate) fn is_domain(text: &str) -> bool {
    text.contains('.') && is_name(text)
}

fn is_name(host: &str) -> bool {
    // a host that ends in a number is an address, and readers differ about `1.2`, `0x7f.1` and `010.1`
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_address = last.starts_with(|first: char| first.is_ascii_digit());
    !is_address && host.len() <= 253 && host.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=63).contains(&label.len())
        && label.bytes().all(allowed)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

fn is_port(port: &str) -> bool {
    port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0)
}

/// The characters of RFC 3986 for paths, queries and fragments, with whole percent escapes.
fn is_path_and_query(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte);
    let mut pieces = text.split('%');
    pieces.next().is_none_or(|first| first.bytes().all(allowed))
        && pieces.all(|piece| {
            let escape = piece.as_bytes().first_chunk::<2>();
            escape.is_some_and(|escape| escape.iter().all(u8::is_ascii_hexdigit))
                && piece.bytes().all(allowed)
        })
}
