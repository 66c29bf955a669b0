//! One User's operations at one Company: one method per step, in the order of the path.

mod ask;
mod cancel;
mod confirm;
mod decide;
mod follow;
mod tell;

use std::fmt::{Debug, Formatter};
use std::sync::Arc;

use pap_protocol::operation::{Operation, OperationId};
use pap_protocol::value::Instant;

pub use ask::{Asked, Reply};
pub use confirm::WebConfirmation;

use crate::agent::Shared;
use crate::company::Company;
use crate::error::Error;
use crate::history::{Mark, Taken};
use crate::open::OpenOperation;
use crate::outcome::{Followed, InProgress, Outcome};
use crate::request::ActionKey;
use crate::session::AnyTokens;
use crate::shown::{Proposal, Shown};

/// One User's operations at one Company.
///
/// | step | method |
/// | --- | --- |
/// | ask the Company's API for an action | [`ask`](Self::ask), or [`receive`](Self::receive) from another channel |
/// | get the User's answer | [`seek_approval`](Self::seek_approval), or [`use_permission`](Self::use_permission) |
/// | confirm exactly that revision | [`confirm`](Self::confirm) |
/// | find out what happened | [`follow`](Self::follow), [`read`](Self::read), [`open`](Self::open) after a restart |
/// | decline or stop | [`cancel`](Self::cancel), [`withdraw`](Self::withdraw) |
pub struct OperationsClient {
    company: Arc<Company>,
    shared: Arc<Shared>,
    tokens: Box<dyn AnyTokens>,
}

impl OperationsClient {
    pub(crate) fn new(
        company: Arc<Company>,
        shared: Arc<Shared>,
        tokens: Box<dyn AnyTokens>,
    ) -> Self {
        Self { company, shared, tokens }
    }

    /// The Company.
    pub fn company(&self) -> &Company {
        &self.company
    }

    /// The operations that are not known to be final, also those from before a restart: follow the ones
    /// whose confirm was begun.
    ///
    /// # Errors
    ///
    /// [`Error::NotKept`] if they cannot be read.
    pub async fn open(&self) -> Result<Vec<OpenOperation>, Error> {
        Ok(self.shared.table.of(self.company.domain()).await?)
    }

    /// Drops an operation from the open ones without asking the Company, because the User has found out
    /// by other means that it is over. From then on its action can be asked for again.
    ///
    /// # Errors
    ///
    /// [`Error::NotKept`] if the change is not known to be durable.
    pub async fn forget(&self, id: &OperationId) -> Result<(), Error> {
        Ok(self.shared.table.forget(self.company.domain(), id).await?)
    }

    fn now(&self) -> Instant {
        self.shared.clock.now()
    }

    /// Takes over what the Company said, if it agrees with what it said before.
    async fn take(
        &self,
        mark: Mark,
        operation: &Operation,
        action: Option<&ActionKey>,
    ) -> Result<Taken, Error> {
        let domain = self.company.domain();
        let digest = Shown::new(&self.company, operation).terms_digest();
        let kept = self.shared.table.find(domain, &operation.operation_id).await?;
        let history = &self.shared.history;
        let taken = history.take((domain, mark), operation, digest, kept.as_ref());
        let taken = taken.inspect_err(|contradiction| {
            tracing::error!(%contradiction, "the Company contradicts itself");
        })?;
        if taken == Taken::Newest {
            self.shared.table.update(domain, operation, digest, action).await?;
        }
        Ok(taken)
    }

    /// How an operation stands that was taken over.
    fn stands(&self, operation: Operation, action: Option<String>, read_at: Instant) -> Followed {
        if let Some(outcome) = Outcome::of(&self.company, &operation) {
            return Followed::Final(outcome);
        }
        if operation.confirmation.is_none() {
            let proposal = Proposal::new(Arc::clone(&self.company), operation, action);
            return Followed::Proposed(proposal);
        }
        let (id, revision) = (operation.operation_id, operation.revision);
        self.shared.history.wait_until(self.company.domain(), &id, read_at);
        Followed::InProgress(InProgress { operation_id: id, revision, read_at })
    }
}

impl Debug for OperationsClient {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OperationsClient").field("company", &self.company).finish_non_exhaustive()
    }
}
