//! The company's handle: one short method per step, in the order of an operation's path.
//!
//! This is the only place where steps meet.

mod begun;
mod builder;
mod keeping;
mod path;
mod settings;
mod stopping;
mod tasks;

use std::fmt::{Debug, Formatter};
use std::marker::PhantomData;
use std::sync::Arc;

use pap_protocol::operation::{ConfirmRequest, Operation, OperationId};
use serde::Serialize;

pub(crate) use builder::Edge;
pub use builder::{Builder, StartError};
pub(crate) use path::{cancel_proved, confirm_proved, propose_json, read_proved};

use crate::action::{Action, Ending, worked_out};
use crate::confirmed::NotSettled;
use crate::engine::{Engine, unavailable};
use crate::outcome::Outcome;
use crate::present::operation;
use crate::private::Declared;
use crate::proposal::Proposal;
use crate::refusal::Refusal;
use crate::revise::{Revised, can_be_revised, revise};
use crate::session::Session;
use crate::settle::{SettledBy, Settling, settle};
use crate::store::{History, Transaction};
use crate::track::expire_if_due;

/// A company that offers operations. Cheap to clone; all clones are one.
///
/// # Examples
///
/// From code. Over HTTP it is the same company in front of a router: `Company::in_front_of`, with
/// `.sessions(…)` for the tokens and a store that outlives the process.
///
/// ```
/// use pap_runtime::store::memory::Memory;
/// use pap_runtime::{
///     ApprovedBy, Company, ConfirmRequest, Confirmed, ExtensionDescriptor, Outcome, Session, State,
///     operation, operations, succeeded,
/// };
///
/// struct Shop;
///
/// /// Adds a gift note to an order before it ships.
/// #[operation(action = "orders.gift_note", scopes = ["orders:write"],
///             summary = "Put the note “{note}” into order {order_id}.", terms = { order_id: String, note: String },
///             reconcile = operator)]
/// async fn gift_note(_shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
///     succeeded(format!("The note is in the parcel of {}.", op.terms.order_id), ())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let company = Company::builder(Shop)
///     .name("Example Outfitters")
///     .origin("https://api.example.com")
///     .store(Memory::new())
///     .operations(operations![gift_note])
///     .start()
///     .await?;
/// let session = Session::new("ses_1", "https://juniper.example/agent.json", "ada")
///     .signed_in("acc_ada", ["orders:write"])
///     .with_extensions([("operations".to_owned(), ExtensionDescriptor::new("1"))].into());
///
/// let note = |note: &str| GiftNoteTerms { order_id: "ord_7Hk2".into(), note: note.into() };
/// let proposed = company.propose::<gift_note>(&session, note("Happy birthday")).await?;
/// assert_eq!(proposed.summary, "Put the note “Happy birthday” into order ord_7Hk2.");
///
/// // the terms change before the User has approved them: the next revision of the same operation
/// let revised = company.revise::<gift_note>(&proposed.operation_id, note("Happy 8th birthday")).await?;
///
/// let confirm = ConfirmRequest::new(revised.revision, ApprovedBy::User);
/// let done = company.confirm(&session, revised.operation_id.as_str(), confirm).await?;
/// assert_eq!(done.state, State::Succeeded);
/// # Ok(())
/// # }
/// ```
pub struct Company<S> {
    pub(crate) engine: Arc<Engine>,
    pub(crate) edge: Arc<Edge>,
    state: PhantomData<fn(&S)>,
}

impl<S: Send + Sync + 'static> Company<S> {
    /// Begins a company around its own state, which every declared function gets as its first argument.
    pub fn builder(state: S) -> Builder<S> {
        Builder::new(Arc::new(state))
    }

    /// The same around state that the service shares already.
    pub fn builder_around(state: Arc<S>) -> Builder<S> {
        Builder::new(state)
    }

    /// Proposes an operation from code, without HTTP: from an MCP tool, a conversation or a page.
    ///
    /// The same request again answers the same operation, also while it is in progress; another request
    /// for the same action while it is proposed issues the next revision (section 4).
    ///
    /// # Errors
    ///
    /// A [`Refusal`]; nothing is stored then.
    ///
    /// # Crash safety
    ///
    /// When it returns, the operation is durable. A crash before leaves nothing, or the operation, which
    /// asking again then answers.
    pub async fn propose<O: Declared<State = S>>(
        &self,
        session: &Session,
        request: O::Request,
    ) -> Result<Operation, Refusal> {
        let action = self.declared::<O>()?;
        let json = serde_json::to_string(&request)
            .map_err(|error| Refusal::InvalidRequest(error.to_string()))?;
        operation(&propose_json(&self.engine, action, session, &json, None).await?)
    }

    /// Reads an operation (section 6).
    ///
    /// # Errors
    ///
    /// [`Refusal::OperationNotFound`] for an id that is unknown, malformed or not this Session's.
    pub async fn read(&self, session: &Session, id: &str) -> Result<Operation, Refusal> {
        operation(&read_proved(&self.engine, session, id).await?)
    }

    /// Confirms a revision, and performs the action if this confirm is the first (section 5.2).
    ///
    /// Answers with the final state if the handler is quick, else `in_progress`; repeating it is safe.
    ///
    /// # Errors
    ///
    /// A [`Refusal`]; nothing is performed then.
    ///
    /// # Crash safety
    ///
    /// The confirmation is durable before the handler starts. A crash after that never performs again:
    /// `reconcile` is asked what happened.
    pub async fn confirm(
        &self,
        session: &Session,
        id: &str,
        request: ConfirmRequest,
    ) -> Result<Operation, Refusal> {
        operation(&confirm_proved(&self.engine, session, id, request, None).await?)
    }

    /// Declines a proposal, or asks to stop an operation in progress (section 7).
    ///
    /// # Errors
    ///
    /// A [`Refusal`].
    ///
    /// # Crash safety
    ///
    /// When it returns, the cancellation or the request to stop is durable.
    pub async fn cancel(&self, session: &Session, id: &str) -> Result<Operation, Refusal> {
        operation(&cancel_proved(&self.engine, session, id, None).await?)
    }

    /// Issues a new revision of a proposal, such as for another size or a new price (section 3.1).
    /// Terms that say the same leave the latest as it is.
    ///
    /// # Errors
    ///
    /// [`ReviseError`] if the operation cannot be revised any more.
    ///
    /// # Crash safety
    ///
    /// When it returns, the revision is durable. Revisions before it never change.
    pub async fn revise<O: Declared<State = S>>(
        &self,
        id: &OperationId,
        proposal: impl Into<Proposal<O::Terms>>,
    ) -> Result<Operation, ReviseError> {
        let worked = worked_out(proposal.into())
            .map_err(|unfit| ReviseError::NotTerms(unfit.to_string()))?;
        let stored = self.engine.read(id).await?;
        if stored.action != O::OPERATION.action {
            return Err(ReviseError::OtherAction(stored.action));
        }
        let stored = expire_if_due(&self.engine, stored).await?;
        if !can_be_revised(&stored) {
            return Err(ReviseError::NotProposed(stored.state));
        }
        match revise(&self.engine, O::OPERATION, &stored, worked, None).await? {
            Revised::Issued | Revised::Same => Ok(operation(&self.engine.read(id).await?)?),
            Revised::NotNow => Err(ReviseError::NotProposed(self.engine.read(id).await?.state)),
        }
    }

    /// Ends an operation in progress: from a webhook, a worker or an operator who found out.
    ///
    /// The first final state stands: if it has ended, the operation is answered as it is, and an outcome
    /// that differs is kept on its record as late.
    ///
    /// # Errors
    ///
    /// [`SettleError`] if the operation was never confirmed, or the outcome is `unknown` or handed over.
    ///
    /// # Crash safety
    ///
    /// When it returns, the final state is durable, with who and why.
    ///
    /// # Examples
    ///
    /// ```
    /// use pap_runtime::company::SettleError;
    /// use pap_runtime::{Company, OperationId, SettledBy, succeeded};
    ///
    /// # struct Shop;
    /// /// The warehouse's webhook.
    /// async fn parcel_left(company: &Company<Shop>, id: &OperationId, event: &str) -> Result<(), SettleError> {
    ///     let by = SettledBy::new("warehouse webhook", event);
    ///     company.settle(id, succeeded("The parcel is on its way.", ()), by).await?;
    ///     Ok(())
    /// }
    /// ```
    pub async fn settle<T: Serialize>(
        &self,
        id: &OperationId,
        outcome: Outcome<T>,
        by: SettledBy,
    ) -> Result<Operation, SettleError> {
        match settle(&self.engine, id, Ending::of(outcome), by).await? {
            Settling::Settled(stored) | Settling::HadEnded(stored) => Ok(operation(&stored)?),
            Settling::NotInProgress(stored) => Err(SettleError::NotInProgress(stored.state)),
            Settling::Undecided => Err(SettleError::Undecided),
        }
    }

    /// The same within a transaction of the company's own: its rows and the final state are there together or
    /// not at all. For a webhook or a worker that writes to the database that operations are kept in.
    ///
    /// # Errors
    ///
    /// [`NotSettled`] if the operation is not in progress, or the store takes nothing within
    /// a transaction: roll it back.
    ///
    /// # Crash safety
    ///
    /// Nothing is on record until the company's commit.
    pub async fn settle_in<T: Serialize>(
        &self,
        transaction: &mut dyn Transaction,
        id: &OperationId,
        outcome: Outcome<T>,
        by: SettledBy,
    ) -> Result<(), NotSettled> {
        crate::settle::settle_in(&self.engine, transaction, id, Ending::of(outcome), by).await
    }

    /// Everything on record about an operation: revisions, notes, events and the evidence of its
    /// confirmation (section 8).
    ///
    /// # Errors
    ///
    /// [`Refusal::OperationNotFound`] for an unknown id.
    pub async fn history(&self, id: &OperationId) -> Result<History, Refusal> {
        let history = self.engine.store.history(&self.engine.key(id)).await;
        history.map_err(|error| unavailable(&error))?.ok_or(Refusal::OperationNotFound)
    }

    /// Asks now about every operation whose outcome is unknown and whose time to ask has come, and
    /// answers how many were asked about; none once the company was closed. The company's own task does this
    /// all the time.
    ///
    /// # Errors
    ///
    /// [`Refusal::Unavailable`] if the store does not answer.
    ///
    /// # Crash safety
    ///
    /// A question that was taken and not answered is asked again, by any process; nothing is performed.
    pub async fn ask_due(&self) -> Result<usize, Refusal> {
        crate::recover::ask_due(&self.engine).await.map_err(|error| unavailable(&error))
    }

    fn declared<O: Declared<State = S>>(&self) -> Result<&Arc<dyn Action>, Refusal> {
        self.engine.action(O::OPERATION.action).ok_or_else(|| {
            tracing::error!(
                action = O::OPERATION.action,
                "not on this company's list of operations"
            );
            Refusal::Broken
        })
    }
}

impl<S> Clone for Company<S> {
    fn clone(&self) -> Self {
        Self { engine: Arc::clone(&self.engine), edge: Arc::clone(&self.edge), state: PhantomData }
    }
}

impl<S> Debug for Company<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Company").field("name", &self.edge.name).finish_non_exhaustive()
    }
}

/// Why a revision was not issued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReviseError {
    /// Only a proposal that has not expired can be revised (section 3.1).
    #[error("the operation is {0}: only a proposal that has not expired can be revised")]
    NotProposed(pap_protocol::operation::State),
    /// The operation is of another action.
    #[error("the operation is of action `{0}`")]
    OtherAction(String),
    /// The terms must not be offered.
    #[error("{0}")]
    NotTerms(String),
    /// Unknown operation, or the store does not answer.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Why an operation was not settled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettleError {
    /// Only an operation in progress can be settled.
    #[error("the operation is {0}: only one in progress can be settled")]
    NotInProgress(pap_protocol::operation::State),
    /// The outcome is `unknown` or handed over.
    #[error("the outcome is unknown or handed over: settle with what happened")]
    Undecided,
    /// Unknown operation, or the store does not answer.
    #[error(transparent)]
    Refused(#[from] Refusal),
}
