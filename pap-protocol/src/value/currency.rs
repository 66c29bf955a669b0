//! A currency.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use super::NotAValue;
use crate::text::wire_string;

/// A currency by its ISO 4217 code, such as `USD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency {
    known: iso_currency::Currency,
    digits: u8,
}

impl Currency {
    /// The ISO 4217 code.
    pub fn code(self) -> &'static str {
        self.known.code()
    }

    /// How many digits an amount has after the point: 2 for `USD`, 0 for `JPY`, 3 for `KWD`.
    pub fn digits(self) -> u32 {
        self.digits.into()
    }

    /// The sign that an English reader takes for this currency and for no other.
    pub(super) fn sign(self) -> Option<&'static str> {
        match self.code() {
            "USD" => Some("$"),
            "EUR" => Some("€"),
            "GBP" => Some("£"),
            "JPY" => Some("¥"),
            "INR" => Some("₹"),
            _ => None,
        }
    }
}

impl Display for Currency {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        // what has no digits (gold, `XXX`) is not money that can be charged
        let known = iso_currency::Currency::from_code(text);
        let known = known.and_then(|known| {
            let digits = u8::try_from(known.exponent()?).ok()?;
            Some(Self { known, digits })
        });
        known.ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "the ISO 4217 code of a currency, such as `USD`";

wire_string!(Currency, EXPECTED);
