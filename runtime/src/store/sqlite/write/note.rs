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
        let (id, company, now) = (key.id.as_str(), &key.company, transaction.now.as_millis());
        let (kind, row) = match note {
            NoteKind::Change(text) => {
                let params = (id, company, ticket.0, text, now);
                (EventKind::ChangeNoted, transaction.key(sql::NOTE_CHANGE, params)?)
            }
            NoteKind::Checkpoint { name, value } => {
                let params = (id, company, ticket.0, name, value, now);
                (EventKind::Remembered, transaction.key(sql::NOTE_CHECKPOINT, params)?)
            }
        };
        let Some(row) = row else { return Ok(Written::NotNow) };
        transaction.event(row, kind, &event)?;
        Ok(Written::Done(transaction.now))
    })
}
