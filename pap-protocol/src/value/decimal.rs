//! A decimal number.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use super::NotAValue;
use crate::text::wire_string;

/// A decimal number of up to 28 digits, such as `12.50`: a string on the wire, in plain notation, so
/// that both sides read the same number.
///
/// `12.5` and `12.50` are equal and keep the digits they were written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(rust_decimal::Decimal);

impl Decimal {
    /// `mantissa` with its last `scale` digits after the point: `new(1250, 2)` is `12.50`.
    ///
    /// # Errors
    ///
    /// [`NotAValue`] if `scale` is more than 28.
    pub fn new(mantissa: i64, scale: u32) -> Result<Self, NotAValue> {
        let number = rust_decimal::Decimal::try_new(mantissa, scale).ok();
        number.map(Self::from).ok_or_else(|| NotAValue::new(EXPECTED))
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        self.0.is_sign_negative() && !self.0.is_zero()
    }

    /// How many digits are written after the point.
    pub fn scale(self) -> u32 {
        self.0.scale()
    }

    /// For arithmetic.
    pub fn to_rust_decimal(self) -> rust_decimal::Decimal {
        self.0
    }
}

impl From<rust_decimal::Decimal> for Decimal {
    fn from(mut number: rust_decimal::Decimal) -> Self {
        // there is one zero: `-0` would be written, and would read as another value
        if number.is_zero() {
            number.set_sign_positive(true);
        }
        Self(number)
    }
}

impl From<Decimal> for rust_decimal::Decimal {
    fn from(number: Decimal) -> Self {
        number.0
    }
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        Self(number.into())
    }
}

impl Display for Decimal {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Decimal {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let number = is_plain(text).then(|| rust_decimal::Decimal::from_str_exact(text).ok());
        number.flatten().map(Self::from).ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "a decimal number of up to 28 digits in plain notation, such as `12.50`";

wire_string!(Decimal, EXPECTED);

/// The notation of a JSON number without exponent: one text per digits, no `+1`, `007`, `.5` or `1_000`.
fn is_plain(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits)
}
