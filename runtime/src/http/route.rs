//! Which requests are ours: exact routes, nothing by prefix alone.

use std::sync::Arc;

use axum::http::{HeaderMap, Method, header};

use crate::action::Action;
use crate::declaration::Segment;
use crate::engine::Engine;

/// What a path under the operations endpoint names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// An operation, and what to do with it. The id is as written, not yet checked.
    Operation { id: String, target: Target },
    /// Nothing that exists.
    Unknown,
}

/// What to do with an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Read,
    Confirm,
    Cancel,
}

impl Target {
    pub(super) fn method(self) -> Method {
        match self {
            Self::Read => Method::GET,
            Self::Confirm | Self::Cancel => Method::POST,
        }
    }
}

/// What this path names, if it is the operations endpoint or under it.
pub(super) fn endpoint(path: &str, endpoint: &str) -> Option<Endpoint> {
    let rest = path.strip_prefix(endpoint)?;
    if rest.is_empty() {
        return Some(Endpoint::Unknown);
    }
    let rest = rest.strip_prefix('/')?;
    let (id, target) = match rest.split_once('/') {
        None => (rest, Target::Read),
        Some((id, "confirm")) => (id, Target::Confirm),
        Some((id, "cancel")) => (id, Target::Cancel),
        Some(_) => return Some(Endpoint::Unknown),
    };
    if id.is_empty() {
        return Some(Endpoint::Unknown);
    }
    Some(Endpoint::Operation { id: id.to_owned(), target })
}

/// Whether the caller comes with a Session Token, and is therefore an agent.
pub(super) fn has_dpop(headers: &HeaderMap) -> bool {
    headers.get_all(header::AUTHORIZATION).iter().any(|value| {
        let scheme = value.as_bytes().split(|byte| *byte == b' ').next().unwrap_or_default();
        scheme.eq_ignore_ascii_case(b"DPoP")
    })
}

/// Path parameters by name, as written.
pub(super) type Parameters = Vec<(String, String)>;

/// The declared operation that this request would perform, with its path parameters.
pub(super) fn proposing<'a>(
    engine: &'a Engine,
    method: &Method,
    path: &str,
) -> Option<(&'a Arc<dyn Action>, Parameters)> {
    let matching = |action: &'a Arc<dyn Action>| {
        let route = action.declaration().route?;
        if route.method != method.as_str() {
            return None;
        }
        let fixed = route.segments.iter().filter(|s| matches!(s, Segment::Fixed(_))).count();
        Some((fixed, action, parameters(route.segments, path)?))
    };
    // `/orders/latest/exchanges` is meant before `/orders/{order_id}/exchanges`
    let best = engine.actions.values().filter_map(matching).max_by_key(|(fixed, ..)| *fixed)?;
    Some((best.1, best.2))
}

/// The parameters of a path that fits the template: each one non-empty segment. Whether it can be decoded
/// is no question of the route: a request that is ours is refused, never handed on to be performed.
fn parameters(segments: &[Segment], path: &str) -> Option<Parameters> {
    let written: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
    if written.len() != segments.len() {
        return None;
    }
    let mut parameters = Vec::new();
    for (segment, written) in segments.iter().zip(written) {
        match segment {
            Segment::Fixed(text) if *text == written => {}
            Segment::Fixed(_) => return None,
            Segment::Parameter(_) if written.is_empty() => return None,
            Segment::Parameter(name) => parameters.push(((*name).to_owned(), written.to_owned())),
        }
    }
    Some(parameters)
}

/// Percent-decoding; `None` if it is malformed or not UTF-8.
pub(super) fn decoded(segment: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(segment.len());
    let mut rest = segment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_escapes_of_utf_8_are_decoded() {
        assert_eq!(decoded("a%2Fb%C3%A9.x").as_deref(), Some("a/bé.x"));
        for no in ["%", "%2", "%zz", "%FF", "%+1", "x%C3"] {
            assert_eq!(decoded(no), None, "{no}");
        }
    }

    #[track_caller]
    fn check(path: &str, expected: Option<&Endpoint>) {
        assert_eq!(endpoint(path, "/poppy/operations").as_ref(), expected, "{path}");
    }

    fn operation(id: &str, target: Target) -> Endpoint {
        Endpoint::Operation { id: id.to_owned(), target }
    }

    #[test]
    fn routes_of_the_endpoint_are_exact() {
        check("/poppy/operations/exc_5Rt2", Some(&operation("exc_5Rt2", Target::Read)));
        check("/poppy/operations/exc_5Rt2/confirm", Some(&operation("exc_5Rt2", Target::Confirm)));
        check("/poppy/operations/exc_5Rt2/cancel", Some(&operation("exc_5Rt2", Target::Cancel)));
        check("/poppy/operations/a%2Fb", Some(&operation("a%2Fb", Target::Read)));
        for unknown in ["", "/", "/x/", "/x/confirm/", "/x/confirm/y", "/x/other", "//confirm"] {
            check(&format!("/poppy/operations{unknown}"), Some(&Endpoint::Unknown));
        }
        check("/poppy/operationsx/exc", None);
        check("/orders/ord_7Hk2", None);
    }

    #[test]
    fn path_parameters_are_whole_segments() {
        let template =
            [Segment::Fixed("orders"), Segment::Parameter("order_id"), Segment::Fixed("exchanges")];
        let one = |value: &str| Some(vec![("order_id".to_owned(), value.to_owned())]);
        assert_eq!(parameters(&template, "/orders/ord_7Hk2/exchanges"), one("ord_7Hk2"));
        assert_eq!(parameters(&template, "/orders/a%2Fb/exchanges"), one("a%2Fb"));
        assert_eq!(parameters(&template, "/orders/%FF/exchanges"), one("%FF"));
        for no in [
            "/orders//exchanges",
            "/orders/x/exchanges/",
            "/orders/x/y/exchanges",
            "orders/x/exchanges",
        ] {
            assert_eq!(parameters(&template, no), None, "{no}");
        }
    }
}
