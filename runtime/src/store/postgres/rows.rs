//! Rows into values: what this runtime cannot have written is `Corrupt`, never a panic.

use std::fmt::Display;

use pap_protocol::operation::{ApprovedBy, Confirmation, OperationId, Revision, State};
use pap_protocol::value::Instant;
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use crate::store::guard::{can_be, is_blank, is_sound};
use crate::store::{
    ConfirmedBy, Confirming, Erasure, Error, Event, EventKind, Key, Life, Note, NoteKind, Owner,
    Running, Stored, StoredResult, StoredRevision, Written,
};

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

    /// The next column as a count.
    pub(super) fn count(&mut self) -> Result<u32, Error> {
        self.made(|number: i32| u32::try_from(number).ok())
    }

    pub(super) fn moment(&mut self) -> Result<Instant, Error> {
        self.take().map(Instant::from_millis)
    }

    pub(super) fn moment_if_any(&mut self) -> Result<Option<Instant>, Error> {
        Ok(self.take::<Option<i64>>()?.map(Instant::from_millis))
    }

    pub(super) fn digest(&mut self) -> Result<[u8; 32], Error> {
        self.made(|bytes: &[u8]| bytes.try_into().ok())
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
    let number =
        columns.made(|number: i32| Revision::try_from(u32::try_from(number).ok()?).ok())?;
    let schema_version = columns.made(|number: i64| u32::try_from(number).ok())?;
    let (full, wire, summary) = (columns.take()?, columns.take()?, columns.take()?);
    let (digest, user_approval_required) = (columns.digest()?, columns.take()?);
    let scopes: &str = columns.take()?;
    let scopes = serde_json::from_str(scopes)
        .map_err(|error| Error::corrupt("`scopes` is no list of texts").from_source(error))?;
    let url = columns.take()?;
    let (expires_at, issued_at) = (columns.moment()?, columns.moment()?);
    let revision = StoredRevision {
        number,
        schema_version,
        full,
        wire,
        summary,
        digest,
        user_approval_required,
        scopes,
        url,
        expires_at,
        issued_at,
    };
    let whole = if erased { is_blank(&revision) } else { is_sound(&revision) };
    if !whole {
        return Err(Error::corrupt(format!("revision {number} is not what was issued")));
    }
    Ok(revision)
}

/// The columns of the view `stored`, if the table of moves can have led to it; also the integer key.
pub(super) fn stored(columns: &mut Columns<'_>, now: Instant) -> Result<(i64, Stored), Error> {
    let at = columns.take()?;
    let company = columns.take()?;
    let id = columns.made(|id: String| OperationId::try_from(id).ok())?;
    let action = columns.take()?;
    let owner = Owner {
        client: columns.take()?,
        user: columns.take()?,
        account: columns.take()?,
        session: columns.take()?,
    };
    let state = columns.made(|state: &str| state.parse().ok())?;
    let number =
        columns.made(|number: i32| Revision::try_from(u32::try_from(number).ok()?).ok())?;
    let confirmed = confirmed(columns, number)?;
    let result = result(columns)?;
    let reference = columns.take()?;
    let erased = erased(columns)?;
    let latest = revision(columns, erased.is_some())?;
    let running = running(columns)?;
    let key = Key { company, id };
    let stored = Stored {
        key,
        action,
        owner,
        state,
        latest,
        confirmed,
        result,
        running,
        reference,
        erased,
        now,
    };
    check(stored).map(|stored| (at, stored))
}

fn check(stored: Stored) -> Result<Stored, Error> {
    let wrong =
        |what: &dyn Display| Err(Error::corrupt(format!("operation `{}` {what}", stored.key.id)));
    if !can_be(stored.state, stored.confirmed.is_some()) {
        return wrong(&format_args!("cannot have become `{}`", stored.state));
    }
    if stored.state.is_final() != stored.result.is_some() {
        return wrong(&"is final without a result, or has a result and is not final");
    }
    if stored.running.is_some() != (stored.state == State::InProgress) {
        return wrong(&"is in progress without its list entry, or has one and is not");
    }
    Ok(stored)
}

fn confirmed(columns: &mut Columns<'_>, revision: Revision) -> Result<Option<ConfirmedBy>, Error> {
    let at = columns.moment_if_any()?;
    let approved_by = columns.made(|word: Option<&str>| match word {
        Some(word) => word.parse::<ApprovedBy>().ok().map(Some),
        None => Some(None),
    })?;
    let client: Option<String> = columns.take()?;
    let key_thumbprint: Option<String> = columns.take()?;
    let (session, account): (Option<String>, Option<String>) = (columns.take()?, columns.take()?);
    let digest = columns.made(|bytes: Option<&[u8]>| match bytes {
        Some(bytes) => bytes.try_into().ok().map(Some),
        None => Some(None),
    })?;
    match (at, approved_by, client, key_thumbprint, session, digest) {
        (Some(at), Some(approved_by), Some(client), Some(key), Some(session), Some(digest)) => {
            let confirmation = Confirmation { revision, approved_by, confirmed_at: at };
            let by = Confirming { client, key_thumbprint: key, session, account, digest };
            Ok(Some(ConfirmedBy { confirmation, by }))
        }
        (None, None, None, None, None, None) => Ok(None),
        _ => Err(Error::corrupt("a confirmation is there in part")),
    }
}

fn result(columns: &mut Columns<'_>) -> Result<Option<StoredResult>, Error> {
    let (summary, data): (Option<String>, Option<String>) = (columns.take()?, columns.take()?);
    match (summary, data, columns.moment_if_any()?) {
        (Some(summary), data, Some(at)) => Ok(Some(StoredResult { summary, data, at })),
        (None, None, None) => Ok(None),
        _ => Err(Error::corrupt("a result is there in part")),
    }
}

fn erased(columns: &mut Columns<'_>) -> Result<Option<Erasure>, Error> {
    let at = columns.moment_if_any()?;
    let salt = columns.made(|bytes: Option<&[u8]>| match bytes {
        Some(bytes) => bytes.try_into().ok().map(Some),
        None => Some(None),
    })?;
    match (at, salt) {
        (Some(at), Some(salt)) => Ok(Some(Erasure { at, salt })),
        (None, None) => Ok(None),
        _ => Err(Error::corrupt("an erasure is there in part")),
    }
}

fn running(columns: &mut Columns<'_>) -> Result<Option<Running>, Error> {
    if columns.take::<Option<i64>>()?.is_none() {
        return Ok(None);
    }
    let life = columns.made(|bytes: Option<&[u8]>| match bytes {
        Some(bytes) => bytes.try_into().ok().map(|life| Some(Life(life))),
        None => Some(None),
    })?;
    let performing = columns.take()?;
    if performing && life.is_none() {
        return Err(Error::corrupt("an operation is performed by nobody"));
    }
    Ok(Some(Running {
        life,
        performing,
        epoch: columns.count()?,
        ask_after: columns.moment()?,
        asks: columns.count()?,
        died_asking: columns.count()?,
        stop_requested: columns.moment_if_any()?,
        due: columns.moment_if_any()?,
        attention: columns.take()?,
    }))
}

/// The columns of a note.
pub(super) fn note(columns: &mut Columns<'_>) -> Result<Note, Error> {
    let kind: &str = columns.take()?;
    let (name, value): (Option<String>, String) = (columns.take()?, columns.take()?);
    let note = match (kind, name) {
        ("change", None) => NoteKind::Change(value),
        ("checkpoint", Some(name)) => NoteKind::Checkpoint { name, value },
        _ => return Err(Error::corrupt("`notes.kind` holds what this runtime never wrote")),
    };
    Ok(Note { note, at: columns.moment()? })
}

/// The columns of an event.
pub(super) fn event(columns: &mut Columns<'_>) -> Result<Event, Error> {
    let sequence = columns.made(|number: i64| u64::try_from(number).ok())?;
    let at = columns.moment()?;
    let kind =
        columns.made(|word: &str| EventKind::ALL.into_iter().find(|kind| kind.word() == word))?;
    Ok(Event { sequence, at, kind, detail: columns.take()? })
}
