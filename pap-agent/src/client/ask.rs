//! Step 2 of 6: ask for an action; the Company proposes an operation, or just answers.

use std::collections::HashSet;
use std::fmt::{Debug, Formatter};
use std::sync::{Mutex, PoisonError};

use pap_protocol::json;
use pap_protocol::operation::{Operation, OperationId, Proposed, State};
use tracing::Instrument;

use super::OperationsClient;
use super::tell::parsed;
use crate::error::{Error, NotSent, Refusal};
use crate::history::{Mark, Taken};
use crate::http::{Answer, Call, Failure, Unreadable};
use crate::open::OpenOperation;
use crate::outcome::Followed;
use crate::request::{ActionKey, Request};
use crate::shown::Proposal;

/// The most bytes of an API's answer that are read.
const REPLY_BYTES_MAX: usize = 1024 * 1024;

/// What came of asking.
#[derive(Debug)]
#[must_use = "a proposal has to be approved and confirmed before anything happens"]
#[expect(clippy::exhaustive_enums, reason = "an operation, an ordinary answer, or no")]
pub enum Asked {
    /// The Company proposes an operation. Nothing has happened yet.
    Proposed(Proposal),
    /// The Company answers with an operation that was confirmed before, as it stands.
    Underway(Followed),
    /// An ordinary answer without an operation: whatever was asked for is done.
    Done(Reply),
    /// The Company refused with a code. With a status from 500 on, whether it did something before is not
    /// known.
    Refused(Refusal),
    /// The API refused in a way of its own, with a status from 400 to 499.
    RefusedByApi(Reply),
}

/// An answer of the API's own. `Debug` shows its status alone.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body as it came.
    pub body: Vec<u8>,
}

impl OperationsClient {
    /// Asks the Company's API for an action (section 4.1).
    ///
    /// As long as an operation for the same action is open, nothing is sent (section 6). A proposal that
    /// is past its time is read first, and does not stand in the way if it has expired.
    ///
    /// # Errors
    ///
    /// [`NotSent::StillOpen`] with the open operation; [`NotSent::OutsideCompany`] for an address that is
    /// not the Company's. After [`Error::Unanswered`] it is not known whether the API did something: ask
    /// again with the *same* [`Request`], which has an `Idempotency-Key`.
    pub async fn ask(&self, request: &Request) -> Result<Asked, Error> {
        let action = request.action_key();
        let span = tracing::info_span!("ask", company = self.company.domain(), %action);
        self.ask_for(request, &action).instrument(span).await
    }

    /// Takes an operation from another channel: the `operation` of a conversation's message or of an MCP
    /// tool's `structuredContent`, as JSON text. Whatever the channel, it is confirmed at the endpoint.
    ///
    /// `action` is the action's stable name, if the host knows what was asked for.
    ///
    /// # Errors
    ///
    /// [`NotSent::NotAnOperation`] if it is not an operation; [`Error::Contradiction`] if it says
    /// something else than what was said before.
    pub async fn receive(
        &self,
        operation: &[u8],
        action: Option<String>,
    ) -> Result<Followed, Error> {
        let operation = Operation::from_json(operation).map_err(NotSent::from)?;
        if operation.state == State::Proposed {
            return self.take_in(Mark::Unknown, operation, action, None).await;
        }
        // how a confirmed operation stands is said at the endpoint
        self.stands_now(&operation.operation_id, action).await
    }

    async fn ask_for(&self, request: &Request, action: &ActionKey) -> Result<Asked, Error> {
        let url = parsed(request.url.as_str())?;
        if !self.company.is_at(&url) {
            let host = url.host_str().unwrap_or_default().to_owned();
            return Err(NotSent::OutsideCompany { host }.into());
        }
        let _asking = self.begin_asking(action)?;
        self.not_open(action).await?;

        let call = Call {
            method: request.method.clone(),
            url,
            body: request.body.clone(),
            idempotency_key: (!request.method.is_safe()).then_some(&request.idempotency_key),
            resource: request.resource.as_deref(),
            account: None,
            bytes_max: REPLY_BYTES_MAX,
        };
        let mark = self.shared.history.mark();
        match self.shared.transport.send(&call, self.tokens.as_ref()).await {
            Ok(answer) => self.answered(mark, answer, request, action).await,
            Err(Failure::NotSent(why)) => Err(why.into()),
            Err(Failure::Unanswered(why)) => Err(why.into()),
            Err(Failure::Unreadable(why)) => Err(why.into()),
        }
    }

    async fn answered(
        &self,
        mark: Mark,
        answer: Answer,
        request: &Request,
        action: &ActionKey,
    ) -> Result<Asked, Error> {
        let status = answer.status();
        if !answer.is_success() {
            return refused(answer);
        }
        if status != 202 || !carries_operation(&answer)? {
            return Ok(Asked::Done(Reply { status, body: answer.into_body() }));
        }
        let proposed = Proposed::from_json(answer.json()?);
        let operation = proposed.map_err(|source| answer.not_as_specified(source))?.operation;
        let name = request.action.clone();
        let followed = self.take_in(mark, operation, name, Some(action)).await?;
        Ok(match followed.into_proposal() {
            Ok(proposal) => Asked::Proposed(proposal),
            Err(underway) => Asked::Underway(underway),
        })
    }

    async fn take_in(
        &self,
        mark: Mark,
        operation: Operation,
        name: Option<String>,
        action: Option<&ActionKey>,
    ) -> Result<Followed, Error> {
        tracing::info!(operation_id = %operation.operation_id, state = %operation.state, "taken in");
        match self.take(mark, &operation, action).await? {
            Taken::Newest => Ok(self.stands(operation, name, self.try_again_at(None, 0))),
            Taken::Overtaken => self.stands_now(&operation.operation_id, name).await,
        }
    }

    /// Reads it, if the Company does not want to be asked later.
    async fn stands_now(&self, id: &OperationId, name: Option<String>) -> Result<Followed, Error> {
        match self.too_early(id) {
            Some(early) => Ok(Followed::InProgress(early)),
            None => self.read_named(id, name).await,
        }
    }

    /// Two tasks that ask at the same time would both see that nothing is open.
    fn begin_asking(&self, action: &ActionKey) -> Result<Asking<'_>, NotSent> {
        let all = &self.shared.asking;
        let this = (self.company.domain().to_owned(), action.clone());
        let is_first = all.lock().unwrap_or_else(PoisonError::into_inner).insert(this.clone());
        if is_first { Ok(Asking { all, this }) } else { Err(NotSent::BeingAsked) }
    }

    /// No new proposal of the same action until its operation is final (section 6).
    async fn not_open(&self, action: &ActionKey) -> Result<(), Error> {
        let domain = self.company.domain();
        let Some(open) = self.shared.table.asked_for(domain, action).await? else { return Ok(()) };
        if self.is_past_its_time(&open) {
            match self.read(&open.operation_id).await? {
                Followed::Final(_) => return Ok(()),
                Followed::InProgress(_) | Followed::Proposed(_) | Followed::NotConfirmed => {}
            }
        }
        Err(NotSent::StillOpen(Box::new(open)).into())
    }

    fn is_past_its_time(&self, open: &OpenOperation) -> bool {
        open.state == State::Proposed
            && open.expires_at.is_some_and(|expires_at| self.now() > expires_at)
    }
}

/// An action that is being asked for; given back when it is dropped.
struct Asking<'a> {
    all: &'a Mutex<HashSet<(String, ActionKey)>>,
    this: (String, ActionKey),
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.this);
    }
}

fn refused(answer: Answer) -> Result<Asked, Error> {
    let (status, retry_at) = (answer.status(), answer.retry_at());
    match answer.error_body() {
        Ok(body) => Ok(Asked::Refused(Refusal { status, body: Box::new(body), retry_at })),
        Err(_) if status < 500 => {
            Ok(Asked::RefusedByApi(Reply { status, body: answer.into_body() }))
        }
        Err(why) => Err(why.into()),
    }
}

/// Whether a 202 is about an operation: an API has its own reasons to answer 202.
fn carries_operation(answer: &Answer) -> Result<bool, Unreadable> {
    let Ok(body) = answer.json() else { return Ok(false) };
    // what cannot be read could be a proposal: it is no ordinary answer
    let members = json::strict_as::<serde_json::Value>(body);
    let members = members.map_err(|source| answer.not_as_specified(source))?;
    Ok(members.get("operation").is_some())
}

impl Debug for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reply").field("status", &self.status).finish_non_exhaustive()
    }
}
