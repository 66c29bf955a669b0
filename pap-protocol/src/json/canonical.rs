//! One text per JSON value, and raw text with members left out.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use super::token::{Token, tokens};

/// The one text of a JSON value: members sorted by name, no whitespace, members that are `null` left
/// out, strings with the fewest escapes. Numbers keep their text, so that nothing depends on floats:
/// `1` and `1.0` are different.
///
/// For text that [`strict`](super::strict) has passed; what is not JSON comes back as it is.
///
/// # Examples
///
/// ```
/// use pap_protocol::json::canonical;
///
/// let request = r#"{ "size": "M", "order_id": "ord_7Hk2", "note": null }"#;
/// assert_eq!(canonical(request), r#"{"order_id":"ord_7Hk2","size":"M"}"#);
/// ```
pub fn canonical(text: &str) -> String {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return text.to_owned();
    }
    let mut root = Open::List(Vec::new());
    let mut around: Vec<Open> = Vec::new();
    for (_, token) in tokens(text) {
        match token {
            Token::ObjectStart => around.push(std::mem::replace(&mut root, Open::object())),
            Token::ListStart => around.push(std::mem::replace(&mut root, Open::List(Vec::new()))),
            Token::End => {
                let outer = around.pop().unwrap_or(Open::List(Vec::new()));
                let closed = std::mem::replace(&mut root, outer);
                root.take(closed.close());
            }
            Token::Name(name) => root.name(fewest_escapes(name)),
            Token::Text(text) => root.take(fewest_escapes(text)),
            Token::Literal(literal) => root.take(literal.to_owned()),
        }
    }
    match root {
        Open::List(mut values) => values.pop().unwrap_or_default(),
        Open::Object { .. } => String::new(),
    }
}

/// The object without the members whose name is not kept; every byte of the others stays as it is.
///
/// For text that [`strict`](super::strict) has passed; what is not an object comes back as it is.
///
/// # Examples
///
/// ```
/// use pap_protocol::json::project;
///
/// let terms = r#"{ "order_id": "ord_7Hk2", "hold": "hld_1" , "price": 1.50 }"#;
/// assert_eq!(project(terms, &|name| name != "hold"), r#"{ "order_id": "ord_7Hk2", "price": 1.50 }"#);
/// ```
pub fn project(raw: &str, keep: &dyn Fn(&str) -> bool) -> String {
    let members = members(raw).filter(|members| !members.is_empty());
    let (Some(members), Some(open), Some(close)) = (members, raw.find('{'), raw.rfind('}')) else {
        return raw.to_owned();
    };
    if members.iter().all(|(name, _)| keep(name)) {
        return raw.to_owned();
    }
    let kept = members.iter().filter(|(name, _)| keep(name)).map(|(_, text)| *text);
    let kept: Vec<&str> = kept.collect();
    let (before, after) = (raw.get(..=open), raw.get(close..));
    format!("{}{}{}", before.unwrap_or_default(), kept.join(","), after.unwrap_or_default())
}

/// An object or list that is still open.
enum Open {
    Object { name: String, members: BTreeMap<String, String> },
    List(Vec<String>),
}

impl Open {
    fn object() -> Self {
        Self::Object { name: String::new(), members: BTreeMap::new() }
    }

    fn name(&mut self, next: String) {
        if let Self::Object { name, .. } = self {
            *name = next;
        }
    }

    fn take(&mut self, value: String) {
        match self {
            Self::Object { name, members } if value == "null" => drop(members.remove(name)),
            Self::Object { name, members } => drop(members.insert(std::mem::take(name), value)),
            Self::List(values) => values.push(value),
        }
    }

    fn close(self) -> String {
        match self {
            Self::Object { members, .. } => {
                let members: Vec<_> =
                    members.into_iter().map(|(name, value)| format!("{name}:{value}")).collect();
                format!("{{{}}}", members.join(","))
            }
            Self::List(values) => format!("[{}]", values.join(",")),
        }
    }
}

/// A string in its quotes, with the escapes that JSON demands and no others.
fn fewest_escapes(quoted: &str) -> String {
    if !quoted.contains('\\') {
        return quoted.to_owned();
    }
    let said = serde_json::from_str::<String>(quoted);
    said.and_then(|said| serde_json::to_string(&said)).unwrap_or_else(|_| quoted.to_owned())
}

/// Each member of an object: its name, and its text from after one comma to before the next.
fn members(raw: &str) -> Option<Vec<(String, &str)>> {
    let is_object = raw.trim_start().starts_with('{');
    if !is_object || serde_json::from_str::<IgnoredAny>(raw).is_err() {
        return None;
    }
    let names = outer_names(raw);
    let mut members = Vec::with_capacity(names.len());
    let mut starts = raw.find('{')? + 1;
    for (index, (_, name)) in names.iter().enumerate() {
        // before the next name there is whitespace and, first from the right, the comma
        let ends = match names.get(index + 1) {
            Some((next, _)) => raw.get(..*next)?.rfind(',')?,
            None => raw.rfind('}')?,
        };
        members.push((serde_json::from_str(name).ok()?, raw.get(starts..ends)?));
        starts = ends + 1;
    }
    Some(members)
}

/// The names of the members of the outermost object, in their quotes, and where they begin.
fn outer_names(object: &str) -> Vec<(usize, &str)> {
    let mut depth = 0_usize;
    let mut names = Vec::new();
    for (at, token) in tokens(object) {
        match token {
            Token::ObjectStart | Token::ListStart => depth += 1,
            Token::End => depth = depth.saturating_sub(1),
            Token::Name(name) if depth == 1 => names.push((at, name)),
            Token::Name(_) | Token::Text(_) | Token::Literal(_) => {}
        }
    }
    names
}
