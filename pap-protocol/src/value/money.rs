//! An amount of money.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Currency, Decimal, NotAValue};
use crate::json::only_object;

/// An amount of money, `{ "amount": "70.00", "currency": "USD" }` on the wire.
///
/// The amount always has exactly the digits of its currency, so that equal amounts have equal text.
/// `Display` says it as a summary does; `FromStr` reads `70.00 USD`, and reading back what `Display`
/// says is not its purpose.
///
/// # Examples
///
/// ```
/// use pap_protocol::value::Money;
///
/// let price_difference = Money::parse("70", "USD")?;
/// assert_eq!(price_difference.amount().to_string(), "70.00");
/// assert_eq!(price_difference.to_string(), "$70.00");
/// assert!(Money::parse("0.5", "JPY").is_err());
/// # Ok::<(), pap_protocol::value::NotAValue>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Money {
    amount: Decimal,
    currency: Currency,
}

impl Money {
    /// That amount of that currency.
    ///
    /// # Errors
    ///
    /// [`NotAValue`] if the amount has more digits after the point than the currency, or more digits
    /// than can be kept.
    pub fn new(amount: Decimal, currency: Currency) -> Result<Self, NotAValue> {
        let digits = currency.digits();
        let mut exact = amount.to_rust_decimal();
        exact.rescale(digits);
        if exact != amount.to_rust_decimal() || exact.scale() != digits {
            return Err(NotAValue::new(format!(
                "an amount with at most {digits} digits after the point, as {currency} has"
            )));
        }
        Ok(Self { amount: exact.into(), currency })
    }

    /// That amount of the currency with that ISO 4217 code.
    ///
    /// # Errors
    ///
    /// [`NotAValue`] if one of the two is not what it should be, or they do not fit together.
    pub fn parse(amount: &str, currency: &str) -> Result<Self, NotAValue> {
        Self::new(amount.parse()?, currency.parse()?)
    }

    /// That amount of US dollars.
    ///
    /// # Errors
    ///
    /// [`NotAValue`] if it is not an amount with at most two digits after the point.
    pub fn usd(amount: &str) -> Result<Self, NotAValue> {
        Self::parse(amount, "USD")
    }

    /// The amount, with exactly the digits of its currency.
    pub fn amount(&self) -> Decimal {
        self.amount
    }

    /// The currency.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// Whether the amount is below zero.
    pub fn is_negative(&self) -> bool {
        self.amount.is_negative()
    }
}

impl Display for Money {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let amount = self.amount.to_string();
        let (minus, amount) = match amount.strip_prefix('-') {
            Some(amount) => ("-", amount),
            None => ("", amount.as_str()),
        };
        match self.currency.sign() {
            Some(sign) => write!(f, "{minus}{sign}{amount}"),
            None => write!(f, "{minus}{} {amount}", self.currency),
        }
    }
}

impl FromStr for Money {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let (amount, currency) = text
            .split_once(' ')
            .ok_or_else(|| NotAValue::new("an amount and a currency, such as `70.00 USD`"))?;
        Self::parse(amount, currency)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Members {
            amount: Decimal,
            currency: Currency,
        }
        let Members { amount, currency } = only_object(deserializer)?;
        Self::new(amount, currency).map_err(|refused| {
            let amount = serde::de::Unexpected::Other("the amount");
            D::Error::invalid_value(amount, &refused.expected())
        })
    }
}
