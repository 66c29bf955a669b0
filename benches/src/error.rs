//! Why nothing was measured.

/// A measurement that could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// What was wrong, in words.
    #[error("{0}")]
    Said(String),
    /// The system refused something.
    #[error("the system refused: {0}")]
    System(#[from] std::io::Error),
    /// The bare store refused something.
    #[error("SQLite refused: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL refused something.
    #[error("PostgreSQL refused: {0}")]
    Postgres(#[from] tokio_postgres::Error),
    /// What another of these processes said was no number.
    #[error("no number was said: {0}")]
    NoNumber(#[from] std::num::ParseIntError),
    /// A count that this machine cannot hold.
    #[error("a count is out of range: {0}")]
    OutOfRange(#[from] std::num::TryFromIntError),
}

/// What keeps the server that is made for this from being there.
pub(crate) type Fault = Box<dyn std::error::Error + Send + Sync>;

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Said(fault.to_string())
    }
}

impl Error {
    pub(crate) fn said(what: impl Into<String>) -> Self {
        Self::Said(what.into())
    }

    /// For errors of parts that are only measured.
    pub(crate) fn of(error: impl std::fmt::Display) -> Self {
        Self::Said(error.to_string())
    }
}
