//! Lifetimes such as `15m`: whole seconds.

use super::Misspelled;

/// The longest lifetime of a proposal: a year of 365 days.
pub const MAX_SECONDS: u64 = 365 * 24 * 60 * 60;

/// The seconds of a lifetime such as `90s`, `15m`, `1h30m` or `2d`.
///
/// # Errors
///
/// If it is no such text, zero, or longer than [`MAX_SECONDS`].
pub fn seconds(text: &str) -> Result<u64, Misspelled> {
    let help =
        "write a whole number and a unit: `\"90s\"`, `\"15m\"`, `\"2h\"`, `\"1d\"` or `\"1h30m\"`";
    let unreadable = || Misspelled::new(format!("`{text}` is no lifetime"), help);
    let mut total: u64 = 0;
    let mut rest = text;
    let mut smallest = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(unreadable)?;
        let (number, after) = rest.split_at(digits);
        let unit = match after.chars().next() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 60 * 60,
            Some('d') => 24 * 60 * 60,
            _ => return Err(unreadable()),
        };
        // units go from large to small, each once
        let number: u64 = number.parse().ok().filter(|_| unit < smallest).ok_or_else(unreadable)?;
        smallest = unit;
        total = total.saturating_add(number.saturating_mul(unit));
        rest = after.get(1..).unwrap_or_default();
    }
    match total {
        0 if text.is_empty() => Err(unreadable()),
        0 => Err(Misspelled::new("a lifetime of nothing can never be confirmed", help)),
        1..=MAX_SECONDS => Ok(total),
        _ => Err(Misspelled::new(format!("`{text}` is longer than a year"), help)),
    }
}
