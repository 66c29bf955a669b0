//! From what a handler, `reconcile` or an operator says to a final state with every change told
//! (section 6), and the one write that records it.

use std::sync::Arc;

use pap_protocol::operation::State;
use pap_protocol::value::Instant;

use crate::action::{Data, Ending};
use crate::backoff::Backoff;
use crate::confirmed::NotSettled;
use crate::engine::Engine;
use crate::finding::{Fence, FenceKind};
use crate::late::note_if_late;
use crate::meter::names;
use crate::outcome::Ended;
use crate::present::{is_readable, is_short};
use crate::store::{
    End, Finish, FinishBy, Key, Note, NoteKind, Stored, StoredResult, Transaction, Written,
    no_transactions,
};
use crate::terms::neutralised;

/// How an operation ends, before the changes on record are told.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    pub(crate) state: State,
    pub(crate) summary: String,
    pub(crate) data: Option<String>,
    /// Changes that the verdict itself states.
    pub(crate) changes: Vec<String>,
}

/// Changes of one run: those on record as far as it knows, and those the store has not taken yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Noted {
    pub(crate) on_record: Vec<String>,
    pub(crate) carried: Vec<String>,
}

impl Noted {
    /// All of them, in the order in which they are told.
    fn all(&self) -> Vec<&str> {
        self.on_record.iter().chain(&self.carried).map(AsRef::as_ref).collect()
    }

    /// The store has taken this change.
    pub(crate) fn taken(&mut self, change: String) {
        take_out(&mut self.carried, &change);
        self.on_record.push(change);
    }

    /// These changes are on record: one of them whose acknowledgement was lost is carried no more, so
    /// that it is not told twice. They may be in another order than this run noted them in.
    pub(crate) fn found(&mut self, on_record: Vec<String>) {
        let mut known = std::mem::take(&mut self.on_record);
        for change in &on_record {
            if !take_out(&mut known, change) {
                take_out(&mut self.carried, change);
            }
        }
        self.on_record = on_record;
    }
}

/// Takes one of these changes out; `false` if there is none.
fn take_out(changes: &mut Vec<String>, change: &str) -> bool {
    let at = changes.iter().position(|other| other == change);
    at.map(|at| changes.remove(at)).is_some()
}

/// What became of a finish.
#[derive(Debug)]
pub(crate) enum Closed {
    /// It is on record, as this.
    Done(Recorded),
    /// It had ended before: the first final state stands.
    Already(Box<Stored>),
    /// It is not ours to end any more.
    Lost,
}

impl Closed {
    /// The operation as it ended; `None` if it is not ours to end. What it was before is taken only if this
    /// is its end.
    pub(crate) fn stored(self, before: impl FnOnce() -> Stored) -> Option<Stored> {
        match self {
            Self::Done(end) => Some(end.of(before())),
            Self::Already(stored) => Some(*stored),
            Self::Lost => None,
        }
    }
}

/// An end that is on record since this moment.
#[derive(Debug)]
pub(crate) struct Recorded {
    end: End,
    at: Instant,
}

impl Recorded {
    /// The operation as this end leaves it.
    pub(crate) fn of(self, before: Stored) -> Stored {
        let Self { end: End { state, summary, data }, at } = self;
        let result = Some(StoredResult { summary, data, at });
        Stored { state, result, running: None, now: at, ..before }
    }
}

/// The verdict of a handler that knows its outcome; `None` if it does not.
pub(crate) fn verdict(ending: Ending) -> Result<Verdict, Ended> {
    match ending {
        Ending::Succeeded { summary, data } => Ok(succeeded(summary, data)),
        Ending::Not(Ended::Failed { summary, changes }) => {
            Ok(Verdict { state: State::Failed, summary, data: None, changes })
        }
        Ending::Not(Ended::Stopped { summary, changes }) => {
            Ok(Verdict { state: State::Cancelled, summary, data: None, changes })
        }
        Ending::Not(
            ended @ (Ended::Unknown { .. } | Ended::HandedOver { .. } | Ended::InTransaction),
        ) => Err(ended),
        Ending::InTransaction => Err(Ended::InTransaction),
    }
}

/// An action that was performed; data that cannot be encoded is no reason to leave it unsettled.
pub(crate) fn succeeded(summary: String, data: Data) -> Verdict {
    let data = data.unwrap_or_else(|error| {
        tracing::error!(%error, "the result's data cannot be encoded: it is left out");
        None
    });
    Verdict { state: State::Succeeded, summary, data, changes: Vec::new() }
}

/// The final state with every change told; `true` if the verdict said that nothing was changed and the
/// record says otherwise.
pub(crate) fn told(verdict: &Verdict, noted: &[&str]) -> (End, bool) {
    let mut changes: Vec<&str> = noted.to_vec();
    for change in &verdict.changes {
        if !changes.contains(&change.as_str()) {
            changes.push(change);
        }
    }
    let unsuccessful = verdict.state != State::Succeeded;
    let contradiction = unsuccessful && verdict.changes.is_empty() && !noted.is_empty();
    let mut summary = sentence(&verdict.summary);
    if unsuccessful {
        summary.push_str(if changes.is_empty() {
            " Nothing was changed."
        } else {
            " What was changed:"
        });
    }
    for change in changes {
        summary.push(' ');
        summary.push_str(&sentence(change));
    }
    (End { state: verdict.state, summary, data: verdict.data.clone() }, contradiction)
}

/// `result.summary` of a proposal that the company can no longer keep.
pub(crate) fn withdrawn(reason: &str) -> String {
    format!("{} Nothing was changed.", sentence(reason))
}

/// The text as one line that ends like a sentence.
fn sentence(text: &str) -> String {
    let mut text = neutralised(text).trim().to_owned();
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

/// Records the end. Whoever performs keeps trying for as long as the process lives; whoever asks gives
/// up, and is asked again.
pub(crate) async fn close(
    engine: &Arc<Engine>,
    stored: &Stored,
    by: FinishBy,
    verdict: &Verdict,
    mut noted: Noted,
) -> Closed {
    let mut backoff = Backoff::new();
    loop {
        let (end, contradiction) = told(verdict, &noted.all());
        let end = readable(stored, end);
        let finish = Finish {
            key: stored.key.clone(),
            by: by.clone(),
            end: end.clone(),
            changes_seen: u32::try_from(noted.on_record.len()).unwrap_or(u32::MAX),
            carried: noted.carried.clone(),
        };
        failpoint!("finish.before", await);
        let written = engine.store.finish(finish).await;
        failpoint!("finish.after", await);
        match written {
            Ok(Written::Done(at)) => {
                if contradiction {
                    tracing::error!(operation = %stored.key.id, "it was said that nothing was changed, but changes are on record: they are told");
                }
                tracing::info!(operation = %stored.key.id, state = %end.state, "ended");
                let labels = [("action", stored.action.as_str()), ("state", end.state.as_str())];
                engine.settings.measured.count(names::ENDED, &labels);
                return Closed::Done(Recorded { end, at });
            }
            Ok(Written::NotNow | Written::Replayed) => {
                match look(engine, stored, &by, &end, &mut noted).await {
                    Some(closed) => return closed,
                    None => backoff.pause().await,
                }
            }
            Err(error) => {
                tracing::warn!(operation = %stored.key.id, %error, "the store did not take how it ended");
                if !matches!(by, FinishBy::Performer(_)) {
                    return Closed::Lost;
                }
                backoff.pause().await;
            }
        }
    }
}

/// The write that ends an operation as said, with every change that is on record now.
pub(crate) async fn finish_of(
    engine: &Engine,
    key: &Key,
    by: FinishBy,
    verdict: &Verdict,
) -> Result<Finish, NotSettled> {
    let history = engine.store.history(key).await.map_err(|error| NotSettled(error.to_string()))?;
    let history = history.ok_or_else(NotSettled::ended)?;
    let on_record = changes(&history.notes);
    let noted = Noted { on_record, carried: Vec::new() };
    let (end, _) = told(verdict, &noted.all());
    Ok(Finish {
        key: key.clone(),
        by,
        end: readable(&history.stored, end),
        changes_seen: u32::try_from(noted.on_record.len()).unwrap_or(u32::MAX),
        carried: noted.carried,
    })
}

/// Writes it within the company's own transaction.
pub(crate) async fn finish_in(
    engine: &Engine,
    transaction: &mut dyn Transaction,
    finish: Finish,
) -> Result<(), NotSettled> {
    let within = engine.store.within().ok_or_else(no_transactions);
    let written = match within {
        Ok(within) => within.finish_in(transaction, finish).await,
        Err(error) => Err(error),
    };
    match written {
        Ok(Written::Done(_)) => Ok(()),
        Ok(Written::NotNow | Written::Replayed) => Err(NotSettled::ended()),
        Err(error) => Err(NotSettled(error.to_string())),
    }
}

/// The end without data that an agent could not read: what happened is told all the same.
fn readable(stored: &Stored, end: End) -> End {
    let at_its_end = || Recorded { end: end.clone(), at: stored.now }.of(stored.clone());
    if end.data.is_none() || is_short(&stored.latest, &end) || is_readable(&at_its_end()) {
        return end;
    }
    tracing::error!(operation = %stored.key.id, "the result's data is longer than an agent reads: it is left out");
    End { data: None, ..end }
}

/// Why a finish was not written: it had ended, it is not ours, or changes are on record that were not
/// told (`None`: try again with them).
async fn look(
    engine: &Arc<Engine>,
    stored: &Stored,
    by: &FinishBy,
    end: &End,
    noted: &mut Noted,
) -> Option<Closed> {
    let history = match engine.store.history(&stored.key).await {
        Ok(Some(history)) => history,
        Err(_) if matches!(by, FinishBy::Performer(_)) => return None,
        Ok(None) | Err(_) => return Some(Closed::Lost),
    };
    if history.stored.state.is_final() {
        note_if_late(engine, &history.stored, by, end).await;
        return Some(Closed::Already(Box::new(history.stored)));
    }
    let on_record = changes(&history.notes);
    if on_record.len() == noted.on_record.len() {
        return Some(Closed::Lost);
    }
    noted.found(on_record);
    None
}

/// The changes among notes, in order.
pub(crate) fn changes(notes: &[Note]) -> Vec<String> {
    let change = |note: &Note| match &note.note {
        NoteKind::Change(text) => Some(text.clone()),
        NoteKind::Checkpoint { .. } => None,
    };
    notes.iter().filter_map(change).collect()
}

/// The end behind a fence, with the checkpoint that must be absent for it.
pub(crate) fn did_not(state: State, fence: Fence) -> (Verdict, Option<String>) {
    let summary = if state == State::Cancelled {
        "This was stopped before it took effect."
    } else {
        "This was not done."
    };
    let checkpoint = match fence.0 {
        FenceKind::Checkpoint(name) => Some(name),
        FenceKind::SameStore => None,
        FenceKind::Downstream(how) => {
            tracing::info!(%how, "fenced downstream");
            None
        }
    };
    let verdict = Verdict { state, summary: summary.to_owned(), data: None, changes: Vec::new() };
    (verdict, checkpoint)
}
