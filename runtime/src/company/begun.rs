//! From the claim to the answer: one task claims and performs, and whoever confirmed waits for it a little.

use std::sync::{Arc, Weak};

use pap_protocol::operation::OperationId;
use tokio::sync::oneshot;
use tracing::Instrument as _;

use crate::backoff::Backoff;
use crate::confirm::{Attempt, Claiming, claim};
use crate::engine::Engine;
use crate::perform::{Performed, perform};
use crate::refusal::Refusal;
use crate::store::Stored;

/// Where a task that claims and performs tells what became of the two.
pub(super) struct Begun {
    /// `None`: decide again. Looked at only where the other says nothing in time.
    claimed: oneshot::Receiver<Result<Option<InProgress>, Refusal>>,
    /// Nothing, where the handler does not run here.
    performed: oneshot::Receiver<Performed>,
}

/// An operation whose claim is on record.
enum InProgress {
    /// Its handler runs here. Held by whoever performs, who takes it apart once its outcome is on record.
    Here(Weak<Stored>),
    /// It waits to be started, here or by another process.
    Deferred(Box<Stored>),
}

/// Claims and performs in one task, whether or not the caller waits for it: hanging up leaves no claim that
/// nobody performs.
pub(super) fn begin(engine: &Arc<Engine>, claiming: Claiming) -> Result<Begun, Refusal> {
    let Some(action) = engine.action(&claiming.stored.action).map(Arc::clone) else {
        return Err(Refusal::Unavailable);
    };
    let (engine, (begin, claimed)) = (Arc::clone(engine), oneshot::channel());
    let (tell, performed) = oneshot::channel();
    // whoever asked may have gone, whatever is sent
    let task = async move {
        let answer = match claim(&engine, claiming).await {
            Ok(Attempt::Claimed(claimed)) => {
                drop(begin.send(Ok(Some(InProgress::Here(Arc::downgrade(&claimed.stored))))));
                let performed = perform(&engine, action, *claimed).await;
                failpoint!("finish.told", await);
                drop(tell.send(performed));
                return;
            }
            Ok(Attempt::Deferred(in_progress)) => {
                engine.start_soon.notify_one();
                Ok(Some(InProgress::Deferred(in_progress)))
            }
            Ok(Attempt::NotNow) => Ok(None),
            Ok(Attempt::Unknown(key, ticket)) => {
                if let Some(ticket) = ticket {
                    crate::recover::release(&engine, key, ticket);
                }
                Err(Refusal::Unavailable)
            }
            Err(refusal) => Err(refusal),
        };
        drop(begin.send(answer));
    };
    tokio::spawn(task.in_current_span());
    Ok(Begun { claimed, performed })
}

/// Waits a few seconds for the outcome; `None`: decide again.
pub(super) async fn answer_of(
    engine: &Arc<Engine>,
    id: &OperationId,
    mut begun: Begun,
) -> Result<Option<Stored>, Refusal> {
    let within = engine.settings.answer_within;
    match tokio::time::timeout(within, &mut begun.performed).await {
        Ok(Ok(Performed::Ended(stored))) => return Ok(Some(*stored)),
        Ok(Ok(Performed::InProgress(stored))) => {
            return Ok(Some(now(engine, id).await.unwrap_or_else(|| Arc::unwrap_or_clone(stored))));
        }
        // it is not performed here, or not yet
        Ok(Err(_)) | Err(_) => {}
    }
    Box::pin(without_outcome(engine, id, begun)).await
}

/// The answer where no outcome was told in time.
async fn without_outcome(
    engine: &Arc<Engine>,
    id: &OperationId,
    begun: Begun,
) -> Result<Option<Stored>, Refusal> {
    let claimed = begun.claimed.await.unwrap_or_else(|error| {
        tracing::error!(%error, "it ended without an answer");
        Err(Refusal::Unavailable)
    });
    let Some(in_progress) = claimed? else { return Ok(None) };
    if let InProgress::Deferred(_) = &in_progress {
        let within = engine.settings.answer_within;
        let ended = tokio::time::timeout(within, ended_elsewhere(engine, id)).await;
        if let Ok(Some(stored)) = ended {
            return Ok(Some(stored));
        }
    }
    if let Some(stored) = now(engine, id).await {
        return Ok(Some(stored));
    }
    match in_progress {
        InProgress::Deferred(in_progress) => Ok(Some(*in_progress)),
        InProgress::Here(in_progress) => match in_progress.upgrade() {
            Some(in_progress) => Ok(Some(Arc::unwrap_or_clone(in_progress))),
            // its outcome is on record by now, and about to be told
            None => match begun.performed.await {
                Ok(Performed::Ended(stored)) => Ok(Some(*stored)),
                Ok(Performed::InProgress(stored)) => Ok(Some(Arc::unwrap_or_clone(stored))),
                Err(_) => Err(Refusal::Unavailable),
            },
        },
    }
}

/// The operation as the store has it. Others may have ended it, and whoever saw that must not be told that it
/// is in progress; a store that does not answer now says nothing else than the claim did.
async fn now(engine: &Arc<Engine>, id: &OperationId) -> Option<Stored> {
    engine.read(id).await.ok()
}

/// The end of an operation that another task or process performs; the caller bounds the wait.
async fn ended_elsewhere(engine: &Arc<Engine>, id: &OperationId) -> Option<Stored> {
    let mut wait = Backoff::new();
    loop {
        wait.pause().await;
        let read = engine.read(id).await.ok()?;
        if read.state.is_final() {
            return Some(read);
        }
    }
}
