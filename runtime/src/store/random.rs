//! What must not be guessed or given twice.

use super::Error;

/// Random bytes, such as a salt.
pub(super) fn bytes<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::not_written("the system gave no random bytes").from_source(error)
    })?;
    Ok(bytes)
}

/// 128 random bits as text, such as for an incarnation.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(super) fn text() -> Result<String, Error> {
    Ok(format!("{:032x}", u128::from_be_bytes(bytes()?)))
}
