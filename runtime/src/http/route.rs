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
    // a tab is no space, but a service behind could take it for one
    headers.get_all(header::AUTHORIZATION).iter().any(|value| {
        let scheme = value.as_bytes().split(u8::is_ascii_whitespace).find(|part| !part.is_empty());
        scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"DPoP"))
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

/// Whether this is a declared route but for its spelling: a slash too many, an escaped letter, a dot
/// segment. Whoever is behind could read it as that route, and perform what has to be proposed.
pub(super) fn misspelled(engine: &Engine, method: &Method, path: &str) -> bool {
    let plain = plain(path);
    let routes = engine.actions.values().filter_map(|action| action.declaration().route);
    routes.filter(|route| route.method == method.as_str()).any(|route| {
        let fits = |(segment, written): (&Segment, &String)| match segment {
            Segment::Fixed(text) => text == written,
            Segment::Parameter(_) => true,
        };
        route.segments.len() == plain.len() && route.segments.iter().zip(&plain).all(fits)
    })
}

/// The segments of a path as the most forgiving reader takes them.
fn plain(path: &str) -> Vec<String> {
    let mut plain = Vec::new();
    for segment in String::from_utf8_lossy(&unescaped(path)).split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(plain.pop()),
            _ => plain.push(segment.to_owned()),
        }
    }
    plain
}

/// The bytes that a text with escapes stands for; what is no escape stands for itself.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = match after {
            [high, low, ..] if *first == b'%' => byte(*high, *low),
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first));
        rest = after.get(if escaped.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    bytes
}

/// The byte of two hexadecimal digits.
fn byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
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
    while let Some(next) = rest.next() {
        if next != b'%' {
            bytes.push(next);
            continue;
        }
        bytes.push(byte(rest.next()?, rest.next()?)?);
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

    #[test]
    fn a_path_is_plain_whatever_its_spelling() {
        let plainly = ["orders", "x", "exchanges"];
        for spelled in [
            "/orders/x/exchanges/",
            "//orders/x//exchanges",
            "/%6Frders/x/exchan%67es",
            "/orders%2Fx%2fexchanges",
            "/orders/./x/y/../exchanges",
            "/orders/y/%2E%2e/x/exchanges",
        ] {
            assert_eq!(plain(spelled), plainly, "{spelled}");
        }
        assert_eq!(plain("/a%2/%zz/%/..%FF"), ["a%2", "%zz", "%", "..\u{FFFD}"]);
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
