//! The steps in order: what one does with what the step before yields.

use std::sync::Arc;

use pap_protocol::operation::{ConfirmRequest, OperationId, Revision};
use tracing::Instrument as _;

use super::begun::{answer_of, begin};
use crate::access::{open_action, owner};
use crate::action::{Action, Worked};
use crate::cancel::{Cancelling, ask_to_stop, cancel};
use crate::confirm::{Claiming, Decision, Rechecking, decide, recheck};
use crate::deferred::{Starting, is_deferred, start, waiting};
use crate::engine::{Engine, new_id, unavailable};
use crate::issue::revision;
use crate::meter::names;
use crate::offered::ToClaim;
use crate::perform::perform;
use crate::propose::{Open, admit, open, request, work_out};
use crate::refusal::Refusal;
use crate::revise::{Revised, revise};
use crate::session::Session;
use crate::store::{self, CloseProposed, Closing, NewOperation, ProofUse, Proposed, Stored};
use crate::track::{expire_if_due, track};

/// How often a decision is made anew because the operation moved on in between. Each round somebody
/// else got further, so a few are enough; after that the caller is asked to come again.
const ROUNDS: u32 = 16;

/// Step 1, for a request of a channel: one action of one owner is one operation.
pub(crate) async fn propose_json(
    engine: &Arc<Engine>,
    action: &Arc<dyn Action>,
    session: &Session,
    json: &str,
    proof: Option<&ProofUse>,
) -> Result<Stored, Refusal> {
    let span = tracing::info_span!("propose", action = action.declaration().action);
    proposed(engine, action, session, json, proof).instrument(span).await
}

async fn proposed(
    engine: &Arc<Engine>,
    action: &Arc<dyn Action>,
    session: &Session,
    json: &str,
    proof: Option<&ProofUse>,
) -> Result<Stored, Refusal> {
    let declaration = action.declaration();
    // on record before a function of the company's runs for it, whatever is decided
    engine.record(proof).await?;
    admit(declaration, session)?;
    let request = request(&**action, json)?;
    let open_as = open_action(&engine.company, session, declaration.action, request.identity);
    for _ in 0..ROUNDS {
        let found = engine.store.find_open(&open_as).await;
        match open(found.map_err(|error| unavailable(&error))?, &request, &**action) {
            Open::AsItIs(id) => return engine.read(&id).await,
            Open::Revise(found) => {
                let stored = &found.stored;
                let worked = work_out(engine, &**action, session, &stored.key.id, &request).await?;
                let digest = Some(request.digest);
                match revise(engine, declaration, stored, worked, digest).await? {
                    Revised::Issued | Revised::Same => return engine.read(&stored.key.id).await,
                    Revised::NotNow => {}
                }
            }
            Open::None => {
                let id = new_id(declaration.id_prefix)?;
                let worked = work_out(engine, &**action, session, &id, &request).await?;
                let now = engine.clock.now();
                let new = NewOperation {
                    key: engine.key(&id),
                    owner: owner(session),
                    open: open_as.clone(),
                    request: request.digest,
                    revision: revision(declaration, worked, Revision::FIRST, now)?,
                    reference: action.reference(&request.json),
                    tells_release: declaration.tells_release,
                };
                failpoint!("propose.worked_out", await);
                // `Open`: somebody was first, and theirs is the operation
                let kept = engine.store.propose(new).await;
                failpoint!("propose.stored", await);
                match kept.map_err(|error| unavailable(&error))? {
                    Proposed::New => {
                        tracing::info!(operation = %id, "proposed");
                        engine.count(names::PROPOSALS, declaration.action);
                        return engine.read(&id).await;
                    }
                    Proposed::Open(_) => {}
                    Proposed::Paused => {
                        tracing::info!(action = declaration.action, "new operations are paused");
                        return Err(Refusal::Unavailable);
                    }
                }
            }
        }
    }
    Err(Refusal::Unavailable)
}

/// Step 5.
pub(crate) async fn read_proved(
    engine: &Engine,
    session: &Session,
    id: &str,
) -> Result<Stored, Refusal> {
    let id = addressed(session, id)?;
    let span = tracing::info_span!("read", operation = %id);
    track(engine, session, &id).instrument(span).await
}

/// Steps 3 and 4.
pub(crate) async fn confirm_proved(
    engine: &Arc<Engine>,
    session: &Session,
    id: &str,
    request: ConfirmRequest,
    proof: Option<&ProofUse>,
) -> Result<Stored, Refusal> {
    let id = addressed_with(engine, session, id, proof).await?;
    let span = tracing::info_span!("confirm", operation = %id);
    let begun = tokio::time::Instant::now();
    let stored = confirmed(engine, session, &id, request, proof).instrument(span).await?;
    engine.settings.measured.took(names::CONFIRM_SECONDS, &stored.action, begun);
    Ok(stored)
}

async fn confirmed(
    engine: &Arc<Engine>,
    session: &Session,
    id: &OperationId,
    request: ConfirmRequest,
    mut proof: Option<&ProofUse>,
) -> Result<Stored, Refusal> {
    for _ in 0..ROUNDS {
        let claims =
            |offered: &Stored| matches!(decide(offered, session, request), Decision::Claim);
        let ToClaim { stored, by_heart } = match engine.read_to_claim(id, claims).await {
            Ok(read) => read,
            Err(refusal) => return engine.refuse(proof, refusal).await,
        };
        match decide(&stored, session, request) {
            Decision::Refuse(refusal) => {
                engine.count_confirm(&stored.action, "refused");
                return engine.refuse(proof, refusal).await;
            }
            Decision::AsItIs => {
                engine.count_confirm(&stored.action, "as_it_is");
                engine.record(proof).await?;
                return expire_if_due(engine, stored).await;
            }
            Decision::Claim => {}
        }
        failpoint!("confirm.decided", await);
        let rechecked = if by_heart {
            Rechecking::Same
        } else {
            let rechecked = recheck(engine, session, &stored, &mut proof).await;
            rechecked.inspect_err(|_| engine.count_confirm(&stored.action, "refused"))?
        };
        match rechecked {
            Rechecking::Same => {}
            Rechecking::Changed(worked) => {
                reissue(engine, &stored, worked).await?;
                continue;
            }
            Rechecking::Gone(reason) => {
                withdraw(engine, &stored, &reason).await?;
                continue;
            }
        }
        failpoint!("confirm.rechecked", await);
        let claiming = Claiming::of(session, stored, request.approved_by, proof);
        if let Some(answer) = answer_of(engine, id, begin(engine, claiming)?).await? {
            return Ok(answer);
        }
    }
    Err(Refusal::Unavailable)
}

/// Starts what waits to be started, as far as there is room; answers how many were started.
pub(crate) async fn start_waiting(engine: &Arc<Engine>) -> Result<usize, store::Error> {
    let mut started = 0;
    for stored in waiting(engine).await? {
        let key = stored.key.clone();
        let Some(action) = engine.action(&stored.action).map(Arc::clone) else { continue };
        match start(engine, stored).await {
            Ok(Starting::Claimed(claimed)) => {
                let engine = Arc::clone(engine);
                // nobody waits for it here: who confirmed reads the store
                let task = async move { drop(perform(&engine, action, *claimed).await) };
                tokio::spawn(task.in_current_span());
                started += 1;
            }
            Ok(Starting::Unknown(ticket)) => crate::recover::release(engine, key, ticket),
            Ok(Starting::Nothing) => {}
            Err(refusal) => tracing::warn!(%refusal, "what waits was not started"),
        }
    }
    Ok(started)
}

/// Looking again found other terms: they are the next revision, for the User to approve.
async fn reissue(engine: &Arc<Engine>, stored: &Stored, worked: Worked) -> Result<(), Refusal> {
    let Some(action) = engine.action(&stored.action) else {
        return Err(Refusal::Unavailable);
    };
    match revise(engine, action.declaration(), stored, worked, None).await? {
        Revised::Issued | Revised::NotNow => Ok(()),
        Revised::Same => {
            tracing::error!(operation = %stored.key.id, "`recheck` answered changed terms that say the same");
            Err(Refusal::Broken)
        }
    }
}

/// Looking again found that the company can no longer do it: the proposal ends.
async fn withdraw(engine: &Arc<Engine>, stored: &Stored, reason: &str) -> Result<(), Refusal> {
    let close = CloseProposed {
        key: stored.key.clone(),
        closing: Closing::Cancelled,
        summary: crate::ending::withdrawn(reason),
        proof: None,
    };
    let written = engine.store.close_proposed(close).await;
    written.map(drop).map_err(|error| unavailable(&error))
}

/// Off the path: declined, or asked to stop.
pub(crate) async fn cancel_proved(
    engine: &Arc<Engine>,
    session: &Session,
    id: &str,
    proof: Option<&ProofUse>,
) -> Result<Stored, Refusal> {
    let id = addressed_with(engine, session, id, proof).await?;
    let span = tracing::info_span!("cancel", operation = %id);
    let (engine, session, proof) = (Arc::clone(engine), session.clone(), proof.cloned());
    // in a task of its own: a caller that hangs up leaves no request to stop that no handler hears of
    let task = async move { cancelled(&engine, &session, &id, proof.as_ref()).await };
    tokio::spawn(task.instrument(span)).await.unwrap_or_else(|error| {
        tracing::error!(%error, "it ended without an answer");
        Err(Refusal::Unavailable)
    })
}

async fn cancelled(
    engine: &Arc<Engine>,
    session: &Session,
    id: &OperationId,
    proof: Option<&ProofUse>,
) -> Result<Stored, Refusal> {
    for _ in 0..ROUNDS {
        match cancel(engine, session, id, proof).await? {
            Cancelling::AsItIs(stored) => return expire_if_due(engine, stored).await,
            Cancelling::Declined(stored) => return Ok(stored),
            Cancelling::Stopping(stored) if is_deferred(&stored) => {
                // whoever starts it does so only if no stop is on record
                match crate::deferred::stop(engine, &stored).await {
                    Some(ended) => return Ok(ended),
                    None => return engine.read(id).await,
                }
            }
            Cancelling::Stopping(stored) => {
                if let Some(action) = engine.action(&stored.action) {
                    ask_to_stop(engine, Arc::clone(action), stored.clone());
                }
                return Ok(stored);
            }
            Cancelling::NotNow => {}
        }
    }
    Err(Refusal::Unavailable)
}

/// The operation that a request at the endpoint names. A malformed id is refused as an unknown one is:
/// nobody learns which it was.
fn addressed(session: &Session, id: &str) -> Result<OperationId, Refusal> {
    if !session.lists_operations() {
        return Err(Refusal::ExtensionRequired);
    }
    id.parse().map_err(|_malformed| Refusal::OperationNotFound)
}

/// The same for a request that changes something: its proof is used up by a refusal, too.
async fn addressed_with(
    engine: &Engine,
    session: &Session,
    id: &str,
    proof: Option<&ProofUse>,
) -> Result<OperationId, Refusal> {
    match addressed(session, id) {
        Ok(id) => Ok(id),
        Err(refusal) => engine.refuse(proof, refusal).await,
    }
}
