//! How the columns of SQLite are read.

use pap_protocol::value::Instant;
use rusqlite::Row;
use rusqlite::types::FromSql;

use super::failure::store_error;
use super::row_copy::{RowCopy, STORED};
use crate::store::{Error, row};

/// A row taken in the order of its columns.
pub(super) struct Columns<'r> {
    row: Source<'r>,
    next: usize,
}

enum Source<'r> {
    Row(&'r Row<'r>),
    Copy(&'r RowCopy),
}

impl<'r> Columns<'r> {
    pub(super) fn of(row: &'r Row<'r>) -> Self {
        Self { row: Source::Row(row), next: 0 }
    }

    pub(super) fn of_copy(row: &'r RowCopy) -> Self {
        Self { row: Source::Copy(row), next: 0 }
    }

    /// The next column.
    pub(super) fn take<T: FromSql>(&mut self) -> Result<T, Error> {
        let column = self.next;
        self.next += 1;
        match self.row {
            Source::Row(row) => {
                row.get(column).map_err(|error| store_error(&self.cannot_be(column), error))
            }
            Source::Copy(row) => T::column_result(row.value(column))
                .map_err(|error| Error::corrupt(self.cannot_be(column)).from_source(error)),
        }
    }

    /// The next column as something that is made of what the column holds.
    pub(super) fn made<T, U>(&mut self, make: impl FnOnce(T) -> Option<U>) -> Result<U, Error>
    where
        T: FromSql,
    {
        let column = self.next;
        make(self.take()?).ok_or_else(|| Error::corrupt(self.cannot_be(column)))
    }

    // the column's name and never what is in it: that may be terms
    fn cannot_be(&self, column: usize) -> String {
        let name = match self.row {
            Source::Row(row) => row.as_ref().column_name(column).ok(),
            Source::Copy(_) => STORED.get(column).copied(),
        };
        format!("`{}` holds what this runtime never wrote", name.unwrap_or("?"))
    }
}

impl row::Row for Columns<'_> {
    fn key_if_any(&mut self) -> Result<Option<i64>, Error> {
        self.take()
    }

    fn text(&mut self) -> Result<String, Error> {
        self.take()
    }

    fn text_if_any(&mut self) -> Result<Option<String>, Error> {
        self.take()
    }

    fn word_if_any<T>(&mut self, make: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
        self.made(|word: Option<String>| word.map_or(Some(None), |word| make(&word).map(Some)))
    }

    fn bytes_if_any<const N: usize>(&mut self) -> Result<Option<[u8; N]>, Error> {
        self.take()
    }

    fn count(&mut self) -> Result<u32, Error> {
        self.take()
    }

    fn version(&mut self) -> Result<u32, Error> {
        self.take()
    }

    fn number(&mut self) -> Result<u64, Error> {
        self.made(|number: i64| u64::try_from(number).ok())
    }

    fn yes_or_no(&mut self) -> Result<bool, Error> {
        self.made(|number: i64| match number {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        })
    }

    fn moment_if_any(&mut self) -> Result<Option<Instant>, Error> {
        Ok(self.take::<Option<i64>>()?.map(Instant::from_millis))
    }

    fn refused(&self) -> Error {
        Error::corrupt(self.cannot_be(self.next.saturating_sub(1)))
    }
}
