//! Each read of the contract, on a connection that can change nothing.

use pap_protocol::value::Instant;
use rusqlite::Connection;

use super::places::place_of;
use super::rows::{Columns, Unchecked, event, note};
use super::sql;
use super::transaction::{all, first, integer};
use crate::store::{Error, Event, Found, History, Key, Note, OpenAction, Stored, StoredRevision};

/// One operation with its latest revision.
pub(super) fn stored(
    connection: &Connection,
    key: &Key,
    now: Instant,
) -> Result<Option<(i64, Unchecked<Stored>)>, Error> {
    first(connection, sql::READ, (key.id.as_str(), &key.company), |row| {
        Unchecked::take_stored(&mut Columns::of(row), now)
    })
}

/// An open operation, before it is checked.
pub(super) struct Open {
    request: [u8; 32],
    stored: Unchecked<Stored>,
}

impl Open {
    /// What the caller gets.
    pub(super) fn check(self) -> Result<Found, Error> {
        Ok(Found { stored: self.stored.check()?, request: self.request })
    }
}

/// The open operation of the first owner tag that has one.
pub(super) fn open(
    connection: &Connection,
    action: &OpenAction,
    now: Instant,
) -> Result<Option<Open>, Error> {
    for owner in &action.owners {
        let params = (place_of(action, owner), now.as_millis());
        let found = first(connection, sql::READ_OPEN, params, |row| {
            let mut columns = Columns::of(row);
            let request = columns.take()?;
            let (_, stored) = Unchecked::take_stored(&mut columns, now)?;
            Ok(Open { request, stored })
        })?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Operations that may be asked about, those that wait longest first.
pub(super) fn askable(
    connection: &Connection,
    company: &str,
    limit: u32,
    now: Instant,
) -> Result<Vec<i64>, Error> {
    let params = (company, now.as_millis(), limit);
    all(connection, sql::ASKABLE, params, |row| integer(row, 0))
}

/// Everything on record about an operation, before it is checked.
pub(super) struct Record {
    stored: Unchecked<Stored>,
    revisions: Vec<Unchecked<StoredRevision>>,
    notes: Vec<Note>,
    events: Vec<Event>,
}

impl Record {
    /// What the caller gets.
    pub(super) fn check(self) -> Result<History, Error> {
        let revisions = self.revisions.into_iter().map(Unchecked::<StoredRevision>::check);
        Ok(History {
            stored: self.stored.check()?,
            revisions: revisions.collect::<Result<_, _>>()?,
            notes: self.notes,
            events: self.events,
        })
    }
}

/// Everything on record about an operation.
pub(super) fn history(
    connection: &Connection,
    key: &Key,
    now: Instant,
) -> Result<Option<Record>, Error> {
    let Some((key, stored)) = stored(connection, key, now)? else { return Ok(None) };
    Ok(Some(Record {
        stored,
        revisions: all(connection, sql::REVISIONS, (key,), |row| {
            Unchecked::<StoredRevision>::take(&mut Columns::of(row))
        })?,
        notes: all(connection, sql::NOTES, (key,), |row| note(&mut Columns::of(row)))?,
        events: all(connection, sql::EVENTS, (key,), |row| event(&mut Columns::of(row)))?,
    }))
}
