//! References such as `order:{order_id}`: what a company finds an operation by.

use super::Misspelled;

/// The most characters that a reference may have beside its members' values.
pub const MAX_REFERENCE_TEXT: usize = 64;

const EXAMPLE: &str = "write a name and a member of the request: `\"order:{order_id}\"`";

/// One part of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a part is one of these two")]
pub enum ReferencePart {
    /// This text.
    Text(String),
    /// The value of the request's member of this name.
    Member(String),
}

/// Reads a reference.
///
/// # Errors
///
/// If its braces are not right, it names no member, or it has other signs than identifiers have.
pub fn reference(text: &str) -> Result<Vec<ReferencePart>, Misspelled> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('{') {
        let Some((name, after)) = from.split_once('}') else {
            return Err(Misspelled::new("the reference has a `{` that is never closed", EXAMPLE));
        };
        parts.extend(plain(before)?);
        parts.push(member(name)?);
        rest = after;
    }
    parts.extend(plain(rest)?);
    let length = |part: &ReferencePart| match part {
        ReferencePart::Text(text) => text.chars().count(),
        ReferencePart::Member(_) => 0,
    };
    if !parts.iter().any(|part| matches!(part, ReferencePart::Member(_))) {
        let message = "the reference names no member, so all operations would have the same";
        return Err(Misspelled::new(message, EXAMPLE));
    }
    if parts.iter().map(length).sum::<usize>() > MAX_REFERENCE_TEXT {
        let message = format!(
            "the reference has more than {MAX_REFERENCE_TEXT} characters beside its values"
        );
        return Err(Misspelled::new(message, EXAMPLE));
    }
    Ok(parts)
}

fn plain(text: &str) -> Result<Option<ReferencePart>, Misspelled> {
    let legal = |c: char| c.is_ascii_alphanumeric() || "-._~:/#@+".contains(c);
    if let Some(c) = text.chars().find(|c| !legal(*c)) {
        let message = format!("the reference has `{}` in it", c.escape_debug());
        return Err(Misspelled::new(message, "write letters, digits and `-._~:/#@+`"));
    }
    Ok((!text.is_empty()).then(|| ReferencePart::Text(text.to_owned())))
}

fn member(name: &str) -> Result<ReferencePart, Misspelled> {
    let legal = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(legal) {
        return Ok(ReferencePart::Member(name.to_owned()));
    }
    Err(Misspelled::new(format!("`{{{name}}}` in the reference is no member's name"), EXAMPLE))
}
