//! Each read of the contract, on a connection that can change nothing.

use pap_protocol::value::Instant;
use rusqlite::Connection;

use super::places::place_of;
use super::row_copy::RowCopy;
use super::rows::Columns;
use super::sql;
use super::transaction::{all, each, first};
use crate::store::row::{Unchecked, event, note};
use crate::store::{
    Error, Event, Found, History, Key, Known, Note, OpenAction, Stored, StoredRevision,
    TakeAskable, Waiting,
};

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

/// The same as it lies there, to be made into an operation by whoever asked.
pub(super) fn row_copy(
    connection: &Connection,
    key: &Key,
    now: Instant,
) -> Result<Option<RowCopy>, Error> {
    let params = (key.id.as_str(), &key.company);
    first(connection, sql::READ, params, |row| RowCopy::of(row, now))
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

/// Operations that may be asked about by whoever knows these terms, those that wait longest first.
pub(super) fn askable(
    connection: &Connection,
    take: &TakeAskable,
    now: Instant,
) -> Result<Vec<i64>, Error> {
    let mut found = Vec::new();
    // the one that a process may have died of first: it waits longest
    for (suspect, limit) in [(true, 1), (false, take.limit)] {
        let left =
            limit.min(take.limit).saturating_sub(u32::try_from(found.len()).unwrap_or(limit));
        let params = (&take.company, now.as_millis(), suspect);
        let sought = Sought { known: &take.known, limit: left };
        found.extend(known(connection, sql::ASKABLE, params, sought, key)?);
    }
    Ok(found)
}

fn key(columns: &mut Columns<'_>) -> Result<i64, Error> {
    columns.take()
}

/// How many are wanted, of which terms.
#[derive(Clone, Copy)]
pub(super) struct Sought<'k> {
    pub(super) known: &'k [Known],
    pub(super) limit: u32,
}

/// What the rows of a statement name that ends in an action and a version of its terms, of those that are
/// known.
pub(super) fn known<T>(
    connection: &Connection,
    sql: &str,
    params: impl rusqlite::Params,
    sought: Sought<'_>,
    take: impl Fn(&mut Columns<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let limit = usize::try_from(sought.limit).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    each(connection, sql, params, |row| {
        if found.len() == limit {
            return Ok(false);
        }
        let mut columns = Columns::of(row);
        let named = take(&mut columns)?;
        let (action, version) = (columns.take::<String>()?, columns.take::<Option<u32>>()?);
        let known = sought.known.iter().find(|known| known.action == action);
        if let (Some(known), Some(version)) = (known, version)
            && known.versions.contains(&version)
        {
            found.push(named);
        }
        Ok(true)
    })?;
    Ok(found)
}

/// Operations that wait to be started, before they are checked.
pub(super) fn waiting(
    connection: &Connection,
    which: &Waiting,
    now: Instant,
) -> Result<Vec<Unchecked<Stored>>, Error> {
    let sought = Sought { known: &which.known, limit: which.limit };
    let keys: Vec<i64> = known(connection, sql::WAITING, (&which.company,), sought, key)?;
    keys.into_iter().filter_map(|key| by_key(connection, key, now).transpose()).collect()
}

/// One operation by its integer key.
pub(super) fn by_key(
    connection: &Connection,
    key: i64,
    now: Instant,
) -> Result<Option<Unchecked<Stored>>, Error> {
    first(connection, sql::READ_BY_KEY, (key,), |row| {
        Unchecked::take_stored(&mut Columns::of(row), now).map(|(_, stored)| stored)
    })
}

/// One revision, before it is checked.
pub(super) fn revision(
    connection: &Connection,
    key: i64,
    number: u32,
) -> Result<Option<Unchecked<StoredRevision>>, Error> {
    first(connection, sql::REVISION, (key, number), |row| {
        Unchecked::<StoredRevision>::take(&mut Columns::of(row))
    })
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
        let stored = self.stored.check()?;
        let erased = stored.erased.is_some();
        let revisions = self.revisions.into_iter().map(|revision| revision.check(erased));
        Ok(History {
            stored,
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
    record(connection, key, stored).map(Some)
}

/// The same by its integer key.
pub(super) fn history_by_key(
    connection: &Connection,
    key: i64,
    now: Instant,
) -> Result<Option<Record>, Error> {
    by_key(connection, key, now)?.map(|stored| record(connection, key, stored)).transpose()
}

fn record(connection: &Connection, key: i64, stored: Unchecked<Stored>) -> Result<Record, Error> {
    Ok(Record {
        stored,
        revisions: all(connection, sql::REVISIONS, (key,), |row| {
            Unchecked::<StoredRevision>::take(&mut Columns::of(row))
        })?,
        notes: all(connection, sql::NOTES, (key,), |row| note(&mut Columns::of(row)))?,
        events: all(connection, sql::EVENTS, (key,), |row| event(&mut Columns::of(row)))?,
    })
}
