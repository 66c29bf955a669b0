//! RFC 3339 as this protocol writes it: a date, `T`, a time and `Z` or an offset. Nothing less (a time
//! without zone is not a moment) and nothing more (no `[Europe/Berlin]`).

use std::fmt::{Formatter, Write as _};

use jiff::civil;
use jiff::tz::Offset;

/// Where a written time is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// Written `Z`.
    Z,
    /// Written as `+HH:MM` or `-HH:MM`; in minutes.
    Offset(i16),
}

impl Zone {
    pub(super) fn offset(self) -> Offset {
        match self {
            Self::Z => Offset::UTC,
            Self::Offset(minutes) => {
                Offset::from_seconds(i32::from(minutes) * 60).unwrap_or(Offset::UTC)
            }
        }
    }
}

/// Reads a date, a time and a zone; digits of a fraction beyond the millisecond are cut off.
pub(super) fn moment(text: &str) -> Option<(civil::DateTime, Zone)> {
    let mut rest = Rest(text.as_bytes());
    let date = rest.date()?;
    rest.one_of(b"Tt")?;
    let time = rest.time()?;
    let zone = rest.zone()?;
    rest.end()?;
    Some((date.to_datetime(time), zone))
}

/// Reads a date alone.
pub(super) fn date(text: &str) -> Option<civil::Date> {
    let mut rest = Rest(text.as_bytes());
    let date = rest.date()?;
    rest.end()?;
    Some(date)
}

/// Reads a date and a time without a zone.
pub(super) fn civil(text: &str) -> Option<civil::DateTime> {
    let mut rest = Rest(text.as_bytes());
    let date = rest.date()?;
    rest.one_of(b"Tt")?;
    let time = rest.time()?;
    rest.end()?;
    Some(date.to_datetime(time))
}

pub(super) fn write_date(date: civil::Date, f: &mut Formatter<'_>) -> std::fmt::Result {
    write!(f, "{:04}-{:02}-{:02}", date.year(), date.month(), date.day())
}

/// Writes whole seconds, or as many digits of the fraction as are needed.
pub(super) fn write_moment(
    at: civil::DateTime,
    zone: Zone,
    f: &mut Formatter<'_>,
) -> std::fmt::Result {
    write_date(at.date(), f)?;
    write!(f, "T{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second())?;
    match at.subsec_nanosecond() / 1_000_000 {
        0 => {}
        millis if millis % 100 == 0 => write!(f, ".{}", millis / 100)?,
        millis if millis % 10 == 0 => write!(f, ".{:02}", millis / 10)?,
        millis => write!(f, ".{millis:03}")?,
    }
    match zone {
        Zone::Z => f.write_char('Z'),
        Zone::Offset(minutes) => {
            let sign = if minutes < 0 { '-' } else { '+' };
            write!(f, "{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
        }
    }
}

/// What is still to be read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn date(&mut self) -> Option<civil::Date> {
        let year = self.digits(4)?;
        self.one_of(b"-")?;
        let month = self.digits(2)?;
        self.one_of(b"-")?;
        let day = self.digits(2)?;
        civil::Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()
    }

    fn time(&mut self) -> Option<civil::Time> {
        let hour = self.digits(2)?;
        self.one_of(b":")?;
        let minute = self.digits(2)?;
        self.one_of(b":")?;
        // a leap second is the last moment that clocks without leap seconds have
        let second = match self.digits(2)? {
            60 => 59,
            second => second,
        };
        let nanos = i32::from(self.millis()?) * 1_000_000;
        let part = |number: i16| i8::try_from(number).ok();
        civil::Time::new(part(hour)?, part(minute)?, part(second)?, nanos).ok()
    }

    /// The fraction in milliseconds; 0 if there is none.
    fn millis(&mut self) -> Option<i16> {
        if self.one_of(b".").is_none() {
            return Some(0);
        }
        let mut millis = i16::from(self.digit()?) * 100;
        let mut unit = 10;
        while let Some(digit) = self.digit() {
            millis += i16::from(digit) * unit;
            unit /= 10;
        }
        Some(millis)
    }

    fn zone(&mut self) -> Option<Zone> {
        let sign = match self.one_of(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(Zone::Z),
        };
        let hours = self.digits(2).filter(|hours| *hours < 24)?;
        self.one_of(b":")?;
        let minutes = self.digits(2).filter(|minutes| *minutes < 60)?;
        match sign * (hours * 60 + minutes) {
            // `-00:00` says that the local offset is unknown, which is what `Z` says too
            0 if sign < 0 => Some(Zone::Z),
            offset => Some(Zone::Offset(offset)),
        }
    }

    fn digits(&mut self, count: usize) -> Option<i16> {
        (0..count).try_fold(0, |number, _| Some(number * 10 + i16::from(self.digit()?)))
    }

    fn digit(&mut self) -> Option<u8> {
        self.one_of(b"0123456789").map(|digit| digit - b'0')
    }

    fn one_of(&mut self, allowed: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first().filter(|(first, _)| allowed.contains(first))?;
        self.0 = rest;
        Some(*first)
    }

    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
