//! Step 4 of 6: the User's answer for exactly this revision, or a permission that covers it.

use pap_protocol::operation::State;
use tracing::Instrument;

use super::OperationsClient;
use crate::approval::{Answer, Approval, Decision, Permission};
use crate::error::{Error, NotSent};
use crate::shown::Proposal;
use crate::standing::{NotCovered, StandingPermissions};

impl OperationsClient {
    /// Shows the User the proposal through the host's own interface, and takes their answer there.
    ///
    /// # Errors
    ///
    /// [`NotSent::Final`], [`NotSent::Expired`] or [`NotSent::OtherRevision`] if this revision cannot be
    /// confirmed any more: then the User is not asked.
    pub async fn seek_approval(&self, proposal: &Proposal) -> Result<Decision, Error> {
        let span = self.span("seek_approval", proposal);
        self.can_be_confirmed(proposal)?;
        let answer = self.shared.approver.approve(proposal.shown()).instrument(span.clone()).await;
        span.in_scope(|| tracing::info!(?answer, "the User answered"));
        Ok(match answer {
            Answer::Approved => Decision::Approved(Approval::by_user(proposal.clone())),
            Answer::Declined => Decision::Declined,
            Answer::Undecided => Decision::Undecided,
        })
    }

    /// Approves by a permission that the User gave earlier, if one covers the Company, the account, the
    /// action and every term, and is in effect (section 5.1).
    ///
    /// # Errors
    ///
    /// [`NotSent::UserApprovalRequired`] if the Company accepts no permission for it,
    /// [`NotSent::NotCovered`] if none covers it; otherwise as
    /// [`seek_approval`](Self::seek_approval).
    pub async fn use_permission(
        &self,
        proposal: &Proposal,
        permissions: &impl StandingPermissions,
    ) -> Result<Approval, Error> {
        self.can_be_confirmed(proposal)?;
        if proposal.shown().user_approval_required {
            return Err(NotSent::UserApprovalRequired.into());
        }
        let token = self.tokens.token(self.company.resource()).await.map_err(NotSent::from)?;
        let mut why = NotCovered::NoPermission;
        for permission in permissions.candidates(proposal).await {
            match permission.covers(proposal, token.account(), self.now()) {
                Ok(()) => {
                    let (account, expires_at) = (permission.account, permission.expires_at);
                    let permission = Permission { account, expires_at };
                    return Ok(Approval::by_permission(proposal.clone(), permission));
                }
                Err(not_covered) => why = not_covered,
            }
        }
        Err(NotSent::NotCovered(why).into())
    }

    /// Whether the proposal is this Company's, and as far as is known the latest revision of an operation
    /// that can still be confirmed.
    pub(super) fn can_be_confirmed(&self, proposal: &Proposal) -> Result<(), NotSent> {
        if proposal.company().domain() != self.company.domain() {
            return Err(NotSent::OtherCompany);
        }
        let operation_id = proposal.operation_id();
        let approved = proposal.revision();
        let seen = self.shared.history.seen(self.company.domain(), operation_id);
        if let Some(seen) = &seen {
            if seen.state.is_final() {
                let operation_id = operation_id.clone();
                return Err(NotSent::Final { operation_id, state: seen.state });
            }
            if seen.revision != approved {
                return Err(NotSent::OtherRevision { approved, latest: seen.revision });
            }
        }
        let waits = seen.is_none_or(|seen| seen.state == State::Proposed);
        match proposal.shown().expires_at {
            // the moment itself is still in time
            Some(expires_at) if waits && self.now() > expires_at => {
                Err(NotSent::Expired { revision: approved, expires_at })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Ids and numbers; never terms.
    pub(super) fn span(&self, step: &'static str, proposal: &Proposal) -> tracing::Span {
        tracing::info_span!(
            "operation",
            step,
            company = self.company.domain(),
            operation_id = %proposal.operation_id(),
            revision = %proposal.revision(),
        )
    }
}
