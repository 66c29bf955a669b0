//! Off the path, from a proposal or from an operation in progress: declined, or asked to stop
//! (section 7).

use std::sync::Arc;

use pap_protocol::operation::{OperationId, State};

use tracing::Instrument as _;

use crate::access::may_use;
use crate::action::Action;
use crate::caught::answered;
use crate::confirmed::{Record, seen};
use crate::ending::{Closed, close};
use crate::engine::{Engine, unavailable};
use crate::finding::Stop;
use crate::present::has_expired;
use crate::recorder::{NO_FENCE, Recorder};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::{
    Asked, CloseProposed, Closing, FinishBy, ProofUse, RequestStop, Stored, Written,
};

/// `result.summary` of a proposal that was declined.
pub(crate) const DECLINED: &str = "This was declined before it was confirmed. Nothing was changed.";

/// What a cancel comes to.
#[derive(Debug)]
pub(crate) enum Cancelling {
    /// Nothing to do: final, or expired.
    AsItIs(Stored),
    /// Declined before confirmation.
    Declined(Stored),
    /// The request to stop is on record; whether it is stopped is found out.
    Stopping(Stored),
    /// The operation moved on in between: read and decide again.
    NotNow,
}

/// Declines a proposal, or puts the request to stop on record.
pub(crate) async fn cancel(
    engine: &Engine,
    session: &Session,
    id: &OperationId,
    proof: Option<&ProofUse>,
) -> Result<Cancelling, Refusal> {
    let stored = match engine.read(id).await {
        Ok(stored) => stored,
        Err(refusal) => return engine.refuse(proof, refusal).await,
    };
    if let Err(refusal) = may_use(&stored, session) {
        return engine.refuse(proof, refusal).await;
    }
    let written = match stored.state {
        State::Proposed if !has_expired(&stored) => {
            let close = CloseProposed {
                key: stored.key.clone(),
                closing: Closing::Cancelled,
                summary: DECLINED.to_owned(),
                proof: proof.cloned(),
            };
            failpoint!("decline.before", await);
            let written = engine.store.close_proposed(close).await;
            failpoint!("decline.after", await);
            written
        }
        State::InProgress => {
            let stop = RequestStop { key: stored.key.clone(), proof: proof.cloned() };
            failpoint!("request_stop.before", await);
            let written = engine.store.request_stop(stop).await;
            failpoint!("request_stop.after", await);
            written
        }
        State::Proposed | State::Succeeded | State::Failed | State::Cancelled | State::Expired => {
            engine.record(proof).await?;
            return Ok(Cancelling::AsItIs(stored));
        }
    };
    match written.map_err(|error| unavailable(&error))? {
        Written::Replayed => Err(Refusal::InvalidProof),
        Written::NotNow => Ok(Cancelling::NotNow),
        Written::Done(_) if stored.state == State::Proposed => {
            tracing::info!(operation = %id, "declined");
            Ok(Cancelling::Declined(engine.read(id).await?))
        }
        Written::Done(_) => {
            tracing::info!(operation = %id, "asked to stop");
            engine.stops.stop(id);
            Ok(Cancelling::Stopping(engine.read(id).await?))
        }
    }
}

/// Asks the systems behind to stop, in a task of its own. It closes the operation only behind a fence.
pub(crate) fn ask_to_stop(engine: &Arc<Engine>, action: Arc<dyn Action>, stored: Stored) {
    if !action.declaration().can_stop {
        return;
    }
    let Some(asking) = engine.stops.ask(&stored.key.id) else { return };
    let engine = Arc::clone(engine);
    let task = async move {
        let _asking = asking;
        let Ok(Some(history)) = engine.store.history(&stored.key).await else { return };
        let asked = Asked { stored: history.stored, notes: history.notes };
        let (Some(seen), Some(running)) = (seen(&asked.stored), asked.stored.running.as_ref())
        else {
            return;
        };
        let epoch = running.epoch;
        let recorder = Arc::new(Recorder::asking(Arc::clone(&engine), &asked));
        let record: Arc<dyn Record> = Arc::<Recorder>::clone(&recorder);
        failpoint!("stop.before", await);
        let stop = action.stop(&asked.stored.latest, seen, record);
        let stopped = answered(engine.settings.ask_within, stop).await;
        failpoint!("stop.after", await);
        match stopped {
            Ok(Stop::Stopped(fence)) if recorder.holds(&fence) => {
                let (verdict, fence) = crate::ending::did_not(State::Cancelled, fence);
                let by = FinishBy::Asker { epoch, fence };
                let closed = close(&engine, &asked.stored, by, &verdict, recorder.noted()).await;
                if matches!(closed, Closed::Lost) {
                    tracing::warn!("stopping did not hold when it was to be recorded");
                }
            }
            Ok(Stop::Stopped(_)) => tracing::error!("{NO_FENCE}"),
            Ok(Stop::Asked | Stop::Cannot) => {}
            Err(retry) => tracing::warn!(why = retry.0, "`stop` did not answer"),
        }
    };
    tokio::spawn(task.in_current_span());
}
