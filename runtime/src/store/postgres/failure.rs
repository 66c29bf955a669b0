//! What an error of the server or of the connection says about what was written.

use std::time::Duration;

use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::store::Error;

/// A statement that did not end well.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server refused it: nothing was written.
    Refused(Refused),
    /// No answer came that can be relied on: it may have been written.
    Lost(String),
    /// It was never sent: nothing was written.
    NotSent(String),
}

/// What the server said, without the values that it may have quoted: those can be terms.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) code: SqlState,
    pub(super) constraint: Option<String>,
    said: String,
}

impl Failure {
    /// An error of the driver, about a statement that was handed to it.
    pub(super) fn of(error: &tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(said) if ends_the_statement(said) => Self::Refused(Refused::of(said)),
            Some(said) => Self::Lost(Refused::of(said).said),
            None => Self::Lost(in_words(error)),
        }
    }

    /// No answer came in this time.
    pub(super) fn silence(after: Duration) -> Self {
        Self::Lost(format!("the server did not answer within {} s", after.as_secs_f32()))
    }

    /// A commit that the server reported without the standby's word.
    pub(super) fn not_replicated() -> Self {
        Self::Lost("the server gave up waiting for its standby: the commit may be lost".to_owned())
    }

    /// The same, about a connection on which nothing was asked to be written yet.
    pub(super) fn before_anything(self) -> Self {
        match self {
            Self::Lost(why) => Self::NotSent(why),
            failure @ (Self::Refused(_) | Self::NotSent(_)) => failure,
        }
    }

    /// Whether it was refused for the name of a prepared statement: it is another session's, and nothing was run.
    pub(super) fn is_of_a_name(&self) -> bool {
        matches!(self, Self::Refused(Refused { code, .. })
            if *code == SqlState::INVALID_SQL_STATEMENT_NAME
                || *code == SqlState::DUPLICATE_PSTATEMENT)
    }

    /// Whether the same statement may simply be sent again.
    pub(super) fn passes(&self) -> bool {
        matches!(self, Self::Refused(Refused { code, .. })
            if *code == SqlState::T_R_DEADLOCK_DETECTED
                || *code == SqlState::T_R_SERIALIZATION_FAILURE)
    }

    /// Whether a row of this name was there already.
    pub(super) fn is_duplicate_of(&self, name: &str) -> bool {
        matches!(self, Self::Refused(Refused { code, constraint, .. })
            if *code == SqlState::UNIQUE_VIOLATION && constraint.as_deref() == Some(name))
    }

    /// As the store's caller hears it.
    pub(super) fn into_error(self, what: &str) -> Error {
        match self {
            Self::Refused(refused) => Error::not_written(format!("{what}: {}", refused.said)),
            Self::NotSent(why) => Error::not_written(format!("{what}: {why}")),
            Self::Lost(why) => Error::unknown(format!("{what}: {why}")),
        }
    }
}

impl Refused {
    fn of(said: &DbError) -> Self {
        Self {
            code: said.code().clone(),
            constraint: said.constraint().map(str::to_owned),
            // never the detail: it quotes rows
            said: format!("the server says `{}` ({})", said.message(), said.code().code()),
        }
    }
}

/// Whether an error of the server ended the statement and undid it, rather than the connection, after
/// which nobody knows. Poolers report a lost server under class 08.
fn ends_the_statement(said: &DbError) -> bool {
    let fatal = matches!(said.parsed_severity(), Some(Severity::Fatal | Severity::Panic));
    let code = said.code().code();
    let unknown = code.starts_with("08") || code.starts_with("57P") || code == "40003";
    !fatal && !unknown
}

/// An error and what is behind it, in one line.
pub(super) fn in_words(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(next) = source {
        words.push_str(": ");
        words.push_str(&next.to_string());
        source = next.source();
    }
    words
}
