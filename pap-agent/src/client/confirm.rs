//! Step 5 of 6: confirm exactly the revision that was approved, and find out whether that arrived.

use pap_protocol::operation::{ApprovedBy, ConfirmRequest, Operation, OperationId, Revision};
use pap_protocol::refusal::ErrorCode;
use pap_protocol::value::Instant;
use tracing::Instrument;

use super::OperationsClient;
use super::tell::{Told, Verb, parsed};
use crate::approval::Approval;
use crate::error::{Error, NotSent, Refusal, TermsChanged};
use crate::history::Contradiction;
use crate::http::Unreadable;
use crate::open::BegunConfirm;
use crate::outcome::Followed;
use crate::shown::{Proposal, Shown};
use crate::standing::NotCovered;
use crate::terms::changed;

/// What the host's browser may confirm on the Company's website, in the same Session (section 4.4).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebConfirmation {
    /// The page of the operation.
    pub url: String,
    /// The operation.
    pub operation_id: OperationId,
    /// The revision that the User approved, and no other.
    pub revision: Revision,
    /// How they approved it.
    pub approved_by: ApprovedBy,
}

impl OperationsClient {
    /// Confirms the approved revision at the operations endpoint (section 5.2).
    ///
    /// A lost answer is recovered by confirming the *same* operation again, with a new proof: the id is
    /// what identifies a retry. It is never asked for anew. If the approval is withdrawn meanwhile, no
    /// further confirm is sent, and the operation is cancelled.
    ///
    /// # Crash safety
    ///
    /// That a confirm is begun is kept before it is sent. After a crash [`open`](Self::open) still has
    /// the operation, with what was begun, and [`follow`](Self::follow) finds out.
    ///
    /// # Errors
    ///
    /// [`Error::NotSent`] before anything is sent; [`Error::TermsChanged`] with the new proposal;
    /// [`Error::Refused`]; [`Error::CompanyChangedTerms`] if the answer is not about what was approved;
    /// [`Error::OutcomeUnknown`] if nothing usable came back in time.
    pub async fn confirm(&self, approval: Approval) -> Result<Followed, Error> {
        let span = self.span("confirm", approval.proposal());
        self.confirm_approved(&approval).instrument(span).await
    }

    /// Hands an approval over to the host's browser, for the operation's own page. The duties of section
    /// 5.1 hold there as well, so it takes an approval, under the same conditions as
    /// [`confirm`](Self::confirm). [`follow`](Self::follow) finds out what came of it.
    ///
    /// # Errors
    ///
    /// [`NotSent::NoPage`] if there is no page at the Company; otherwise as the errors of
    /// [`confirm`](Self::confirm) before anything is sent.
    pub async fn confirm_on_website(&self, approval: Approval) -> Result<WebConfirmation, Error> {
        let operation_id = approval.operation_id().clone();
        let page = approval.proposal().shown().url.clone();
        let page = page.filter(|page| parsed(page).is_ok_and(|page| self.company.is_at(&page)));
        let Some(url) = page else { return Err(NotSent::NoPage { operation_id }.into()) };
        self.may_confirm(&approval)?;
        self.begin(&approval).await?;
        let (revision, approved_by) = (approval.revision(), approval.approved_by());
        Ok(WebConfirmation { url, operation_id, revision, approved_by })
    }

    async fn confirm_approved(&self, approval: &Approval) -> Result<Followed, Error> {
        self.may_confirm(approval)?;
        if approval.phase().is_withdrawn() {
            return Ok(Followed::NotConfirmed);
        }
        let before = self.begin(approval).await?;
        if !approval.phase().begin_sending() {
            self.undo(approval, before).await?;
            return Ok(Followed::NotConfirmed);
        }
        tokio::select! {
            // an answer that is there is used, also when the approval is withdrawn at the same time
            biased;
            followed = self.confirm_until_known(approval, before) => followed,
            () = approval.phase().withdrawn() => {
                tracing::info!("the approval was withdrawn after confirming: cancelling");
                self.cancel(approval.operation_id()).await
            }
        }
    }

    async fn confirm_until_known(
        &self,
        approval: &Approval,
        before: Option<BegunConfirm>,
    ) -> Result<Followed, Error> {
        let request = ConfirmRequest::new(approval.revision(), approval.approved_by());
        let account = approval.permission().map(|permission| permission.account.as_str());
        let give_up_at = self.now().saturating_add(self.shared.recover_within);
        let mut attempts = 0;
        loop {
            let told = self.tell(Verb::Confirm(request, account), approval.operation_id()).await;
            if attempts == 0 && matches!(told, Err(Error::NotSent(_))) {
                self.undo(approval, before.clone()).await?;
            }
            match told.map_err(|error| about(approval, error, attempts))? {
                Told::Operation(operation, retry_at) => {
                    return self.confirmed(approval, operation, retry_at);
                }
                Told::Refused(refusal) => {
                    // with an earlier attempt lost, this refusal does not say what became of that one
                    if attempts == 0 {
                        self.undo(approval, before).await?;
                    }
                    return Err(self.refused(approval, refusal));
                }
                Told::Lost(why, retry_at) => {
                    tracing::warn!(%why, attempts, "the answer to a confirm is lost");
                    let try_again_at = self.try_again_at(retry_at, attempts);
                    if try_again_at > give_up_at {
                        return Err(unknown(approval.operation_id(), why));
                    }
                    self.sleep_until(try_again_at).await;
                    attempts += 1;
                }
            }
        }
    }

    /// Everything that this side can refuse, before anything is kept or sent.
    fn may_confirm(&self, approval: &Approval) -> Result<(), NotSent> {
        self.can_be_confirmed(approval.proposal())?;
        let Some(permission) = approval.permission() else { return Ok(()) };
        if approval.proposal().shown().user_approval_required {
            return Err(NotSent::UserApprovalRequired);
        }
        if self.now() > permission.expires_at {
            return Err(NotCovered::Ended.into());
        }
        Ok(())
    }

    /// Keeps that a confirm is begun; hands out what was begun before.
    async fn begin(&self, approval: &Approval) -> Result<Option<BegunConfirm>, Error> {
        let (table, domain) = (&self.shared.table, self.company.domain());
        let proposal = approval.proposal();
        let id = proposal.operation_id();
        let kept = table.find(domain, id).await?;
        if kept.is_none() {
            let digest = proposal.shown().terms_digest();
            table.update(domain, proposal.operation(), digest, None).await?;
        }
        let begun = BegunConfirm {
            revision: approval.revision(),
            approved_by: approval.approved_by(),
            begun_at: self.now(),
        };
        table.set_confirm(domain, id, Some(begun)).await?;
        Ok(kept.and_then(|kept| kept.confirm))
    }

    /// Nothing came of this confirm.
    async fn undo(&self, approval: &Approval, before: Option<BegunConfirm>) -> Result<(), Error> {
        let (table, id) = (&self.shared.table, approval.operation_id());
        Ok(table.set_confirm(self.company.domain(), id, before).await?)
    }

    /// The Company answered with the operation: is it what was approved?
    fn confirmed(
        &self,
        approval: &Approval,
        operation: Operation,
        retry_at: Option<Instant>,
    ) -> Result<Followed, Error> {
        let (operation_id, approved) = (approval.operation_id().clone(), approval.revision());
        if let Some(confirmation) = &operation.confirmation {
            let confirmed = confirmation.revision;
            if confirmed != approved {
                tracing::error!(%confirmed, %approved, "the Company confirmed another revision");
                return Err(Error::CompanyConfirmedAnother { operation_id, approved, confirmed });
            }
        }
        let is_same = Shown::new(&self.company, &operation).digest() == approval.digest();
        if operation.revision == approved && !is_same {
            tracing::error!("the Company changed the terms after approval");
            return Err(Error::CompanyChangedTerms { operation_id, revision: approved });
        }
        let action = approval.proposal().action().map(str::to_owned);
        let followed = self.stands(operation, action, self.try_again_at(retry_at, 0));
        no_longer_proposed(followed, &operation_id)
    }

    fn refused(&self, approval: &Approval, refusal: Refusal) -> Error {
        match (refusal.code(), refusal.body.operation.clone()) {
            (Some(ErrorCode::TermsChanged), Some(current))
                if current.revision != approval.revision() =>
            {
                let changed = self.terms_changed(approval.proposal(), current, refusal.retry_at);
                Error::TermsChanged(Box::new(changed))
            }
            (_, _) => Error::Refused(refusal),
        }
    }

    fn terms_changed(
        &self,
        approved: &Proposal,
        current: Operation,
        retry_at: Option<Instant>,
    ) -> TermsChanged {
        let (before, now) = (approved.shown(), Shown::new(&self.company, &current));
        let action = approved.action().map(str::to_owned);
        TermsChanged {
            approved: approved.revision(),
            latest: current.revision,
            changed: changed(&before.terms, &now.terms),
            summary_changed: before.summary != now.summary,
            current: self.stands(current, action, self.try_again_at(retry_at, 0)),
        }
    }
}

/// The same terms under the same revision are what the User approved: there, a contradiction is not just
/// an answer that is of no use.
fn about(approval: &Approval, error: Error, attempts: u32) -> Error {
    let (operation_id, approved) = (approval.operation_id().clone(), approval.revision());
    if let Error::Contradiction(Contradiction::ChangedTerms { revision, .. }) = &error
        && *revision == approved
    {
        return Error::CompanyChangedTerms { operation_id, revision: approved };
    }
    // an earlier attempt can have been carried out
    let is_open = attempts > 0 && matches!(error, Error::NotSent(_) | Error::NotKept(_));
    if is_open { unknown(&operation_id, error) } else { error }
}

/// After a confirm or a cancel, an operation that still waits to be confirmed is no answer.
pub(super) fn no_longer_proposed(followed: Followed, id: &OperationId) -> Result<Followed, Error> {
    match followed.into_proposal() {
        Ok(_) => Err(unknown(id, Unreadable::StillProposed.into())),
        Err(followed) => Ok(followed),
    }
}

pub(super) fn unknown(operation_id: &OperationId, why: Error) -> Error {
    Error::OutcomeUnknown { operation_id: operation_id.clone(), source: Box::new(why) }
}
