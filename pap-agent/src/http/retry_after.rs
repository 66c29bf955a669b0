//! The `Retry-After` header (RFC 9110, section 10.2.3).

use std::time::Duration;

use jiff::fmt::rfc2822;
use pap_protocol::value::Instant;

/// When to ask again: from seconds, or from an HTTP date. None if it is neither.
///
/// `now` is when the answer arrived.
pub(super) fn retry_at(header: &str, now: Instant) -> Option<Instant> {
    let header = header.trim();
    if !header.is_empty() && header.bytes().all(|byte| byte.is_ascii_digit()) {
        // more seconds than fit are a wait without end, not a wait that can be left out
        let seconds = header.parse().unwrap_or(u64::MAX);
        return Some(now.saturating_add(Duration::from_secs(seconds)));
    }
    let date = rfc2822::DateTimeParser::new().parse_timestamp(header).ok()?;
    Some(Instant::from_millis(date.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_waits(header: &str, seconds: Option<u64>) {
        let now: Instant = "2026-10-08T19:04:31Z".parse().unwrap();
        let expected = seconds.map(|seconds| now.saturating_add(Duration::from_secs(seconds)));
        assert_eq!(retry_at(header, now), expected, "{header}");
    }

    #[test]
    fn both_forms_are_read_and_others_are_none() {
        check_waits("5", Some(5));
        check_waits(" 120 ", Some(120));
        check_waits("Thu, 08 Oct 2026 19:05:01 GMT", Some(30));
        for header in ["", "-5", "5.0", "soon", "2026-10-08T19:05:01Z"] {
            check_waits(header, None);
        }
    }

    #[test]
    fn more_seconds_than_fit_never_end() {
        let now = Instant::from_millis(0);
        assert_eq!(retry_at("99999999999999999999999", now), Some(Instant::MAX));
    }
}
