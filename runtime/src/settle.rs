//! Off the path, while in progress: a webhook, a worker or an operator says how it ended (section 6).

use std::sync::Arc;

use pap_protocol::operation::OperationId;

use crate::action::Ending;
use crate::confirmed::NotSettled;
use crate::ending::{Closed, Noted, changes, close, finish_in, finish_of, verdict};
use crate::engine::{Engine, unavailable};
use crate::refusal::Refusal;
use crate::store::{FinishBy, Stored, Transaction};

/// Who settles an operation, and why: both are kept on its record.
#[derive(Debug, Clone)]
pub struct SettledBy {
    pub(crate) who: String,
    pub(crate) why: String,
}

impl SettledBy {
    /// `who` is a person or a system, `why` what it rests on, such as a webhook's id.
    pub fn new(who: impl Into<String>, why: impl Into<String>) -> Self {
        Self { who: who.into(), why: why.into() }
    }
}

/// What settling came to.
#[derive(Debug)]
pub(crate) enum Settling {
    /// It ended now.
    Settled(Stored),
    /// It had ended before: the first final state stands, and a different one is kept as late.
    HadEnded(Stored),
    /// It was never confirmed: only an operation in progress can be settled.
    NotInProgress(Stored),
    /// The outcome given is none.
    Undecided,
}

/// Ends an operation in progress as said.
pub(crate) async fn settle(
    engine: &Arc<Engine>,
    id: &OperationId,
    ending: Ending,
    by: SettledBy,
) -> Result<Settling, Refusal> {
    let Ok(verdict) = verdict(ending) else { return Ok(Settling::Undecided) };
    let key = engine.key(id);
    let history = engine.store.history(&key).await.map_err(|error| unavailable(&error))?;
    let history = history.ok_or(Refusal::OperationNotFound)?;
    if history.stored.confirmed.is_none() {
        return Ok(Settling::NotInProgress(history.stored));
    }
    let noted = Noted { on_record: changes(&history.notes), carried: Vec::new() };
    let by = FinishBy::Settler { who: by.who, why: by.why };
    match close(engine, &history.stored, by, &verdict, noted).await {
        Closed::Done(end) => Ok(Settling::Settled(end.of(history.stored))),
        Closed::Already(stored) => Ok(Settling::HadEnded(*stored)),
        Closed::Lost => Err(Refusal::Unavailable),
    }
}

/// Ends an operation in progress as said, within the company's own transaction.
pub(crate) async fn settle_in(
    engine: &Arc<Engine>,
    transaction: &mut dyn Transaction,
    id: &OperationId,
    ending: Ending,
    by: SettledBy,
) -> Result<(), NotSettled> {
    let verdict = verdict(ending).map_err(|_no_end| NotSettled::no_end())?;
    let by = FinishBy::Settler { who: by.who, why: by.why };
    let finish = finish_of(engine, &engine.key(id), by, &verdict).await?;
    finish_in(engine, transaction, finish).await
}
