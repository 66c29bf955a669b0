//! The lives of processes.

use rusqlite::Connection;

use super::super::sql;
use super::super::transaction::{Transaction, first, integer};
use super::Work;
use crate::store::{Error, Life};

/// Puts a life on record.
pub(in super::super) fn begin_life(life: Life) -> impl Work<()> {
    move |transaction: &Transaction<'_>| {
        transaction.execute(sql::BEGIN_LIFE, (life.0, transaction.now.as_millis()))?;
        if lives(transaction.connection, life)? {
            return Ok(());
        }
        Err(Error::not_written("a life that has ended does not begin again: take a new one"))
    }
}

/// Whether a life goes on. Nobody is ended: a file has one process.
pub(in super::super) fn lives(connection: &Connection, life: Life) -> Result<bool, Error> {
    let goes_on = first(connection, sql::LIFE_GOES_ON, (life.0,), |row| integer(row, 0))?;
    Ok(goes_on == Some(1))
}

/// Ends a life.
pub(in super::super) fn end_life(life: Life) -> impl Work<()> {
    move |transaction: &Transaction<'_>| {
        transaction.execute(sql::END_LIFE, (life.0, transaction.now.as_millis())).map(drop)
    }
}
