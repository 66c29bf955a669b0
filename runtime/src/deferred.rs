//! Step 3b of 5: what was confirmed where there was no room, or by a process that does not perform, is
//! started by exactly one that has room (section 5.2).
//!
//! The right to perform is spent by the start, as it is by a claim: by one conditional write.

use std::sync::Arc;

use pap_protocol::operation::State;

use crate::claimed::Claimed;
use crate::ending::{Noted, Verdict, close};
use crate::engine::{Engine, ticket};
use crate::refusal::Refusal;
use crate::store::{
    self, ErrorKind, FinishBy, Known, Performer, Start, Stored, Ticket, Waiting, Written,
};

/// How many are looked at in one go.
const AT_ONCE: u32 = 64;

/// What became of an attempt to start.
pub(crate) enum Starting {
    /// Perform.
    Claimed(Box<Claimed>),
    /// Nothing to do: another was first, it was stopped, or there is no room.
    Nothing,
    /// Whether the right was spent is unknown: nobody may perform from this ticket.
    Unknown(Ticket),
}

/// What waits to be started, as far as there is room for it here.
pub(crate) async fn waiting(engine: &Arc<Engine>) -> Result<Vec<Stored>, store::Error> {
    if engine.is_closed() || !engine.settings.role.performs() {
        return Ok(Vec::new());
    }
    let has_room = |known: &Known| engine.rooms.has_room(&known.action);
    let known: Vec<_> = engine.known().into_iter().filter(has_room).collect();
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let which = Waiting { company: engine.company.clone(), limit: AT_ONCE, known };
    failpoint!("waiting.before", await);
    let waiting = engine.store.waiting(which).await;
    failpoint!("waiting.after", await);
    waiting
}

/// Spends the right to perform one that waits, or ends it if it is to be stopped.
pub(crate) async fn start(engine: &Arc<Engine>, stored: Stored) -> Result<Starting, Refusal> {
    let Some(running) = stored.running.clone() else { return Ok(Starting::Nothing) };
    if running.stop_requested.is_some() {
        stop(engine, &stored).await;
        return Ok(Starting::Nothing);
    }
    let known = engine
        .action(&stored.action)
        .is_some_and(|action| action.knows(stored.latest.schema_version, &stored.latest.full));
    if !known {
        tracing::error!(operation = %stored.key.id, "this code does not know the terms: left alone");
        return Ok(Starting::Nothing);
    }
    let performing = engine.performing();
    let (Some(room), Some(life)) = (engine.rooms.to_perform(&stored.action), engine.life()) else {
        return Ok(Starting::Nothing);
    };
    if engine.is_closed() {
        return Ok(Starting::Nothing);
    }
    let ticket = ticket()?;
    let listening = engine.stops.listen(&stored.key.id);
    let start = Start { key: stored.key.clone(), performer: Performer { ticket, life } };
    failpoint!("start.before", await);
    let started = engine.store.start(start).await;
    failpoint!("start.after", await);
    match started {
        Ok(Written::Done(at)) => {
            tracing::info!(operation = %stored.key.id, "started");
            let running = store::Running { life: Some(life), performing: true, ..running };
            let stored = Stored { running: Some(running), now: at, ..stored };
            let stored = Arc::new(stored);
            let claimed = Claimed { stored, ticket, stop: listening, room, performing };
            Ok(Starting::Claimed(Box::new(claimed)))
        }
        Ok(Written::NotNow | Written::Replayed) => Ok(Starting::Nothing),
        Err(error) if error.kind() == ErrorKind::Unknown => {
            tracing::error!(operation = %stored.key.id, %error, "whether it was started is unknown: nothing is performed");
            Ok(Starting::Unknown(ticket))
        }
        Err(error) => {
            tracing::warn!(operation = %stored.key.id, %error, "it was not started");
            Ok(Starting::Nothing)
        }
    }
}

/// Ends one that nobody has started and nobody can start any more. `None`: somebody has.
pub(crate) async fn stop(engine: &Arc<Engine>, stored: &Stored) -> Option<Stored> {
    let verdict = Verdict {
        state: State::Cancelled,
        summary: "This was stopped before it was started.".to_owned(),
        data: None,
        changes: Vec::new(),
    };
    let closed = close(engine, stored, FinishBy::NotStarted, &verdict, Noted::default()).await;
    closed.stored(|| stored.clone())
}

/// Whether it waits to be started.
pub(crate) fn is_deferred(stored: &Stored) -> bool {
    stored.state == State::InProgress
        && stored.running.as_ref().is_some_and(|running| running.life.is_none())
}
