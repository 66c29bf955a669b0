//! What an error of SQLite says about what was written.

use std::path::Path;

use rusqlite::ErrorCode;

use crate::store::Error;

/// An error before any commit: nothing was written, unless the file itself is damaged.
pub(super) fn store_error(what: &str, error: rusqlite::Error) -> Error {
    let damaged = matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    );
    let no_such_value = matches!(
        error,
        rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..)
    );
    let kind = if damaged || no_such_value { Error::corrupt } else { Error::not_written };
    kind(what.to_owned()).from_source(error)
}

/// The same error, with the file that it is about.
pub(super) fn in_file(path: &Path, error: Error) -> Error {
    let Error { kind, what, source } = error;
    Error { kind, what: format!("`{}`: {what}", path.display()), source }
}
