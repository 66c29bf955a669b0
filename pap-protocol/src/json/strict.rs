//! Whether a text is one JSON value that every reader understands in the same way.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::de::IgnoredAny;

use super::Refused;
use super::token::{Token, tokens};

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes a text may have.
    pub bytes_max: usize,
    /// How deep objects and lists may be nested. Decoding stops at 127 by itself.
    pub depth_max: usize,
}

impl Limits {
    /// At most that many bytes, nested at most 64 deep.
    pub fn bytes(bytes_max: usize) -> Self {
        Self { bytes_max, ..Self::default() }
    }
}

impl Default for Limits {
    /// 1 MiB, nested 64 deep.
    fn default() -> Self {
        Self { bytes_max: 1024 * 1024, depth_max: 64 }
    }
}

/// The text of a strict JSON document: UTF-8, one value of the JSON grammar (so no `NaN`), within the
/// limits, no object with two members of one name at any depth, no half of a surrogate pair.
///
/// No tree is built, no number is converted, and no nesting can exhaust the stack.
///
/// # Errors
///
/// [`Refused`] with what is wrong and where.
///
/// # Examples
///
/// ```
/// use pap_protocol::json::{Limits, strict};
///
/// assert!(strict(br#"{ "revision": 1 }"#, Limits::default()).is_ok());
/// // the same name twice, once escaped
/// assert!(strict(br#"{ "revision": 1, "r\u0065vision": 2 }"#, Limits::default()).is_err());
/// ```
pub fn strict(bytes: &[u8], limits: Limits) -> Result<&str, Refused> {
    if bytes.len() > limits.bytes_max {
        return Err(Refused::new(format!("it has more than {} bytes", limits.bytes_max)));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Refused::at_byte("it is not UTF-8", error.valid_up_to()))?;
    // the grammar is `serde_json`'s; ignoring a value neither recurses nor converts numbers
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| Refused::from_serde(&error, text))?;
    unambiguous(text, limits.depth_max)?;
    Ok(text)
}

/// Checks what the grammar allows and readers understand differently.
fn unambiguous(text: &str, depth_max: usize) -> Result<(), Refused> {
    // the names seen so far in every object that is open; a list has none
    let mut open: Vec<HashSet<Cow<'_, str>>> = Vec::new();
    for (at, token) in tokens(text) {
        match token {
            Token::ObjectStart | Token::ListStart if open.len() >= depth_max => {
                let problem = format!("it is nested more than {depth_max} deep");
                return Err(Refused::at_byte(problem, at));
            }
            Token::ObjectStart | Token::ListStart => open.push(HashSet::new()),
            Token::End => drop(open.pop()),
            Token::Name(name) => {
                let name = unescaped(name, at)?;
                if !open.last_mut().is_some_and(|names| names.insert(name)) {
                    return Err(Refused::at_byte("an object has two members of one name", at));
                }
            }
            Token::Text(text) => drop(unescaped(text, at)?),
            Token::Literal(_) => {}
        }
    }
    Ok(())
}

/// What a string in its quotes says.
fn unescaped(quoted: &str, at: usize) -> Result<Cow<'_, str>, Refused> {
    let inside = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inside {
        Some(inside) if !inside.contains('\\') => Ok(Cow::Borrowed(inside)),
        _ => serde_json::from_str(quoted)
            .map(Cow::Owned)
            .ok()
            .ok_or_else(|| Refused::at_byte("a string has half of a surrogate pair", at)),
    }
}
