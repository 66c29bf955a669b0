//! Ages and moments, as people type and read them.

use std::time::Duration;

use pap_protocol::value::Instant;

/// Units, longest first.
const UNITS: [(char, u64); 5] =
    [('w', 7 * 24 * 3600), ('d', 24 * 3600), ('h', 3600), ('m', 60), ('s', 1)];

/// `90d`, `2h`, `1h30m`.
pub(super) fn age(text: &str) -> Result<Duration, String> {
    let mut seconds = 0_u64;
    let mut number = String::new();
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            number.push(letter);
            continue;
        }
        let unit = UNITS.iter().find(|(unit, _)| *unit == letter).map(|(_, seconds)| *seconds);
        let count = number.parse::<u64>().ok();
        let (Some(unit), Some(count)) = (unit, count) else { return Err(expected()) };
        let added = count.checked_mul(unit).and_then(|more| seconds.checked_add(more));
        seconds = added.ok_or_else(expected)?;
        number.clear();
    }
    if text.is_empty() || !number.is_empty() {
        return Err(expected());
    }
    Ok(Duration::from_secs(seconds))
}

fn expected() -> String {
    "an age is a number and `s`, `m`, `h`, `d` or `w`, such as `90d` or `1h30m`".to_owned()
}

/// A day in UTC, or a moment.
pub(super) fn moment(text: &str) -> Result<Instant, String> {
    let day = format!("{text}T00:00:00Z");
    day.parse().or_else(|_: pap_protocol::value::NotAValue| text.parse::<Instant>()).map_err(
        |_malformed| {
            "a day is `2026-01-31`, a moment `2026-01-31T08:00:00Z`, with `Z` or an offset"
                .to_owned()
        },
    )
}

/// How long ago, in its two largest units: `2 h 5 min`.
pub(super) fn ago(since: Instant, now: Instant) -> String {
    let millis = now.as_millis().saturating_sub(since.as_millis());
    let seconds = u64::try_from(millis / 1000).unwrap_or(0);
    let (days, hours) = (seconds / 86_400, seconds / 3600 % 24);
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{rest} s"),
        (0, 0, minutes) => format!("{minutes} min {rest} s"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

/// `2026-10-08 19:20:05Z`.
pub(super) fn at(moment: Instant) -> String {
    let whole = Instant::from_millis(moment.as_millis().div_euclid(1000) * 1000);
    whole.to_string().replace('T', " ")
}

/// A text of somebody else's as one line that cannot do anything to a terminal, nor look like two.
pub(super) fn plain(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if c.is_control() || turns(c) { '\u{fffd}' } else { c }).collect()
}

/// `1 operation`, `2 operations`.
pub(super) fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_read_as_people_write_them() {
        for (text, seconds) in [("45s", 45), ("1h30m", 5400), ("90d", 7_776_000), ("1w", 604_800)] {
            assert_eq!(age(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "90", "d", "2x", "1h30", "-1h", "99999999999999999999d"] {
            assert!(age(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_day_and_a_moment_are_both_moments() {
        assert_eq!(moment("2026-01-31"), moment("2026-01-31T00:00:00Z"));
        assert_eq!(moment("2026-01-31T01:00:00+01:00"), moment("2026-01-31"));
        assert!(moment("31.1.2026").is_err());
    }

    #[test]
    fn a_text_of_somebody_elses_stays_on_its_line() {
        assert_eq!(
            plain("a\u{1b}[2Jb\nc\u{9b}d\u{202e}e"),
            "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\u{fffd}e"
        );
        assert_eq!(plain("Größe “42”, 靴"), "Größe “42”, 靴");
    }

    #[test]
    fn how_long_ago_has_two_units() {
        let start = Instant::from_millis(0);
        let after = |seconds: i64| ago(start, Instant::from_millis(seconds * 1000));
        assert_eq!(after(5), "5 s");
        assert_eq!(after(65), "1 min 5 s");
        assert_eq!(after(7500), "2 h 5 min");
        assert_eq!(after(93_600), "1 d 2 h");
        assert_eq!(ago(Instant::from_millis(9000), start), "0 s", "a clock that went back");
    }
}
