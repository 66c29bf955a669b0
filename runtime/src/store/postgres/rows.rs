//! How the columns of PostgreSQL are read.

use pap_protocol::value::Instant;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type, WrongType};

use crate::store::row::{Row as _, Unchecked};
use crate::store::{Error, Stored, StoredRevision, Written, row};

/// Why a value was not taken.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A row taken in the order of its columns.
pub(super) struct Columns<'r> {
    of: Of<'r>,
    next: usize,
}

/// Where the columns stand.
enum Of<'r> {
    Row(&'r Row),
    /// What is left of a row that came as one value, as `record_send` writes it.
    Record(&'r [u8]),
}

impl<'r> Columns<'r> {
    pub(super) fn of(row: &'r Row) -> Self {
        Self { of: Of::Row(row), next: 0 }
    }

    /// The columns of the row that is the next column.
    pub(super) fn record(&mut self) -> Result<Self, Error> {
        self.made(|record: &'r [u8]| {
            // first how many there are: there is an end to them anyway
            record.split_first_chunk::<4>().map(|(_, rest)| Self { of: Of::Record(rest), next: 0 })
        })
    }

    /// The next column.
    pub(super) fn take<T: FromSql<'r>>(&mut self) -> Result<T, Error> {
        let column = self.next;
        self.next += 1;
        // the driver's error names types and no values
        let taken = match &mut self.of {
            Of::Row(row) => row.try_get(column).map_err(Cause::from),
            Of::Record(rest) => next_of(rest),
        };
        taken.map_err(|error| Error::corrupt(self.cannot_be(column)).from_source(error))
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
        let name = match &self.of {
            Of::Row(row) => {
                row.columns().get(column).map_or("?", |column| column.name()).to_owned()
            }
            Of::Record(_) => format!("stored.{}", column + 1),
        };
        format!("`{name}` holds what this runtime never wrote")
    }
}

/// Takes the next value of a record: its type, its length, and itself unless it is null.
fn next_of<'r, T: FromSql<'r>>(rest: &mut &'r [u8]) -> Result<T, Cause> {
    let kind = Type::from_oid(u32::from_be_bytes(chunk(rest)?));
    if let Some(kind) = kind.as_ref().filter(|kind| !T::accepts(kind)) {
        return Err(WrongType::new::<T>(kind.clone()).into());
    }
    // a type of the schema's own has the form of the one that it is made of
    let kind = kind.unwrap_or(Type::UNKNOWN);
    let Ok(length) = usize::try_from(i32::from_be_bytes(chunk(rest)?)) else {
        return T::from_sql_null(&kind);
    };
    let (value, after) = rest.split_at_checked(length).ok_or("a record ends too soon")?;
    *rest = after;
    T::from_sql(&kind, value)
}

fn chunk<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Cause> {
    let (chunk, after) = rest.split_first_chunk().ok_or("a record ends too soon")?;
    *rest = after;
    Ok(*chunk)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_taken_to_its_end_and_no_further() {
        let text = [0, 0, 0, 25, 0, 0, 0, 2, b'h', b'i'];
        let whole = [text.as_slice(), &[0, 0, 0, 20, 255, 255, 255, 255]].concat();
        let mut rest = whole.as_slice();
        assert_eq!(next_of::<&str>(&mut rest).unwrap(), "hi");
        assert_eq!(next_of::<Option<i64>>(&mut rest).unwrap(), None);
        assert!(next_of::<Option<i64>>(&mut rest).is_err(), "nothing is left");
        for end in 0..text.len() {
            assert!(next_of::<&str>(&mut text.get(..end).unwrap()).is_err(), "{end}");
        }
        assert!(next_of::<i64>(&mut text.as_slice()).is_err(), "a text is no number");
    }
}
