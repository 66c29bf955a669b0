//! Rows into values: what this runtime cannot have written is `Corrupt`, never a panic.

use std::fmt::Display;

use pap_protocol::operation::{ApprovedBy, Confirmation, OperationId, Revision};
use pap_protocol::value::Instant;
use rusqlite::Row;
use rusqlite::types::FromSql;

use super::failure::store_error;
use super::row_copy::{RowCopy, STORED};
use crate::store::guard::{can_be, is_blank, is_sound};
use crate::store::{
    ConfirmedBy, Confirming, Erasure, Error, Event, EventKind, Key, Life, Note, NoteKind, Owner,
    Running, Stored, StoredResult, StoredRevision,
};

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

    pub(super) fn yes_or_no(&mut self) -> Result<bool, Error> {
        self.made(|number: i64| match number {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        })
    }

    pub(super) fn moment(&mut self) -> Result<Instant, Error> {
        self.take().map(Instant::from_millis)
    }

    pub(super) fn moment_if_any(&mut self) -> Result<Option<Instant>, Error> {
        Ok(self.take::<Option<i64>>()?.map(Instant::from_millis))
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

/// A revision whose scopes are still JSON and whose digest was not compared yet, so that neither is done
/// on the writing thread.
#[derive(Debug)]
pub(super) struct Unchecked<T> {
    row: T,
    scopes: String,
}

impl Unchecked<StoredRevision> {
    /// The columns of a revision.
    pub(super) fn take(columns: &mut Columns<'_>) -> Result<Self, Error> {
        let number = columns.made(|number: u32| Revision::try_from(number).ok())?;
        let schema_version = columns.take()?;
        let (full, wire, summary) = (columns.take()?, columns.take()?, columns.take()?);
        let (digest, user_approval_required) = (columns.take()?, columns.yes_or_no()?);
        let (scopes, url) = (columns.take()?, columns.take()?);
        let (expires_at, issued_at) = (columns.moment()?, columns.moment()?);
        let row = StoredRevision {
            number,
            schema_version,
            full,
            wire,
            summary,
            digest,
            user_approval_required,
            scopes: Vec::new(),
            url,
            expires_at,
            issued_at,
        };
        Ok(Self { row, scopes })
    }

    /// The revision, if it is what was issued; of one that was blanked, that nothing is left.
    pub(super) fn check(self, erased: bool) -> Result<StoredRevision, Error> {
        let Self { mut row, scopes } = self;
        row.scopes = serde_json::from_str(&scopes)
            .map_err(|error| Error::corrupt("`scopes` is no list of texts").from_source(error))?;
        let whole = if erased { is_blank(&row) } else { is_sound(&row) };
        if !whole {
            let number = row.number;
            return Err(Error::corrupt(format!("revision {number} is not what was issued")));
        }
        Ok(row)
    }
}

impl Unchecked<Stored> {
    /// The columns of the view `stored`; also the operation's integer key.
    pub(super) fn take_stored(
        columns: &mut Columns<'_>,
        now: Instant,
    ) -> Result<(i64, Self), Error> {
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
        let state = columns.made(|state: String| state.parse().ok())?;
        let revision = columns.made(|number: u32| Revision::try_from(number).ok())?;
        let confirmed = confirmed(columns, revision)?;
        let result = result(columns)?;
        let reference = columns.take()?;
        let erased = erased(columns)?;
        let Unchecked { row: latest, scopes } = Unchecked::<StoredRevision>::take(columns)?;
        let running = running(columns)?;
        let key = Key { company, id };
        let row = Stored {
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
        Ok((at, Self { row, scopes }))
    }

    /// The operation, if the table of moves can have led to it.
    pub(super) fn check(self) -> Result<Stored, Error> {
        let Self { row: mut stored, scopes } = self;
        let wrong = |what: &dyn Display| {
            Err(Error::corrupt(format!("operation `{}` {what}", stored.key.id)))
        };
        if !can_be(stored.state, stored.confirmed.is_some()) {
            return wrong(&format_args!("cannot have become `{}`", stored.state));
        }
        if stored.state.is_final() != stored.result.is_some() {
            return wrong(&"is final without a result, or has a result and is not final");
        }
        if stored.running.is_some() != (stored.state == pap_protocol::operation::State::InProgress)
        {
            return wrong(&"is in progress without its list entry, or has one and is not");
        }
        let latest = Unchecked { row: stored.latest, scopes };
        stored.latest = latest.check(stored.erased.is_some())?;
        Ok(stored)
    }
}

fn confirmed(columns: &mut Columns<'_>, revision: Revision) -> Result<Option<ConfirmedBy>, Error> {
    let at = columns.moment_if_any()?;
    let approved_by = columns.made(|word: Option<String>| match word {
        Some(word) => word.parse::<ApprovedBy>().ok().map(Some),
        None => Some(None),
    })?;
    let client: Option<String> = columns.take()?;
    let key_thumbprint: Option<String> = columns.take()?;
    let (session, account): (Option<String>, Option<String>) = (columns.take()?, columns.take()?);
    let digest: Option<[u8; 32]> = columns.take()?;
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
    match (columns.moment_if_any()?, columns.take()?) {
        (Some(at), Some(salt)) => Ok(Some(Erasure { at, salt })),
        (None, None) => Ok(None),
        _ => Err(Error::corrupt("an erasure is there in part")),
    }
}

fn running(columns: &mut Columns<'_>) -> Result<Option<Running>, Error> {
    if columns.take::<Option<i64>>()?.is_none() {
        return Ok(None);
    }
    let life = columns.take::<Option<[u8; 16]>>()?.map(Life);
    let performing = columns.yes_or_no()?;
    if performing && life.is_none() {
        return Err(Error::corrupt("an operation is performed by nobody"));
    }
    Ok(Some(Running {
        life,
        performing,
        epoch: columns.take()?,
        ask_after: columns.moment()?,
        asks: columns.take()?,
        died_asking: columns.take()?,
        stop_requested: columns.moment_if_any()?,
        due: columns.moment_if_any()?,
        attention: columns.yes_or_no()?,
    }))
}

/// The columns of a note.
pub(super) fn note(columns: &mut Columns<'_>) -> Result<Note, Error> {
    let kind: String = columns.take()?;
    let (name, value): (Option<String>, String) = (columns.take()?, columns.take()?);
    let note = match (kind.as_str(), name) {
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
        columns.made(|word: String| EventKind::ALL.into_iter().find(|kind| kind.word() == word))?;
    Ok(Event { sequence, at, kind, detail: columns.take()? })
}
