//! A moment in a place.

use std::fmt::{Display, Formatter};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::rfc3339::{self, Zone};
use super::{Instant, NotAValue, words};
use crate::text::wire_string;

/// A moment as the clocks of a place show it: an appointment, a departure, an opening time.
///
/// On the wire it is RFC 3339 with the place's offset at that moment, never `[Europe/Berlin]`, which no
/// other RFC 3339 reader understands; so a value that was read has an offset and no place. Two are equal
/// if they show the same moment with the same offset.
///
/// # Examples
///
/// ```
/// use pap_protocol::value::LocalTime;
///
/// let service = LocalTime::in_place("2026-11-12T09:00:00", "Europe/Berlin")?;
/// assert_eq!(service.to_string(), "2026-11-12T09:00:00+01:00");
/// assert_eq!(service, "2026-11-12T09:00:00+01:00".parse()?);
/// # Ok::<(), pap_protocol::value::NotAValue>(())
/// ```
#[derive(Debug, Clone)]
pub struct LocalTime {
    at: Instant,
    place: Option<String>,
}

impl LocalTime {
    /// That moment as the clocks of an IANA time zone show it.
    ///
    /// # Errors
    ///
    /// [`NotAValue`] if the time zone is unknown, or if its offset at that moment is not one of whole
    /// minutes (some were not, long ago) and so cannot be written.
    pub fn new(at: Instant, time_zone: &str) -> Result<Self, NotAValue> {
        let zone = time_zone_named(time_zone)?;
        Self::shown(at.timestamp(), &zone, time_zone)
    }

    /// The moment when the clocks of an IANA time zone show that date and time.
    ///
    /// # Errors
    ///
    /// [`NotAValue`] if the time zone is unknown, or if its clocks skip that time or show it twice, as
    /// they do when summer time begins and ends: the User cannot decide on a time that is none or two.
    pub fn in_place(clocks_show: &str, time_zone: &str) -> Result<Self, NotAValue> {
        let zone = time_zone_named(time_zone)?;
        let civil = rfc3339::civil(clocks_show);
        let civil = civil.ok_or_else(|| NotAValue::new("a time such as `2026-11-12T09:00:00`"))?;
        let at = zone.to_ambiguous_timestamp(civil).unambiguous().ok();
        let at =
            at.ok_or_else(|| NotAValue::new("a time that the clocks there show exactly once"))?;
        Self::shown(at, &zone, time_zone)
    }

    /// The moment, in the offset of the place.
    pub fn instant(&self) -> Instant {
        self.at
    }

    /// The IANA time zone; none if it was read from the wire.
    pub fn time_zone(&self) -> Option<&str> {
        self.place.as_deref()
    }

    /// The day there in plain English: `12 November 2026`.
    pub fn date_in_words(&self) -> String {
        words::date(self.at.civil().date())
    }

    /// The time of day there in plain English: `09:00 (UTC+01:00)`.
    pub fn time_in_words(&self) -> String {
        words::time(self.at.civil().time(), self.at.zone())
    }

    fn shown(at: Timestamp, zone: &TimeZone, name: &str) -> Result<Self, NotAValue> {
        let seconds = zone.to_offset(at).seconds();
        let minutes = i16::try_from(seconds / 60).ok().filter(|_| seconds % 60 == 0);
        let at =
            minutes.and_then(|minutes| Instant::new(at.as_millisecond(), Zone::Offset(minutes)));
        let at = at.ok_or_else(|| NotAValue::new("a moment that RFC 3339 can write"))?;
        Ok(Self { at, place: Some(zone.iana_name().unwrap_or(name).to_owned()) })
    }
}

impl PartialEq for LocalTime {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.at.zone().offset() == other.at.zone().offset()
    }
}

impl Eq for LocalTime {}

impl Hash for LocalTime {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.at.hash(state);
        self.at.zone().offset().seconds().hash(state);
    }
}

impl Display for LocalTime {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.at.fmt(f)
    }
}

impl FromStr for LocalTime {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let at = text.parse::<Instant>().ok();
        at.map(|at| Self { at, place: None }).ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "a moment with the offset of its place, such as `2026-11-12T09:00:00+01:00`";

wire_string!(LocalTime, EXPECTED);

fn time_zone_named(name: &str) -> Result<TimeZone, NotAValue> {
    let zone = TimeZone::get(name).ok();
    zone.ok_or_else(|| NotAValue::new("the name of an IANA time zone, such as `Europe/Berlin`"))
}
