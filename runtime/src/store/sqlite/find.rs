//! Finding operations, reading the feed, and counting what is open. What could be long is read a bounded
//! piece at a time.

use pap_protocol::operation::{OperationId, State};
use pap_protocol::value::Instant;
use rusqlite::Connection;

use super::read::by_key;
use super::rows::Columns;
use super::sql;
use super::transaction::{all, each};
use crate::store::row::{self, Row as _, Unchecked};
use crate::store::{
    Act, Counted, Cursor, Error, EventKind, FeedEvent, OVERDUE, OpenWork, PauseOf, Paused, Place,
    Purge, ReadActs, Search, Stored,
};

/// One read looks at no more rows than this, so that no snapshot is held for long.
pub(super) const LOOKED_AT: u32 = 4_096;

/// What a search looks at.
struct Findable {
    key: i64,
    company: String,
    action: String,
    account: Option<String>,
    reference: Option<String>,
    state: State,
    proposed_at: Option<Instant>,
    attention: bool,
    waits_since: Option<Instant>,
}

impl Findable {
    fn take(columns: &mut Columns<'_>) -> Result<Self, Error> {
        let (key, company, action) = (columns.take()?, columns.take()?, columns.take()?);
        let (account, reference) = (columns.take()?, columns.take()?);
        let state = columns.made(|state: String| state.parse().ok())?;
        let proposed_at = columns.moment_if_any()?;
        let attention = columns.take::<Option<i64>>()? == Some(1);
        let waits = columns.yes_or_no()?;
        let waits_since = columns.moment_if_any()?.filter(|_| waits);
        Ok(Self {
            key,
            company,
            action,
            account,
            reference,
            state,
            proposed_at,
            attention,
            waits_since,
        })
    }

    fn is_sought(&self, search: &Search) -> bool {
        fn same(wanted: Option<&String>, is: Option<&String>) -> bool {
            wanted.is_none() || wanted == is
        }
        let before = |before: Option<Instant>, is: Option<Instant>| {
            before.is_none_or(|before| is.is_some_and(|is| is < before))
        };
        self.company == search.company
            && search.state.is_none_or(|state| state == self.state)
            && same(search.action.as_ref(), Some(&self.action))
            && same(search.account.as_ref(), self.account.as_ref())
            && same(search.reference.as_ref(), self.reference.as_ref())
            && before(search.proposed_before, self.proposed_at)
            && (self.attention && search.attention_before.is_some()
                || before(search.attention_before, self.waits_since))
    }
}

/// A piece of what was searched.
pub(super) struct Piece {
    /// What was found, before it is checked.
    pub(super) found: Vec<Unchecked<Stored>>,
    /// The last one that was looked at or found, if there may be more behind it.
    pub(super) next: Option<Place>,
}

/// Looks at a bounded number of operations for as many as are wanted.
pub(super) fn search(
    connection: &Connection,
    search: &Search,
    now: Instant,
) -> Result<Piece, Error> {
    let after = search.after.map_or(i64::MIN, |place| place.0);
    let in_progress = search.attention_before.is_some() || search.state == Some(State::InProgress);
    let (statement, by) = if let Some(reference) = &search.reference {
        (sql::SEARCH_BY_REFERENCE, Some(reference))
    } else if let Some(account) = &search.account {
        (sql::SEARCH_BY_ACCOUNT, Some(account))
    } else if in_progress {
        (sql::SEARCH_IN_PROGRESS, None)
    } else if let Some(action) = &search.action {
        (sql::SEARCH_BY_ACTION, Some(action))
    } else {
        (sql::SEARCH_ALL, None)
    };
    let limit = usize::try_from(search.limit).unwrap_or(usize::MAX);
    let (mut looked_at, mut last, mut full) = (0_u32, None, false);
    let mut keys = Vec::new();
    let look = |row: &rusqlite::Row<'_>| {
        let findable = Findable::take(&mut Columns::of(row))?;
        looked_at += 1;
        if findable.is_sought(search) {
            if keys.len() == limit {
                full = true;
                return Ok(false);
            }
            keys.push(findable.key);
        }
        last = Some(Place(findable.key));
        Ok(true)
    };
    match by {
        Some(by) => each(connection, statement, (&search.company, after, LOOKED_AT, by), look)?,
        None if in_progress => {
            each(connection, statement, (&search.company, after, LOOKED_AT), look)?;
        }
        None => each(connection, statement, (rusqlite::types::Null, after, LOOKED_AT), look)?,
    }
    let next = last.filter(|_| full || looked_at == LOOKED_AT);
    let found = keys.into_iter().filter_map(|key| by_key(connection, key, now).transpose());
    Ok(Piece { found: found.collect::<Result<_, _>>()?, next })
}

/// A piece of the feed.
pub(super) struct Events {
    /// Those of the company.
    pub(super) ours: Vec<FeedEvent>,
    /// The last one that was looked at.
    pub(super) last: i64,
    /// Whether there was nothing else to look at.
    pub(super) all: bool,
}

/// Looks at a bounded number of events.
pub(super) fn feed(
    connection: &Connection,
    company: &str,
    after: i64,
    limit: usize,
) -> Result<Events, Error> {
    let mut piece = Events { ours: Vec::new(), last: after, all: true };
    let mut looked_at = 0;
    each(connection, sql::FEED_PIECE, (after, company, LOOKED_AT), |row| {
        if piece.ours.len() == limit {
            piece.all = false;
            return Ok(false);
        }
        let mut columns = Columns::of(row);
        let (sequence, at): (i64, _) = (columns.take()?, columns.moment()?);
        (piece.last, looked_at) = (sequence, looked_at + 1);
        let kind: String = columns.take()?;
        let id: Option<String> = columns.take()?;
        let ours = columns.take::<Option<i64>>()? == Some(1);
        let Some(id) = id.filter(|_| ours) else { return Ok(true) };
        let wrong = || Error::corrupt("the feed holds what this runtime never wrote");
        let id = OperationId::try_from(id).map_err(|error| wrong().from_source(error))?;
        let kind = EventKind::ALL.into_iter().find(|known| known.word() == kind);
        let (kind, cursor) = (kind.ok_or_else(wrong)?, Cursor::at(sequence.to_string()));
        piece.ours.push(FeedEvent { cursor, id, kind, at });
        Ok(true)
    })?;
    piece.all &= looked_at < LOOKED_AT;
    Ok(piece)
}

/// How many of the next operations a purge would remove, and which was the last if there may be more behind it.
pub(super) fn purgeable(
    connection: &Connection,
    purge: &Purge,
) -> Result<(Counted, Option<Place>), Error> {
    let after = purge.after.map_or(i64::MIN, |place| place.0);
    let ended_before = purge.ended_before.as_millis();
    let params = (&purge.company, &purge.action, after, ended_before, purge.limit);
    let (mut counted, mut looked_at, mut last) = (Counted::default(), 0, None);
    each(connection, sql::PURGEABLE, params, |row| {
        let mut columns = Columns::of(row);
        (looked_at, last) = (looked_at + 1, Some(Place(columns.take()?)));
        counted.would += u32::from(columns.yes_or_no()?);
        counted.open += u32::from(columns.yes_or_no()?);
        Ok(true)
    })?;
    Ok((counted, last.filter(|_| looked_at == purge.limit)))
}

/// How many operations of an account an erasure would blank.
pub(super) fn erasable(
    connection: &Connection,
    company: &str,
    account: &str,
) -> Result<Counted, Error> {
    let mut counted = Counted::default();
    each(connection, sql::ERASABLE, (company, account), |row| {
        let mut columns = Columns::of(row);
        columns.take::<i64>()?;
        let is_over = columns.yes_or_no()?;
        counted.would += u32::from(is_over);
        counted.open += u32::from(!is_over);
        Ok(true)
    })?;
    Ok(counted)
}

/// What is in progress, action by action.
pub(super) fn open_work(
    connection: &Connection,
    company: &str,
    now: Instant,
) -> Result<Vec<OpenWork>, Error> {
    let overdue = now.saturating_sub(OVERDUE).as_millis();
    all(connection, sql::OPEN_WORK, (company, overdue), |read| {
        row::open_work(&mut Columns::of(read))
    })
}

/// What operators did.
pub(super) fn acts(connection: &Connection, read: &ReadActs) -> Result<Vec<Act>, Error> {
    let after = i64::try_from(read.after).unwrap_or(i64::MAX);
    all(connection, sql::ACTS, (&read.company, after, read.limit), |found| {
        row::act(&mut Columns::of(found))
    })
}

/// What is held back.
pub(super) fn pauses(connection: &Connection, company: &str) -> Result<Vec<Paused>, Error> {
    all(connection, sql::PAUSES, (company,), |row| {
        let mut columns = Columns::of(row);
        let of =
            columns.made(|word: String| PauseOf::ALL.into_iter().find(|of| of.word() == word))?;
        let action: String = columns.take()?;
        Ok(Paused {
            of,
            action: Some(action).filter(|action| !action.is_empty()),
            since: columns.moment()?,
            who: columns.take()?,
            why: columns.take()?,
        })
    })
}
