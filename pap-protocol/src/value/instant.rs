//! A moment.

use std::cmp::Ordering;
use std::fmt::{Display, Formatter};
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::time::Duration;

use jiff::{Timestamp, civil};

use super::rfc3339::{self, Zone};
use super::{NotAValue, words};
use crate::text::wire_string;

/// A moment in milliseconds, with the offset it was written with.
///
/// On the wire it is RFC 3339 with `Z` or an offset, in whole seconds or with the fraction it needs; a
/// time without zone is refused, and what is finer than a millisecond is cut off. What was read is
/// written again in the same offset. Two moments are equal, ordered and hashed by the moment alone.
///
/// # Examples
///
/// ```
/// use pap_protocol::value::Instant;
///
/// let expires_at: Instant = "2026-10-08T12:20:00-07:00".parse()?;
/// assert_eq!(expires_at.to_string(), "2026-10-08T12:20:00-07:00");
/// assert_eq!(expires_at.at_utc().to_string(), "2026-10-08T19:20:00Z");
/// assert_eq!(expires_at, expires_at.at_utc());
/// # Ok::<(), pap_protocol::value::NotAValue>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Instant {
    millis: i64,
    zone: Zone,
}

impl Instant {
    /// The earliest moment, `0000-01-02T00:00:00Z`: every offset can write it.
    pub const MIN: Self = Self { millis: -62_167_132_800_000, zone: Zone::Z };

    /// The latest moment, `9999-12-30T22:00:00Z`: every offset can write it.
    pub const MAX: Self = Self { millis: 253_402_207_200_000, zone: Zone::Z };

    /// The moment that many milliseconds after the start of 1970, written with `Z`; the nearest one
    /// that RFC 3339 can write ([`Instant::MIN`], [`Instant::MAX`]) if it is out of range.
    pub fn from_millis(millis: i64) -> Self {
        Self { millis: millis.clamp(Self::MIN.millis, Self::MAX.millis), zone: Zone::Z }
    }

    /// Milliseconds since the start of 1970.
    pub fn as_millis(self) -> i64 {
        self.millis
    }

    /// The moment that much later, in the same offset; [`Instant::MAX`] at most.
    #[must_use]
    pub fn saturating_add(self, duration: Duration) -> Self {
        self.at(self.millis.saturating_add(whole_millis(duration)))
    }

    /// The moment that much earlier, in the same offset; [`Instant::MIN`] at least.
    #[must_use]
    pub fn saturating_sub(self, duration: Duration) -> Self {
        self.at(self.millis.saturating_sub(whole_millis(duration)))
    }

    /// The same moment, written with `Z`.
    #[must_use]
    pub fn at_utc(self) -> Self {
        Self { zone: Zone::Z, ..self }
    }

    /// The day in plain English, in UTC: `8 October 2026`.
    pub fn date_in_words(&self) -> String {
        words::date(self.at_utc().civil().date())
    }

    /// The time of day in plain English, in UTC: `19:20 UTC`.
    pub fn time_in_words(&self) -> String {
        words::time(self.at_utc().civil().time(), Zone::Z)
    }

    fn at(self, millis: i64) -> Self {
        Self { zone: self.zone, ..Self::from_millis(millis) }
    }

    pub(super) fn new(millis: i64, zone: Zone) -> Option<Self> {
        let in_range = (Self::MIN.millis..=Self::MAX.millis).contains(&millis);
        in_range.then_some(Self { millis, zone })
    }

    pub(super) fn zone(self) -> Zone {
        self.zone
    }

    pub(super) fn timestamp(self) -> Timestamp {
        // always in range: `MIN` and `MAX` are within what `Timestamp` holds
        Timestamp::from_millisecond(self.millis).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// The day and time that clocks at this offset show.
    pub(super) fn civil(self) -> civil::DateTime {
        self.zone.offset().to_datetime(self.timestamp())
    }
}

impl PartialEq for Instant {
    fn eq(&self, other: &Self) -> bool {
        self.millis == other.millis
    }
}

impl Eq for Instant {}

impl Ord for Instant {
    fn cmp(&self, other: &Self) -> Ordering {
        self.millis.cmp(&other.millis)
    }
}

impl PartialOrd for Instant {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Instant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.millis.hash(state);
    }
}

impl Display for Instant {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        rfc3339::write_moment(self.civil(), self.zone, f)
    }
}

impl FromStr for Instant {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        read(text).ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "a moment with its zone, such as `2026-10-08T12:20:00-07:00`";

wire_string!(Instant, EXPECTED);

fn read(text: &str) -> Option<Instant> {
    let (civil, zone) = rfc3339::moment(text)?;
    let timestamp = zone.offset().to_timestamp(civil).ok()?;
    Instant::new(timestamp.as_millisecond(), zone)
}

fn whole_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
