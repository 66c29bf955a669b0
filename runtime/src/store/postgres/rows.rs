//! How the columns of PostgreSQL are read.

use pap_protocol::value::Instant;
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use crate::store::row::{Row as _, Unchecked};
use crate::store::{Error, Stored, StoredRevision, Written, row};

/// A row taken in the order of its columns.
pub(super) struct Columns<'r> {
    row: &'r Row,
    next: usize,
}

impl<'r> Columns<'r> {
    pub(super) fn of(row: &'r Row) -> Self {
        Self { row, next: 0 }
    }

    /// The next column.
    pub(super) fn take<T: FromSql<'r>>(&mut self) -> Result<T, Error> {
        let column = self.next;
        self.next += 1;
        // the driver's error names types and no values
        self.row
            .try_get(column)
            .map_err(|error| Error::corrupt(self.cannot_be(column)).from_source(error))
    }

    /// The next column as something that is made of what the column holds.
    pub(super) fn made<T, U>(&mut self, make: impl FnOnce(T) -> Option<U>) -> Result<U, Error>
    where
        T: FromSql<'r>,
    {
        let column = self.next;
        make(self.take()?).ok_or_else(|| Error::corrupt(self.cannot_be(column)))
    }

    /// The place of what was asked for, counted from 1.
    pub(super) fn place(&mut self) -> Result<usize, Error> {
        self.made(|place: i64| usize::try_from(place).ok()?.checked_sub(1))
    }

    // the column's name and never what is in it: that may be terms
    fn cannot_be(&self, column: usize) -> String {
        let name = self.row.columns().get(column).map_or("?", |column| column.name());
        format!("`{name}` holds what this runtime never wrote")
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
        self.made(|word: Option<&str>| word.map_or(Some(None), |word| make(word).map(Some)))
    }

    fn bytes_if_any<const N: usize>(&mut self) -> Result<Option<[u8; N]>, Error> {
        self.made(|bytes: Option<&[u8]>| {
            bytes.map_or(Some(None), |bytes| bytes.try_into().ok().map(Some))
        })
    }

    fn count(&mut self) -> Result<u32, Error> {
        self.made(|number: i32| u32::try_from(number).ok())
    }

    fn version(&mut self) -> Result<u32, Error> {
        self.made(|number: i64| u32::try_from(number).ok())
    }

    fn number(&mut self) -> Result<u64, Error> {
        self.made(|number: i64| u64::try_from(number).ok())
    }

    fn yes_or_no(&mut self) -> Result<bool, Error> {
        self.take()
    }

    fn moment_if_any(&mut self) -> Result<Option<Instant>, Error> {
        Ok(self.take::<Option<i64>>()?.map(Instant::from_millis))
    }

    fn refused(&self) -> Error {
        Error::corrupt(self.cannot_be(self.next.saturating_sub(1)))
    }
}

/// What became of a write: a moment, whether it was done, whether its proof was a replay.
pub(super) fn written(columns: &mut Columns<'_>) -> Result<(Instant, Written), Error> {
    let (at, done, replayed) = (columns.moment()?, columns.take()?, columns.take()?);
    let written = match (done, replayed) {
        (_, true) => Written::Replayed,
        (true, false) => Written::Done(at),
        (false, false) => Written::NotNow,
    };
    Ok((at, written))
}

/// The columns of a revision, if it is what was issued; of one that was blanked, that nothing is left.
pub(super) fn revision(columns: &mut Columns<'_>, erased: bool) -> Result<StoredRevision, Error> {
    Unchecked::<StoredRevision>::take(columns)?.check(erased)
}

/// The columns of the view `stored`, if the table of moves can have led to it; also the integer key.
pub(super) fn stored(columns: &mut Columns<'_>, now: Instant) -> Result<(i64, Stored), Error> {
    let (at, stored) = Unchecked::take_stored(columns, now)?;
    Ok((at, stored.check()?))
}
