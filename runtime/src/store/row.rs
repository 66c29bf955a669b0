//! Rows into values, for every store with tables: what this runtime cannot have written is `Corrupt`, never a
//! panic. How a column is read is each store's own.

use std::fmt::Display;
use std::str::FromStr;

use pap_protocol::operation::{Confirmation, OperationId, Revision, State};
use pap_protocol::value::Instant;

use super::guard::{can_be, is_blank, is_sound};
use super::{
    Act, ActKind, ConfirmedBy, Confirming, Erasure, Error, Event, EventKind, Key, Life, Note,
    NoteKind, OpenWork, Owner, PauseOf, Running, Stored, StoredResult, StoredRevision,
};

/// A row taken in the order of its columns: each call takes the next one.
pub(super) trait Row {
    /// An integer key, or none.
    fn key_if_any(&mut self) -> Result<Option<i64>, Error>;
    fn text(&mut self) -> Result<String, Error>;
    fn text_if_any(&mut self) -> Result<Option<String>, Error>;
    /// A word that is made into something else, where the column need not have one.
    fn word_if_any<T>(&mut self, make: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error>;
    fn bytes_if_any<const N: usize>(&mut self) -> Result<Option<[u8; N]>, Error>;
    fn count(&mut self) -> Result<u32, Error>;
    /// A version of terms, which may be any of 32 bits.
    fn version(&mut self) -> Result<u32, Error>;
    /// What is never negative: the place of an event, or how many there are.
    fn number(&mut self) -> Result<u64, Error>;
    fn yes_or_no(&mut self) -> Result<bool, Error>;
    fn moment_if_any(&mut self) -> Result<Option<Instant>, Error>;
    /// What is wrong with the column that was taken last: its name, and never what is in it, which may be
    /// terms.
    fn refused(&self) -> Error;

    fn key(&mut self) -> Result<i64, Error> {
        self.key_if_any()?.ok_or_else(|| self.refused())
    }

    fn word<T>(&mut self, make: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        self.word_if_any(make)?.ok_or_else(|| self.refused())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        self.bytes_if_any()?.ok_or_else(|| self.refused())
    }

    fn moment(&mut self) -> Result<Instant, Error> {
        self.moment_if_any()?.ok_or_else(|| self.refused())
    }

    fn revision(&mut self) -> Result<Revision, Error> {
        let number = self.count()?;
        Revision::try_from(number).map_err(|error| self.refused().from_source(error))
    }
}

/// A revision whose scopes are still JSON and whose digest was not compared yet, so that neither need be done
/// on the thread that read the row.
#[derive(Debug)]
pub(super) struct Unchecked<T> {
    row: T,
    scopes: String,
}

impl Unchecked<StoredRevision> {
    /// The columns of a revision.
    pub(super) fn take(row: &mut impl Row) -> Result<Self, Error> {
        let (number, schema_version) = (row.revision()?, row.version()?);
        let (full, wire, summary) = (row.text()?, row.text()?, row.text()?);
        let (digest, user_approval_required) = (row.bytes()?, row.yes_or_no()?);
        let (scopes, url) = (row.text()?, row.text_if_any()?);
        let (expires_at, issued_at) = (row.moment()?, row.moment()?);
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
    pub(super) fn take_stored(row: &mut impl Row, now: Instant) -> Result<(i64, Self), Error> {
        let (at, company) = (row.key()?, row.text()?);
        let id = row.word(|id| OperationId::from_str(id).ok())?;
        let action = row.text()?;
        let owner = Owner {
            client: row.text()?,
            user: row.text()?,
            account: row.text_if_any()?,
            session: row.text()?,
        };
        let state = row.word(|state| state.parse().ok())?;
        let revision = row.revision()?;
        let confirmed = confirmed(row, revision)?;
        let result = result(row)?;
        let reference = row.text_if_any()?;
        let erased = erased(row)?;
        let Unchecked { row: latest, scopes } = Unchecked::<StoredRevision>::take(row)?;
        let running = running(row)?;
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
        if stored.running.is_some() != (stored.state == State::InProgress) {
            return wrong(&"is in progress without its list entry, or has one and is not");
        }
        let latest = Unchecked { row: stored.latest, scopes };
        stored.latest = latest.check(stored.erased.is_some())?;
        Ok(stored)
    }
}

fn confirmed(row: &mut impl Row, revision: Revision) -> Result<Option<ConfirmedBy>, Error> {
    let at = row.moment_if_any()?;
    let approved_by = row.word_if_any(|word| word.parse().ok())?;
    let (client, key_thumbprint) = (row.text_if_any()?, row.text_if_any()?);
    let (session, account) = (row.text_if_any()?, row.text_if_any()?);
    let digest = row.bytes_if_any()?;
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

fn result(row: &mut impl Row) -> Result<Option<StoredResult>, Error> {
    let (summary, data) = (row.text_if_any()?, row.text_if_any()?);
    match (summary, data, row.moment_if_any()?) {
        (Some(summary), data, Some(at)) => Ok(Some(StoredResult { summary, data, at })),
        (None, None, None) => Ok(None),
        _ => Err(Error::corrupt("a result is there in part")),
    }
}

fn erased(row: &mut impl Row) -> Result<Option<Erasure>, Error> {
    match (row.moment_if_any()?, row.bytes_if_any()?) {
        (Some(at), Some(salt)) => Ok(Some(Erasure { at, salt })),
        (None, None) => Ok(None),
        _ => Err(Error::corrupt("an erasure is there in part")),
    }
}

fn running(row: &mut impl Row) -> Result<Option<Running>, Error> {
    if row.key_if_any()?.is_none() {
        return Ok(None);
    }
    let life = row.bytes_if_any()?.map(Life);
    let performing = row.yes_or_no()?;
    if performing && life.is_none() {
        return Err(Error::corrupt("an operation is performed by nobody"));
    }
    Ok(Some(Running {
        life,
        performing,
        epoch: row.count()?,
        ask_after: row.moment()?,
        asks: row.count()?,
        died_asking: row.count()?,
        stop_requested: row.moment_if_any()?,
        due: row.moment_if_any()?,
        attention: row.yes_or_no()?,
    }))
}

/// The columns of a note.
pub(super) fn note(row: &mut impl Row) -> Result<Note, Error> {
    let (kind, name, value) = (row.text()?, row.text_if_any()?, row.text()?);
    let note = match (kind.as_str(), name) {
        ("change", None) => NoteKind::Change(value),
        ("checkpoint", Some(name)) => NoteKind::Checkpoint { name, value },
        _ => return Err(Error::corrupt("`notes.kind` holds what this runtime never wrote")),
    };
    Ok(Note { note, at: row.moment()? })
}

/// The columns of an event.
pub(super) fn event(row: &mut impl Row) -> Result<Event, Error> {
    let (sequence, at) = (row.number()?, row.moment()?);
    let kind = row.word(|word| EventKind::ALL.into_iter().find(|kind| kind.word() == word))?;
    Ok(Event { sequence, at, kind, detail: row.text()? })
}

/// The columns of an act.
pub(super) fn act(row: &mut impl Row) -> Result<Act, Error> {
    let (number, at) = (row.number()?, row.moment()?);
    let (word, of) = (
        row.text()?,
        row.word_if_any(|word| PauseOf::ALL.into_iter().find(|of| of.word() == word))?,
    );
    let kind = match (word.as_str(), of) {
        ("pause", Some(of)) => ActKind::Pause(of),
        ("resume", Some(of)) => ActKind::Resume(of),
        ("purge", None) => ActKind::Purge,
        ("erase", None) => ActKind::Erase,
        _ => return Err(Error::corrupt("`acts.act` holds what this runtime never wrote")),
    };
    let (action, who, why) = (row.text_if_any()?, row.text()?, row.text()?);
    let operations = u32::try_from(row.number()?).unwrap_or(u32::MAX);
    Ok(Act { number, at, kind, action, who, why, operations })
}

/// The columns of what is in progress of one action.
pub(super) fn open_work(row: &mut impl Row) -> Result<OpenWork, Error> {
    Ok(OpenWork {
        action: row.text()?,
        in_progress: row.number()?,
        oldest: row.moment_if_any()?,
        attention: row.number()?,
        deferred: row.number()?,
        handed_over: row.number()?,
    })
}
