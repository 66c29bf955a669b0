//! What a performer puts on record while it performs.

use super::super::sql;
use super::super::transaction::Transaction;
use super::Work;
use crate::store::{Error, EventKind, NoteKind, WriteNote, Written, detail};

/// Appends a change, or a checkpoint while nobody has asked.
pub(in super::super) fn write_note(write: WriteNote) -> Result<impl Work<Written>, Error> {
    let event = match &write.note {
        NoteKind::Change(_) => detail::change_noted(false).to_owned(),
        NoteKind::Checkpoint { name, .. } => detail::remembered(name)?,
    };
    Ok(move |transaction: &Transaction<'_>| {
        let WriteNote { key, ticket, note } = &write;
        let Some(row) = transaction.key_of(key)? else { return Ok(Written::NotNow) };
        let (number, now) = (transaction.next_note(row)?, transaction.now.as_millis());
        let (kind, noted) = match note {
            NoteKind::Change(text) => {
                let params = (row, number, ticket.0, text, now);
                (EventKind::ChangeNoted, transaction.changes(sql::NOTE_CHANGE, params)?)
            }
            NoteKind::Checkpoint { name, value } => {
                let params = (row, number, ticket.0, name, value, now);
                (EventKind::Remembered, transaction.changes(sql::NOTE_CHECKPOINT, params)?)
            }
        };
        if !noted {
            return Ok(Written::NotNow);
        }
        transaction.event(row, kind, &event)?;
        failpoint!("store.write_note.within", or return Err(Error::not_written("a fail-point")));
        Ok(Written::Done(transaction.now))
    })
}
