//! What a company finds an operation by, such as all operations of one order.

use std::borrow::Cow;

use crate::declaration::ReferencePart;
use crate::terms::{members, neutralised};

/// Longest reference in bytes.
pub(crate) const REFERENCE_MAX: usize = 200;

/// The reference of an operation that was asked for by this request, which its type wrote; `None` if the
/// request has no such value.
pub(crate) fn reference(parts: &[ReferencePart], request: &str) -> Option<String> {
    let members = members(request).ok()?;
    let value = |name: &str| {
        let (_, value) = members.iter().find(|(member, _)| member == name)?;
        one_value(value.get())
    };
    let parts: Option<Vec<Cow<'_, str>>> = parts
        .iter()
        .map(|part| match *part {
            ReferencePart::Text(text) => Some(Cow::Borrowed(text)),
            ReferencePart::Member(name) => value(name),
        })
        .collect();
    Some(as_kept(&parts?.concat()))
}

/// A text as references are kept, and looked for: on one line, and no longer than [`REFERENCE_MAX`]. Two that
/// differ only behind that are found together.
pub(crate) fn as_kept(text: &str) -> String {
    let mut kept = neutralised(text);
    while kept.len() > REFERENCE_MAX {
        kept.pop();
    }
    kept
}

/// The text of a string, and a number or `true` as it is written; nothing of what is not one value.
fn one_value(json: &str) -> Option<Cow<'_, str>> {
    if json.starts_with('"') {
        return serde_json::from_str::<String>(json).ok().map(Cow::Owned);
    }
    (!json.starts_with(['{', '[']) && json != "null").then_some(Cow::Borrowed(json))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: &[ReferencePart] =
        &[ReferencePart::Text("order:"), ReferencePart::Member("order_id")];

    #[test]
    fn a_reference_is_text_and_values_of_the_request() {
        let of = |request: &str| reference(PARTS, request);
        assert_eq!(of(r#"{"item":1,"order_id":"ord_7Hk2"}"#).unwrap(), "order:ord_7Hk2");
        assert_eq!(of(r#"{"order_id":7}"#).unwrap(), "order:7");
        assert_eq!(of(r#"{"order_id":"a\u0000b\u202e\nc"}"#).unwrap(), "order:a b c");
        for none in
            [r#"{"order_id":null}"#, r#"{"order_id":["a"]}"#, r#"{"order_id":{}}"#, "{}", ""]
        {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn a_reference_is_bounded_and_found_by_the_text_it_was_made_of() {
        let long = "é".repeat(REFERENCE_MAX);
        let kept = reference(PARTS, &format!(r#"{{"order_id":"{long}"}}"#)).unwrap();
        assert!(kept.len() <= REFERENCE_MAX && kept.starts_with("order:éé"));
        assert_eq!(as_kept(&format!("order:{long}")), kept);
        assert_eq!(as_kept(&kept), kept);
    }
}
