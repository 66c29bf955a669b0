//! Keeps the steps of one run of a handler on record (sections 5.2 and 6).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::action::Ending;
use crate::confirmed::{NotRemembered, NotSettled, Record};
use crate::ending::{Noted, changes, finish_in, finish_of, verdict};
use crate::engine::Engine;
use crate::finding::{Fence, FenceKind};
use crate::private::Pending;
use crate::stops::Listening;
use crate::store::{
    self, Asked, Finish, FinishBy, Key, Note, NoteKind, Stored, Ticket, Transaction, WriteNote,
    Written,
};

/// Logged where a fence does not hold; the operation stays in progress.
pub(crate) const NO_FENCE: &str =
    "`stop` answered a fence that does not hold: its checkpoint is on record";

/// The record of one run: of the performer, who may write, or of an asker, who may only read.
pub(crate) struct Recorder {
    engine: Arc<Engine>,
    key: Key,
    ticket: Option<Ticket>,
    stop: Listening,
    checkpoints: Mutex<BTreeMap<String, String>>,
    noted: Mutex<Noted>,
}

impl Recorder {
    /// The record of the performer, whose ticket lets it write.
    pub(crate) fn performing(
        engine: Arc<Engine>,
        stored: &Stored,
        ticket: Ticket,
        stop: Listening,
    ) -> Self {
        Self {
            key: stored.key.clone(),
            ticket: Some(ticket),
            stop,
            checkpoints: Mutex::default(),
            noted: Mutex::default(),
            engine,
        }
    }

    /// The record as an asker sees it: no effect may be placed behind a new checkpoint.
    pub(crate) fn asking(engine: Arc<Engine>, asked: &Asked) -> Self {
        let requested =
            asked.stored.running.as_ref().is_some_and(|running| running.stop_requested.is_some());
        Self {
            key: asked.stored.key.clone(),
            ticket: None,
            stop: Listening::known(requested),
            checkpoints: Mutex::new(checkpoints(&asked.notes)),
            noted: Mutex::new(Noted { on_record: changes(&asked.notes), carried: Vec::new() }),
            engine,
        }
    }

    pub(crate) fn ticket(&self) -> Option<Ticket> {
        self.ticket
    }

    /// The changes of this run: on record, and not yet.
    pub(crate) fn noted(&self) -> Noted {
        lock(&self.noted).clone()
    }

    /// Whether this fence can hold: a checkpoint that is on record is none.
    pub(crate) fn holds(&self, fence: &Fence) -> bool {
        match &fence.0 {
            FenceKind::Checkpoint(name) => self.recalled(name).is_none(),
            FenceKind::Downstream(_) | FenceKind::SameStore => true,
        }
    }

    /// Writes a change, if this run still may.
    pub(crate) async fn write_change(&self, text: String) -> Result<Written, store::Error> {
        self.write(NoteKind::Change(text)).await
    }

    async fn write(&self, note: NoteKind) -> Result<Written, store::Error> {
        let Some(ticket) = self.ticket else { return Ok(Written::NotNow) };
        self.engine.store.write_note(WriteNote { key: self.key.clone(), ticket, note }).await
    }
}

impl Record for Recorder {
    fn note_change(&self, text: String) -> Pending<'_, ()> {
        Box::pin(async move {
            // who only asks finds again what the performer had put on record: it is told once
            if self.ticket.is_none() && lock(&self.noted).on_record.contains(&text) {
                return;
            }
            // carried first: it is told even if the handler does not wait for the store's answer
            lock(&self.noted).carried.push(text.clone());
            match self.write_change(text.clone()).await {
                Ok(Written::Done(_)) => lock(&self.noted).taken(text),
                Ok(Written::NotNow | Written::Replayed) => {
                    tracing::info!(operation = %self.key.id, "a change is carried to the outcome");
                }
                Err(error) => {
                    tracing::warn!(operation = %self.key.id, %error, "the store did not take a change: it is carried to the outcome");
                }
            }
        })
    }

    fn remember(&self, name: String, value: String) -> Pending<'_, Result<(), NotRemembered>> {
        Box::pin(async move {
            let note = NoteKind::Checkpoint { name: name.clone(), value: value.clone() };
            match self.write(note).await {
                Ok(Written::Done(_)) => {
                    lock(&self.checkpoints).insert(name, value);
                    Ok(())
                }
                Ok(Written::NotNow | Written::Replayed) => Err(NotRemembered(format!(
                    "checkpoint `{name}`: recovery has begun, or it was written before"
                ))),
                Err(error) => Err(NotRemembered(format!("checkpoint `{name}`: {error}"))),
            }
        })
    }

    fn recalled(&self, name: &str) -> Option<String> {
        lock(&self.checkpoints).get(name).cloned()
    }

    fn stop_requested(&self) -> bool {
        self.stop.requested()
    }

    fn stop_signal(&self) -> Pending<'_, ()> {
        Box::pin(self.stop.until_requested())
    }

    fn finish(&self, ending: Ending) -> Pending<'_, Result<Finish, NotSettled>> {
        Box::pin(async move {
            let Some(ticket) = self.ticket else { return Err(NotSettled::ended()) };
            let verdict = verdict(ending).map_err(|_no_end| NotSettled::no_end())?;
            finish_of(&self.engine, &self.key, FinishBy::Performer(ticket), &verdict).await
        })
    }

    fn settle_in<'a>(
        &'a self,
        transaction: &'a mut dyn Transaction,
        ending: Ending,
    ) -> Pending<'a, Result<(), NotSettled>> {
        Box::pin(async move {
            let finish = self.finish(ending).await?;
            finish_in(&self.engine, transaction, finish).await
        })
    }
}

fn checkpoints(notes: &[Note]) -> BTreeMap<String, String> {
    let checkpoint = |note: &Note| match &note.note {
        NoteKind::Checkpoint { name, value } => Some((name.clone(), value.clone())),
        NoteKind::Change(_) => None,
    };
    notes.iter().filter_map(checkpoint).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
