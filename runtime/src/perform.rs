//! Step 4 of 5: the company's function runs once, in a task of its own (section 5.2).
//!
//! Nothing here retries, renews or hands on the right to perform. The task outlives the request that
//! confirmed, and keeps trying to record what happened for as long as the process lives.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use pap_protocol::catalogue::Reconcile;
use pap_protocol::operation::State;
use pap_protocol::value::Instant;
use tokio::task::{JoinError, JoinHandle};
use tracing::Instrument as _;

use crate::action::{Action, Ending};
use crate::claimed::Claimed;
use crate::confirmed::{Record, seen};
use crate::ending::{Closed, changes, close, verdict};
use crate::engine::Engine;
use crate::late::record_late;
use crate::meter::names;
use crate::outcome::Ended;
use crate::recorder::Recorder;
use crate::store::{AskLater, AskLaterBy, FinishBy, Late, Stored, Ticket, Written};

/// How often a handler's operation is looked at for a request to stop.
const LISTEN_EVERY: Duration = Duration::from_secs(2);

/// What became of the operation once its handler has ended.
pub(crate) enum Performed {
    /// Its outcome is on record.
    Ended(Box<Stored>),
    /// It stays in progress.
    InProgress(Arc<Stored>),
}

/// Runs the handler and puts its outcome on record. Whoever awaits this is a task that nobody cancels: it
/// outlives the request that confirmed.
pub(crate) async fn perform(
    engine: &Arc<Engine>,
    action: Arc<dyn Action>,
    claimed: Claimed,
) -> Performed {
    let (begun, name) = (tokio::time::Instant::now(), action.declaration().action);
    let awaited = claimed.room.is_one_of_few();
    let span = tracing::info_span!("perform", operation = %claimed.stored.key.id, action = claimed.stored.action);
    let performed = supervise(engine, action, claimed).instrument(span).await;
    engine.settings.measured.took(names::PERFORM_SECONDS, name, begun);
    if awaited {
        // there is room for what waits
        engine.start_soon.notify_one();
    }
    performed
}

/// Runs the handler in a task of its own, so that a panic is an outcome nobody knows, and records how
/// it ended.
async fn supervise(engine: &Arc<Engine>, action: Arc<dyn Action>, claimed: Claimed) -> Performed {
    // held until the outcome is on record
    let Claimed { stored, ticket, stop, room: _room, performing: _performing } = claimed;
    let recorder = Arc::new(Recorder::performing(Arc::clone(engine), &stored, ticket, stop));
    let record: Arc<dyn Record> = Arc::<Recorder>::clone(&recorder);
    failpoint!("perform.before_handler", await);
    // whatever was claimed has a confirmation
    let Some(seen) = seen(&stored) else { return Performed::InProgress(stored) };
    let handler = action.perform(&stored.latest, seen, record);
    let mut handler = tokio::spawn(handler.in_current_span());
    let soon = LISTEN_EVERY.min(engine.settings.perform_within);
    let ended = match tokio::time::timeout(soon, &mut handler).await {
        Ok(ended) => ended,
        // in a box, as everything is that a quick confirm does without
        Err(_) => Box::pin(slow_answer(engine, &stored, &recorder, handler)).await,
    };
    let ended = match ended {
        Ok(Ok(ending)) => ending,
        // checked before the claim; here it can only be a fault of the store
        Ok(Err(unreadable)) => unknown(format!("nothing was started: {}", unreadable.0)),
        Err(panicked) => unknown(format!(
            "the handler {}",
            if panicked.is_panic() { "panicked" } else { "was stopped" }
        )),
    };
    failpoint!("perform.after_handler", await);
    record_ending(engine, stored, &recorder, ended).await
}

/// What a handler answers that was not quick. Meanwhile it hears of requests to stop.
async fn slow_answer<T>(
    engine: &Arc<Engine>,
    stored: &Stored,
    recorder: &Recorder,
    handler: JoinHandle<T>,
) -> Result<T, JoinError> {
    tokio::select! {
        // in this order, so that a simulated run can be repeated
        biased;
        ended = answer_of(engine, stored, recorder, handler) => ended,
        never = hear_of_stop(engine, stored, recorder) => match never {},
    }
}

/// What the handler answers, however late; after its time it may be asked about.
async fn answer_of<T>(
    engine: &Arc<Engine>,
    stored: &Stored,
    recorder: &Recorder,
    mut handler: JoinHandle<T>,
) -> Result<T, JoinError> {
    let left = engine.settings.perform_within.saturating_sub(LISTEN_EVERY);
    if let Ok(ended) = tokio::time::timeout(left, &mut handler).await {
        return ended;
    }
    if let Some(ticket) = recorder.ticket() {
        overdue(engine, stored, ticket).await;
    }
    handler.await
}

/// The handler did not answer in its time.
async fn overdue(engine: &Arc<Engine>, stored: &Stored, ticket: Ticket) {
    let within = engine.settings.perform_within;
    tracing::warn!(
        within_s = within.as_secs(),
        "the handler has not answered yet: its outcome may be asked about"
    );
    failpoint!("perform.overdue", await);
    let now = engine.clock.now();
    let why = "the handler has not answered in time, and may still be at work".to_owned();
    ask_later(engine, stored, later(stored, ticket, now, None, why)).await;
}

/// A request to stop that another company on the same store took, or whose acknowledgement was lost, is on
/// record and nowhere else: the handler hears of it from there.
async fn hear_of_stop(engine: &Arc<Engine>, stored: &Stored, recorder: &Recorder) -> Infallible {
    while !recorder.stop_requested() {
        let read = engine.store.read(&stored.key).await.ok().flatten();
        if read.and_then(|read| read.running?.stop_requested).is_some() {
            engine.stops.stop(&stored.key.id);
        }
        tokio::time::sleep(LISTEN_EVERY).await;
    }
    std::future::pending().await
}

fn unknown(reason: String) -> Ending {
    Ending::Not(Ended::Unknown { reason })
}

/// Puts the handler's ending on record: a final state, or when to ask.
async fn record_ending(
    engine: &Arc<Engine>,
    stored: Arc<Stored>,
    recorder: &Recorder,
    ending: Ending,
) -> Performed {
    let Some(ticket) = recorder.ticket() else { return Performed::InProgress(stored) };
    let now = engine.clock.now();
    let (ask_after, due, why) = match verdict(ending) {
        Ok(verdict) => {
            if verdict.state == State::Succeeded && is_same_store(engine, &stored) {
                tracing::error!(
                    "declared `reconcile = same_store`, and not settled in the transaction of its effect: had the process died in between, this would have been told as failed"
                );
            }
            let by = FinishBy::Performer(ticket);
            return match close(engine, &stored, by, &verdict, recorder.noted()).await {
                Closed::Done(end) => {
                    Performed::Ended(Box::new(end.of(Arc::unwrap_or_clone(stored))))
                }
                Closed::Already(stored) => Performed::Ended(stored),
                Closed::Lost => Performed::InProgress(stored),
            };
        }
        Err(Ended::HandedOver { to, look_again_in }) => {
            tracing::info!(%to, "handed over: it stays in progress");
            let due = now.saturating_add(look_again_in);
            (due, Some(due), format!("handed over to {to}"))
        }
        Err(Ended::Unknown { reason }) => {
            tracing::warn!(%reason, "nobody knows whether it took effect: it stays in progress");
            (now, None, reason)
        }
        Err(Ended::InTransaction) => {
            let read = engine.store.read(&stored.key).await.ok().flatten();
            if let Some(ended) = read.filter(|read| read.state.is_final()) {
                return Performed::Ended(Box::new(ended));
            }
            (now, None, "the company's own transaction was not committed".to_owned())
        }
        Err(Ended::Failed { .. } | Ended::Stopped { .. }) => return Performed::InProgress(stored),
    };
    // in boxes, as above
    Box::pin(carry(engine, &stored, recorder)).await;
    Box::pin(ask_later(engine, &stored, later(&stored, ticket, ask_after, due, why))).await;
    Performed::InProgress(stored)
}

fn is_same_store(engine: &Engine, stored: &Stored) -> bool {
    let action = engine.action(&stored.action);
    action.is_some_and(|action| action.declaration().reconcile == Reconcile::SameStore)
}

fn later(
    stored: &Stored,
    ticket: Ticket,
    ask_after: Instant,
    due: Option<Instant>,
    why: String,
) -> AskLater {
    AskLater {
        key: stored.key.clone(),
        by: AskLaterBy::Performer(ticket),
        ask_after,
        due,
        attention: false,
        why,
    }
}

/// Records when to ask, trying for as long as the process lives: a dead life is asked about anyway.
async fn ask_later(engine: &Arc<Engine>, stored: &Stored, later: AskLater) {
    let mut wait = crate::backoff::Backoff::new();
    failpoint!("ask_later.before", await);
    while let Err(error) = engine.store.ask_later(later.clone()).await {
        tracing::warn!(operation = %stored.key.id, %error, "the store did not take when to ask: trying again");
        wait.pause().await;
    }
    failpoint!("ask_later.after", await);
    engine.ask_soon.notify_one();
}

/// Changes that the store did not take while the handler ran are written now that it ended without an
/// outcome: the next finish must tell them.
async fn carry(engine: &Arc<Engine>, stored: &Stored, recorder: &Recorder) {
    let mut noted = recorder.noted();
    let mut wait = crate::backoff::Backoff::new();
    while let Some(change) = noted.carried.first().cloned() {
        // what the store seemed not to take may be on record all the same
        let on_record = match engine.store.history(&stored.key).await {
            Ok(history) => history.map(|history| changes(&history.notes)).unwrap_or_default(),
            Err(error) => {
                tracing::warn!(operation = %stored.key.id, %error, "the store does not say which changes it has: trying again");
                wait.pause().await;
                continue;
            }
        };
        noted.found(on_record);
        if !noted.carried.contains(&change) {
            continue;
        }
        match recorder.write_change(change.clone()).await {
            Ok(Written::Done(_)) => noted.taken(change),
            Ok(Written::NotNow | Written::Replayed) => {
                let what = "changes were noted after the operation had ended".to_owned();
                return record_late(engine, Late { key: stored.key.clone(), state: None, what })
                    .await;
            }
            Err(error) => {
                tracing::warn!(operation = %stored.key.id, %error, "the store did not take a change: trying again");
                wait.pause().await;
            }
        }
    }
}
