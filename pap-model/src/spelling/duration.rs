//! Time spans such as `15m` and `90d`: whole seconds.

use super::Misspelled;

const DAY: u64 = 24 * 60 * 60;

/// The longest lifetime of a proposal: a year of 365 days.
pub const MAX_LIFETIME_S: u64 = 365 * DAY;

/// The shortest time that final operations are kept: an agent that lost the answer comes back for it.
pub const MIN_RETENTION_S: u64 = DAY;

/// The longest time that final operations are kept: 20 years of 365 days.
pub const MAX_RETENTION_S: u64 = 20 * 365 * DAY;

const UNITS: &str =
    "write a whole number and a unit: `\"90s\"`, `\"15m\"`, `\"2h\"`, `\"1d\"` or `\"1h30m\"`";

/// The seconds of a lifetime such as `90s`, `15m`, `1h30m` or `2d`.
///
/// # Errors
///
/// If it is no such text, zero, or longer than [`MAX_LIFETIME_S`].
pub fn lifetime(text: &str) -> Result<u64, Misspelled> {
    match seconds(text) {
        None => Err(Misspelled::new(format!("`{text}` is no lifetime"), UNITS)),
        Some(0) => Err(Misspelled::new("a lifetime of nothing can never be confirmed", UNITS)),
        Some(total @ 1..=MAX_LIFETIME_S) => Ok(total),
        Some(_) => Err(Misspelled::new(format!("`{text}` is longer than a year"), UNITS)),
    }
}

/// The seconds of a time to keep final operations, such as `90d`.
///
/// # Errors
///
/// If it is no such text, shorter than [`MIN_RETENTION_S`] or longer than [`MAX_RETENTION_S`].
pub fn retention(text: &str) -> Result<u64, Misspelled> {
    match seconds(text) {
        None => {
            let help = "write a whole number of days: `\"90d\"`";
            Err(Misspelled::new(format!("`{text}` is no time to keep operations for"), help))
        }
        Some(total @ MIN_RETENTION_S..=MAX_RETENTION_S) => Ok(total),
        Some(..MIN_RETENTION_S) => {
            let help =
                "write `\"1d\"` or more: an agent that lost the answer comes back to read it";
            Err(Misspelled::new(format!("`{text}` is less than a day"), help))
        }
        Some(_) => {
            let help = "leave the key out to keep them until they are removed by hand";
            Err(Misspelled::new(format!("`{text}` is longer than 20 years"), help))
        }
    }
}

/// Numbers with units, from large to small, each unit once.
fn seconds(text: &str) -> Option<u64> {
    let (mut total, mut rest, mut smallest) = (0u64, text, u64::MAX);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let unit = match after.chars().next()? {
            's' => 1,
            'm' => 60,
            'h' => 60 * 60,
            'd' => DAY,
            _ => return None,
        };
        let number: u64 = number.parse().ok().filter(|_| unit < smallest)?;
        smallest = unit;
        total = total.saturating_add(number.saturating_mul(unit));
        rest = after.get(1..).unwrap_or_default();
    }
    (!text.is_empty()).then_some(total)
}
