//! The steps in order: what one does with what the step before yields.

use std::sync::Arc;

use pap_protocol::operation::{ConfirmRequest, OperationId, Revision};

use crate::action::{Action, Worked};
use crate::cancel::{Cancelling, ask_to_stop, cancel};
use crate::claimed::Claimed;
use crate::confirm::{Attempt, Decision, Rechecking, claim, decide, recheck};
use crate::engine::{Engine, new_id, unavailable};
use crate::issue::revision;
use crate::propose::{Open, admit, open, work_out};
use crate::refusal::Refusal;
use crate::revise::{Revised, revise};
use crate::session::Session;
use crate::store::{CloseProposed, Closing, NewOperation, ProofUse, Proposed, Stored};
use crate::track::{expire_if_due, track};

/// How often a decision is made anew because the operation moved on in between. Each round somebody
/// else got further, so a few are enough; after that the caller is asked to come again.
const ROUNDS: u32 = 16;

pub(crate) async fn propose_json(
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
    let request = crate::propose::request(&**action, json)?;
    let company = &engine.company;
    let action_of =
        crate::access::open_action(company, session, declaration.action, request.identity);
    for _ in 0..ROUNDS {
        let found = engine.store.find_open(&action_of).await;
        match open(found.map_err(|error| unavailable(&error))?, &request) {
            Open::AsItIs(id) => return engine.read(&id).await,
            Open::Revise(found) => {
                let (stored, id) = (found.stored, &action_of);
                let worked = work_out(engine, &**action, session, &stored.key.id, &request).await?;
                let digest = Some(request.digest);
                match revise(engine, declaration, &stored, worked, digest).await? {
                    Revised::Issued | Revised::Same => {
                        return engine.read(&stored.key.id).await;
                    }
                    Revised::NotNow => tracing::debug!(action = id.action, "moved on: again"),
                }
            }
            Open::None => {
                let id = new_id(declaration.id_prefix)?;
                let worked = work_out(engine, &**action, session, &id, &request).await?;
                let now = engine.clock.now();
                let revision = revision(declaration, worked, Revision::FIRST, now)?;
                let new = NewOperation {
                    key: engine.key(&id),
                    owner: crate::access::owner(session),
                    open: action_of.clone(),
                    request: request.digest,
                    revision,
                };
                match engine.store.propose(new).await {
                    Ok(Proposed::New) => {
                        tracing::info!(operation = %id, action = declaration.action, "proposed");
                        return engine.read(&id).await;
                    }
                    // somebody was first: theirs is the operation
                    Ok(Proposed::Open(_)) => {}
                    Err(error) => return Err(unavailable(&error)),
                }
            }
        }
    }
    Err(Refusal::Unavailable)
}

pub(crate) async fn read_proved(
    engine: &Engine,
    session: &Session,
    id: &str,
) -> Result<Stored, Refusal> {
    if !session.lists_operations() {
        return Err(Refusal::ExtensionRequired);
    }
    track(engine, session, &known(id)?).await
}

pub(crate) async fn confirm_proved(
    engine: &Arc<Engine>,
    session: &Session,
    id: &str,
    request: ConfirmRequest,
    proof: Option<&ProofUse>,
) -> Result<Stored, Refusal> {
    if !session.lists_operations() {
        return engine.refuse(proof, Refusal::ExtensionRequired).await;
    }
    let Ok(id) = known(id) else {
        return engine.refuse(proof, Refusal::OperationNotFound).await;
    };
    for _ in 0..ROUNDS {
        let stored = match engine.read(&id).await {
            Ok(stored) => stored,
            Err(refusal) => return engine.refuse(proof, refusal).await,
        };
        match decide(&stored, session, request) {
            Decision::Refuse(refusal) => return engine.refuse(proof, refusal).await,
            Decision::AsItIs => {
                engine.record(proof).await?;
                return expire_if_due(engine, stored).await;
            }
            Decision::Claim => {}
        }
        match recheck(engine, session, &stored, proof).await? {
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
        match claim(engine, session, stored, request.approved_by, proof).await? {
            Attempt::Claimed(claimed) => return perform(engine, *claimed).await,
            Attempt::NotNow => {}
            Attempt::Unknown(ticket) => {
                crate::recover::release(engine, engine.key(&id), ticket);
                return Err(Refusal::Unavailable);
            }
        }
    }
    Err(Refusal::Unavailable)
}

/// Performs what was claimed and waits a few seconds for its outcome.
async fn perform(engine: &Arc<Engine>, claimed: Claimed) -> Result<Stored, Refusal> {
    let in_progress = claimed.stored.clone();
    let Some(action) = engine.action(&in_progress.action) else {
        return Err(Refusal::Unavailable);
    };
    let told = crate::perform::start(engine, Arc::clone(action), claimed);
    match tokio::time::timeout(engine.settings.answer_within, told).await {
        Ok(Ok(stored)) => Ok(stored),
        // no outcome, or not yet: it stays in progress
        Ok(Err(_)) | Err(_) => Ok(in_progress),
    }
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

pub(crate) async fn cancel_proved(
    engine: &Arc<Engine>,
    session: &Session,
    id: &str,
    proof: Option<&ProofUse>,
) -> Result<Stored, Refusal> {
    if !session.lists_operations() {
        return engine.refuse(proof, Refusal::ExtensionRequired).await;
    }
    let Ok(id) = known(id) else {
        return engine.refuse(proof, Refusal::OperationNotFound).await;
    };
    for _ in 0..ROUNDS {
        match cancel(engine, session, &id, proof).await? {
            Cancelling::AsItIs(stored) => return expire_if_due(engine, stored).await,
            Cancelling::Declined(stored) => return Ok(stored),
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

/// The id, or the refusal that an unknown one gets: nobody learns which it was.
pub(crate) fn known(id: &str) -> Result<OperationId, Refusal> {
    id.parse().map_err(|_malformed| Refusal::OperationNotFound)
}
