//! The `WWW-Authenticate` header.

use std::fmt::{Display, Formatter};

use super::ErrorCode;

/// How a token is presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scheme {
    /// With a proof of possession.
    Dpop,
    /// By itself; an MCP server can accept it.
    Bearer,
}

impl Display for Scheme {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Dpop => "DPoP",
            Self::Bearer => "Bearer",
        })
    }
}

/// One challenge for a `WWW-Authenticate` header: the scheme, the code, and further parameters in
/// quotes. Challenges of several schemes are joined by `, `.
///
/// Whatever a value holds, it stays inside its quotes and inside its header: quotes and backslashes are
/// escaped, and `?` stands for what no header can carry (controls, line breaks, other than ASCII).
///
/// # Examples
///
/// ```
/// use pap_protocol::refusal::{ErrorCode, Scheme, challenge};
///
/// let needed = [("scope", "orders:write")];
/// assert_eq!(
///     challenge(Scheme::Dpop, ErrorCode::InsufficientScope, &needed),
///     r#"DPoP error="insufficient_scope", scope="orders:write""#,
/// );
/// ```
pub fn challenge(scheme: Scheme, error: ErrorCode, parameters: &[(&'static str, &str)]) -> String {
    let mut header = format!("{scheme} error=\"{error}\"");
    for (name, value) in parameters {
        header.push_str(", ");
        header.push_str(name);
        header.push_str("=\"");
        header.extend(value.chars().flat_map(quoted));
        header.push('"');
    }
    header
}

fn quoted(char: char) -> impl Iterator<Item = char> {
    let escape = matches!(char, '"' | '\\').then_some('\\');
    let char = if matches!(char, ' '..='~') { char } else { '?' };
    escape.into_iter().chain([char])
}
