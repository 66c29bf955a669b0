//! Step 3 of 5: the five checks in the protocol's order, and one winner (section 5.2).

use std::sync::Arc;

use pap_protocol::operation::{ApprovedBy, ConfirmRequest, ConfirmRevision, Confirmation, State};

use crate::access::{Access, access, has_scopes};
use crate::action::Rechecked;
use crate::caught::{Panicked, caught};
use crate::claimed::Claimed;
use crate::engine::{Engine, ticket, unavailable};
use crate::present::{has_expired, operation};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::{
    Claim, ConfirmedBy, Confirming, ErrorKind, Key, PauseOf, Performer, ProofUse, Running, Stored,
    Ticket, Written,
};

/// What a confirm comes to, decided without touching anything.
#[derive(Debug)]
pub(crate) enum Decision {
    /// Refused, with the protocol's code.
    Refuse(Refusal),
    /// Not proposed any more, or expired: the operation as it is, and nothing else.
    AsItIs,
    /// To be claimed.
    Claim,
}

/// The decision: may use it, scopes, latest revision, kind of approval, state, in this order.
pub(crate) fn decide(stored: &Stored, session: &Session, request: ConfirmRequest) -> Decision {
    match access(&stored.owner, session) {
        Access::May => {}
        Access::AfterSignIn => {
            let scopes = stored.latest.scopes.clone();
            return Decision::Refuse(Refusal::SignInRequired { scopes });
        }
        Access::Unknown => return Decision::Refuse(Refusal::OperationNotFound),
    }
    if let Err(refusal) = has_scopes(session, &stored.latest.scopes) {
        return Decision::Refuse(refusal);
    }
    if request.revision != ConfirmRevision::Some(stored.latest.number) {
        return Decision::Refuse(with_operation(stored, Refusal::TermsChanged));
    }
    if stored.latest.user_approval_required && request.approved_by != ApprovedBy::User {
        return Decision::Refuse(with_operation(stored, Refusal::UserApprovalRequired));
    }
    if stored.state != State::Proposed || has_expired(stored) {
        return Decision::AsItIs;
    }
    Decision::Claim
}

fn with_operation(
    stored: &Stored,
    refusal: fn(Box<pap_protocol::operation::Operation>) -> Refusal,
) -> Refusal {
    match operation(stored) {
        Ok(operation) => refusal(Box::new(operation)),
        Err(broken) => broken,
    }
}

/// What looking again before the claim comes to.
pub(crate) enum Rechecking {
    /// Go on and claim.
    Same,
    /// To be issued as the next revision.
    Changed(crate::action::Worked),
    /// To be closed as cancelled, with this reason.
    Gone(String),
}

/// Finds out whether the running code may perform what was approved: it must not be closing, it must know
/// the revision's form, and the company may want to look again. Nothing is claimed.
pub(crate) async fn recheck(
    engine: &Engine,
    session: &Session,
    stored: &Stored,
    proof: &mut Option<&ProofUse>,
) -> Result<Rechecking, Refusal> {
    if engine.is_closed() {
        return engine.refuse(proof.take(), Refusal::Unavailable).await;
    }
    let Some(action) = engine.action(&stored.action) else {
        tracing::error!(operation = %stored.key.id, action = stored.action, "not declared by this code: left alone");
        return engine.refuse(proof.take(), Refusal::Unavailable).await;
    };
    if !action.knows(stored.latest.schema_version, &stored.latest.full) {
        tracing::error!(
            operation = %stored.key.id, action = stored.action, version = stored.latest.schema_version,
            "this code does not know the terms of this revision: left alone"
        );
        return engine.refuse(proof.take(), Refusal::Unavailable).await;
    }
    if !action.declaration().rechecks {
        return Ok(Rechecking::Same);
    }
    // a function of the company's is about to run for this request: its proof is spent first, and no more
    // afterwards, however long that takes
    engine.record(proof.take()).await?;
    match caught(action.recheck(session, &stored.latest)).await {
        Ok(Ok(Rechecked::Same)) => Ok(Rechecking::Same),
        Ok(Ok(Rechecked::Changed(worked))) => Ok(Rechecking::Changed(worked)),
        Ok(Ok(Rechecked::Gone(reason))) => Ok(Rechecking::Gone(reason)),
        Ok(Err(not)) => Err(Refusal::not_offered(&stored.action, not)),
        Err(Panicked) => {
            tracing::error!(operation = %stored.key.id, "`recheck` panicked");
            Err(Refusal::Broken)
        }
    }
}

/// What became of an attempt to claim.
pub(crate) enum Attempt {
    /// Perform.
    Claimed(Box<Claimed>),
    /// It waits to be started, here or by another process.
    Deferred(Box<Stored>),
    /// The condition no longer held: read and decide again.
    NotNow,
    /// Whether it was claimed is unknown: nobody may perform from this ticket, if there is one.
    Unknown(Key, Option<Ticket>),
}

/// What is to be claimed, and for whom.
pub(crate) struct Claiming {
    pub(crate) stored: Stored,
    approved_by: ApprovedBy,
    by: Confirming,
    proof: Option<ProofUse>,
}

impl Claiming {
    /// For this Session, as it asks.
    pub(crate) fn of(
        session: &Session,
        stored: Stored,
        approved_by: ApprovedBy,
        proof: Option<&ProofUse>,
    ) -> Self {
        let by = Confirming {
            client: session.client.clone(),
            key_thumbprint: session.key_thumbprint.clone(),
            session: session.id.clone(),
            account: session.account.clone(),
            digest: stored.latest.digest,
        };
        Self { stored, approved_by, by, proof: proof.cloned() }
    }
}

/// Records the confirmation, and spends the right to perform if there is room for it here.
pub(crate) async fn claim(engine: &Engine, claiming: Claiming) -> Result<Attempt, Refusal> {
    let action = claiming.stored.action.clone();
    let attempt = attempt(engine, claiming).await;
    if attempt.is_err() {
        engine.count_confirm(&action, "refused");
    }
    attempt
}

async fn attempt(engine: &Engine, claiming: Claiming) -> Result<Attempt, Refusal> {
    let Claiming { stored, approved_by, by, proof } = claiming;
    let ticket = match &proof {
        Some(proof) => proof.ticket,
        None => ticket()?,
    };
    let performing = engine.performing();
    let Some(life) = engine.life().filter(|_| !engine.is_closed()) else {
        return engine.refuse(proof.as_ref(), Refusal::Unavailable).await;
    };
    let performs = engine.settings.role.performs();
    let room = engine.rooms.to_perform(&stored.action).filter(|_| performs);
    let performer = room.is_some().then_some(Performer { ticket, life });
    let claim = Claim {
        key: stored.key.clone(),
        revision: stored.latest.number,
        approved_by,
        by: by.clone(),
        performer,
        proof,
    };
    let stop = engine.stops.listen(&stored.key.id);
    failpoint!("claim.before", await);
    let written = engine.store.claim(claim).await;
    failpoint!("claim.after", await);
    match written {
        Ok(Written::Done(at)) => {
            tracing::info!(operation = %stored.key.id, revision = stored.latest.number.get(), ?approved_by, deferred = room.is_none(), "confirmed");
            let outcome = if room.is_some() { "claimed" } else { "deferred" };
            engine.count_confirm(&stored.action, outcome);
            let confirmation = Confirmation::new(stored.latest.number, approved_by, at);
            let stored = claimed(stored, ConfirmedBy { confirmation, by }, performer);
            Ok(match room {
                Some(room) => {
                    let stored = Arc::new(stored);
                    Attempt::Claimed(Box::new(Claimed { stored, ticket, stop, room, performing }))
                }
                None => Attempt::Deferred(Box::new(stored)),
            })
        }
        Ok(Written::NotNow) => held_back(engine, &stored).await.map(|()| Attempt::NotNow),
        Ok(Written::Replayed) => Err(Refusal::InvalidProof),
        Err(error) if error.kind() == ErrorKind::Unknown => {
            tracing::error!(operation = %stored.key.id, %error, "whether it was claimed is unknown: nothing is performed");
            Ok(Attempt::Unknown(stored.key, room.map(|_| ticket)))
        }
        Err(error) => Err(unavailable(&error)),
    }
}

/// Refuses what an operator holds back. The store has refused it already; this only says why.
async fn held_back(engine: &Engine, stored: &Stored) -> Result<(), Refusal> {
    let pauses = engine.store.keeping().pauses(&engine.company).await;
    let paused = pauses.map_err(|error| unavailable(&error))?.into_iter().any(|paused| {
        paused.of == PauseOf::Claims && paused.action.is_none_or(|action| action == stored.action)
    });
    if paused {
        tracing::info!(operation = %stored.key.id, "confirmations of this action are paused");
        return Err(Refusal::Unavailable);
    }
    Ok(())
}

/// The operation as the claim left it.
fn claimed(stored: Stored, confirmed: ConfirmedBy, performer: Option<Performer>) -> Stored {
    let at = confirmed.confirmation.confirmed_at;
    let running = Running {
        life: performer.map(|performer| performer.life),
        performing: performer.is_some(),
        epoch: 0,
        ask_after: at,
        asks: 0,
        died_asking: 0,
        stop_requested: None,
        due: None,
        attention: false,
    };
    Stored {
        state: State::InProgress,
        confirmed: Some(confirmed),
        running: Some(running),
        now: at,
        ..stored
    }
}
