//! Step 4b of 5, after a crash or an unknown outcome: find out, never redo (section 6).
//!
//! Recovery takes over the question, never the right to perform: it calls `stop` and `reconcile`, and
//! nothing here can reach `perform`.

use std::sync::{Arc, Weak};

use pap_protocol::catalogue::Reconcile;
use pap_protocol::operation::State;
use pap_protocol::value::Instant;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tracing::Instrument as _;

use crate::action::{Action, Data};
use crate::backoff::Backoff;
use crate::caught::answered;
use crate::confirmed::Record;
use crate::ending::{Closed, Verdict, close, did_not, succeeded};
use crate::engine::Engine;
use crate::finding::{Fence, FenceKind, Found, Retry, Stop};
use crate::meter::names;
use crate::present::has_expired;
use crate::recorder::{NO_FENCE, Recorder};
use crate::store::{
    self, AskLater, AskLaterBy, Asked, ErrorKind, FinishBy, Key, Stored, TakeAskable, Ticket,
    Written,
};

/// A question that so many processes died asking is put aside by the store.
const DIED_ASKING_MAX: u32 = 3;

/// How many questions are asked at a time.
const ASKED_AT_ONCE: u32 = 16;

/// Asks about what has come due, a batch of it, and answers how many that were. In a task of its own: whoever
/// waits for it may go away, and a question that was taken is answered all the same.
pub(crate) async fn ask_due(engine: &Arc<Engine>) -> Result<usize, store::Error> {
    let engine = Arc::clone(engine);
    let asked = async move {
        let mut questions = JoinSet::new();
        let count = take(&engine, ASKED_AT_ONCE, &mut questions).await?;
        while questions.join_next().await.is_some() {}
        Ok(count)
    };
    tokio::spawn(asked.in_current_span()).await.unwrap_or_else(|error| {
        Err(store::Error::not_written("asking ended without an answer").from_source(error))
    })
}

/// Takes questions, at most `limit`, asks each in a task of its own, and answers how many that were.
async fn take(
    engine: &Arc<Engine>,
    limit: u32,
    questions: &mut JoinSet<()>,
) -> Result<usize, store::Error> {
    // held to the end, so that closing waits for what is taken here
    let closing_waits = engine.hears_close();
    if engine.is_closed() {
        return Ok(0);
    }
    let take = TakeAskable {
        company: engine.company.clone(),
        limit,
        // longer than the wait for room, `stop` and `reconcile` together may take
        lease: engine.settings.ask_within.saturating_mul(4),
        known: engine.known(),
    };
    failpoint!("take_askable.before", await);
    let taken = engine.store.take_askable(take).await?;
    if !taken.is_empty() {
        failpoint!("take_askable.after", await);
    }
    let count = taken.len();
    for asked in taken {
        let (engine, closing_waits) = (Arc::clone(engine), closing_waits.clone());
        let span = tracing::info_span!("ask", operation = %asked.stored.key.id);
        let question = async move {
            let _closing_waits = closing_waits;
            ask(&engine, asked).await;
        };
        questions.spawn(question.instrument(span));
    }
    Ok(count)
}

/// Asks about one operation, and records what was found or when to ask again.
async fn ask(engine: &Arc<Engine>, asked: Asked) {
    let Some(running) = asked.stored.running.clone() else { return };
    engine.count(names::ASKED, &asked.stored.action);
    if running.died_asking >= DIED_ASKING_MAX {
        let why = "processes died asking about it: it is not asked about again by itself";
        engine.call(&asked.stored, running.asks, why);
    }
    let again = Again {
        engine,
        stored: &asked.stored,
        epoch: running.epoch,
        asks: running.asks,
        called: running.attention,
    };
    let Some(action) = engine.action(&asked.stored.action) else {
        return again.later(true, "this code does not declare the action".to_owned()).await;
    };
    let latest = &asked.stored.latest;
    if !action.knows(latest.schema_version, &latest.full) {
        return again.later(true, "this code does not know the terms".to_owned()).await;
    }
    if action.declaration().reconcile == Reconcile::Operator {
        return again.later(true, "a person has to find out".to_owned()).await;
    }
    let recorder = Arc::new(Recorder::asking(Arc::clone(engine), &asked));
    let mut closed = engine.hears_close();
    let found = tokio::select! {
        // in this order, so that a simulated run can be repeated
        biased;
        found = question(engine, action, &asked, Arc::<Recorder>::clone(&recorder)) => found,
        () = async { drop(closed.wait_for(|closed| *closed).await) } => {
            return again.handed_back(running.attention).await;
        }
    };
    let stopping = running.stop_requested.is_some();
    match found {
        Ok(found) => match verdict(found, stopping, running.epoch) {
            Some((verdict, by)) => {
                let closed = close(engine, &asked.stored, by, &verdict, recorder.noted()).await;
                if matches!(closed, Closed::Lost) {
                    again
                        .later(
                            true,
                            "what was found did not hold when it was to be recorded".to_owned(),
                        )
                        .await;
                }
            }
            None => again.later(false, "not seen yet".to_owned()).await,
        },
        Err(retry) => again.later(false, retry.0).await,
    }
}

/// `stop`, if the User asked to stop and the company can, then `reconcile`.
async fn question(
    engine: &Arc<Engine>,
    action: &Arc<dyn Action>,
    asked: &Asked,
    recorder: Arc<Recorder>,
) -> Result<Found<Data>, Retry> {
    let (revision, within) = (&asked.stored.latest, engine.settings.ask_within);
    let seen =
        crate::confirmed::seen(&asked.stored).ok_or_else(|| Retry::because("no confirmation"))?;
    let record = || -> Arc<dyn Record> { Arc::<Recorder>::clone(&recorder) };
    if action.declaration().reconcile == Reconcile::SameStore {
        // an effect that was committed would have ended the operation; one that was not fails at the guard of
        // its own finish
        return Ok(Found::DidNotAndCannot(Fence(FenceKind::SameStore)));
    }
    let room = engine.rooms.to_reconcile(&asked.stored.action);
    let Ok(_room) = tokio::time::timeout(within, room).await else {
        return Err(Retry::because("others of its action are being asked about"));
    };
    if recorder.stop_requested() && action.declaration().can_stop {
        failpoint!("stop.before", await);
        let stopped = answered(within, action.stop(revision, seen.clone(), record())).await;
        failpoint!("stop.after", await);
        match stopped {
            Ok(Stop::Stopped(fence)) if recorder.holds(&fence) => {
                return Ok(Found::DidNotAndCannot(fence));
            }
            Ok(Stop::Stopped(_)) => tracing::error!("{NO_FENCE}"),
            Ok(Stop::Asked | Stop::Cannot) | Err(_) => {}
        }
    }
    failpoint!("reconcile.before", await);
    let found = answered(within, action.reconcile(revision, seen, record())).await;
    failpoint!("reconcile.after", await);
    found
}

/// What was found as the end of the operation, and what must hold for it; `None` if it is not known yet.
fn verdict(found: Found<Data>, stopping: bool, epoch: u32) -> Option<(Verdict, FinishBy)> {
    let unsuccessful = if stopping { State::Cancelled } else { State::Failed };
    match found {
        Found::Happened { summary, data } => {
            Some((succeeded(summary, data), FinishBy::Asker { epoch, fence: None }))
        }
        Found::Partly { changes, summary } => {
            let verdict = Verdict { state: unsuccessful, summary, data: None, changes };
            Some((verdict, FinishBy::AskerInPart { epoch }))
        }
        Found::DidNotAndCannot(fence) => {
            let (verdict, fence) = did_not(unsuccessful, fence);
            Some((verdict, FinishBy::Asker { epoch, fence }))
        }
        Found::NotSeenYet => None,
    }
}

/// A question that was not answered.
struct Again<'a> {
    engine: &'a Arc<Engine>,
    stored: &'a Stored,
    epoch: u32,
    asks: u32,
    /// Whether a person was called before.
    called: bool,
}

impl Again<'_> {
    /// Lets another process ask at once: this one was closed before there was an answer, and did not die.
    async fn handed_back(&self, attention: bool) {
        let why = "the company was closed before it was answered".to_owned();
        self.say(self.engine.clock.now(), attention, why).await;
    }

    /// Asks again later: with a growing wait, for ever, shown to a person after a while.
    async fn later(&self, attention: bool, why: String) {
        let settings = &self.engine.settings;
        let now = self.engine.clock.now();
        let attention = attention || self.asks >= settings.attention_after;
        if attention {
            tracing::error!(operation = %self.stored.key.id, asks = self.asks, %why, "a person has to look");
            if !self.called {
                self.engine.call(self.stored, self.asks, &why);
            }
        } else {
            tracing::info!(operation = %self.stored.key.id, asks = self.asks, %why, "asking again later");
        }
        self.say(settings.ask_again(self.asks, now), attention, why).await;
    }

    async fn say(&self, ask_after: Instant, attention: bool, why: String) {
        let (key, by) = (self.stored.key.clone(), AskLaterBy::Asker { epoch: self.epoch });
        let later = AskLater { key, by, ask_after, due: None, attention, why };
        failpoint!("ask_again.before", await);
        let taken = keep_saying(self.engine, later);
        if tokio::time::timeout(self.engine.settings.ask_within, taken).await.is_err() {
            tracing::warn!(operation = %self.stored.key.id, "the store did not take when to ask: the lease ends by itself");
        }
        failpoint!("ask_again.after", await);
    }
}

/// Says when to ask until the store takes it; `None` if the record cannot be read, which the store reports.
async fn keep_saying(engine: &Engine, later: AskLater) -> Option<Written> {
    let mut wait = Backoff::new();
    loop {
        match engine.store.ask_later(later.clone()).await {
            Ok(written) => return Some(written),
            Err(error) => {
                tracing::warn!(operation = %later.key.id, %error, "the store did not take when to ask");
                if error.kind() == ErrorKind::Corrupt {
                    return None;
                }
                wait.pause().await;
            }
        }
    }
}

/// After a claim that may or may not have been written, or may be written yet: nobody performs from its
/// ticket, so if it was written its outcome is to be asked about.
pub(crate) fn release(engine: &Arc<Engine>, key: Key, ticket: Ticket) {
    let engine = Arc::clone(engine);
    let task = async move {
        let mut wait = Backoff::new();
        while keep_saying(&engine, unclaimed(&key, ticket, engine.clock.now())).await
            == Some(Written::NotNow)
            && may_still_be_claimed(&engine, &key).await
        {
            wait.pause().await;
        }
        engine.ask_soon.notify_one();
    };
    tokio::spawn(task.in_current_span());
}

fn unclaimed(key: &Key, ticket: Ticket, ask_after: Instant) -> AskLater {
    AskLater {
        key: key.clone(),
        by: AskLaterBy::Performer(ticket),
        ask_after,
        due: None,
        attention: false,
        why: "the claim's acknowledgement was lost: nothing was performed from it".to_owned(),
    }
}

/// Whether a claim of this operation that is on its way could still be written.
async fn may_still_be_claimed(engine: &Engine, key: &Key) -> bool {
    match engine.store.read(key).await {
        // one that waits to be started may be started yet
        Ok(Some(stored)) => {
            stored.state == State::Proposed && !has_expired(&stored)
                || stored.running.is_some_and(|running| running.life.is_none())
        }
        Ok(None) => false,
        Err(error) => error.kind() != ErrorKind::Corrupt,
    }
}

/// Asks again and again for as long as the company is there. Nothing that goes wrong ends it, and no question
/// that hangs holds up the others.
pub(crate) async fn keep_asking(company: Weak<Engine>, soon: Arc<Notify>) {
    let mut asked = JoinSet::new();
    while let Some(engine) = company.upgrade().filter(|engine| !engine.is_closed()) {
        let wait = engine.settings.look_again();
        while asked.try_join_next().is_some() {}
        let room = ASKED_AT_ONCE.saturating_sub(u32::try_from(asked.len()).unwrap_or(u32::MAX));
        if room > 0 {
            match take(&engine, room, &mut asked).await {
                Ok(count) if count > 0 => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "the store did not say what to ask about"),
            }
        }
        drop(engine);
        tokio::select! {
            biased;
            () = soon.notified() => {}
            () = tokio::time::sleep(wait) => {}
            Some(_) = asked.join_next(), if !asked.is_empty() => {}
        }
    }
    // what is being asked is handed back, or answered, by itself
    asked.detach_all();
}
