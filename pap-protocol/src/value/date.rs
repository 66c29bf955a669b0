//! A calendar day.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use jiff::civil;

use super::{NotAValue, rfc3339, words};
use crate::text::wire_string;

/// A calendar day, `2026-10-08` on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(civil::Date);

impl Date {
    /// The day of that year (0 to 9999), month and day of the month.
    ///
    /// # Errors
    ///
    /// [`NotAValue`] if the calendar has no such day.
    pub fn new(year: i16, month: i8, day: i8) -> Result<Self, NotAValue> {
        let date = civil::Date::new(year, month, day).ok().filter(|date| date.year() >= 0);
        date.map(Self).ok_or_else(|| NotAValue::new(EXPECTED))
    }

    /// The year.
    pub fn year(self) -> i16 {
        self.0.year()
    }

    /// The month, 1 to 12.
    pub fn month(self) -> i8 {
        self.0.month()
    }

    /// The day of the month, 1 to 31.
    pub fn day(self) -> i8 {
        self.0.day()
    }

    /// The day in plain English: `8 October 2026`.
    pub fn in_words(&self) -> String {
        words::date(self.0)
    }
}

impl Display for Date {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        rfc3339::write_date(self.0, f)
    }
}

impl FromStr for Date {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        rfc3339::date(text).map(Self).ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "a calendar day, such as `2026-10-08`";

wire_string!(Date, EXPECTED);
