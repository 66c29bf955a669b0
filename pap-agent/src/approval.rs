//! Step 4 of 6: the User's answer, and the only thing that can confirm.

use std::fmt::{Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use pap_protocol::operation::{ApprovedBy, OperationId, Revision};
use pap_protocol::value::Instant;
use tokio::sync::watch;

use crate::digest::Digest;
use crate::shown::{Proposal, Shown};

/// The host's own interface to the User: a dialog, a prompt, a push message.
///
/// It is asked by the client, with what to show; nothing that a Company sends can answer in its place
/// (section 5.1).
pub trait Approver: Send + Sync {
    /// Shows the User the Company's name and the summary, at least, and takes their answer.
    fn approve(&self, shown: &Shown) -> impl Future<Output = Answer> + Send;
}

/// What the User answered, through the host's own interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth answer")]
pub enum Answer {
    /// The User was shown this revision and approved it.
    Approved,
    /// The User does not want it.
    Declined,
    /// The User has not decided: the operation stays as it is.
    Undecided,
}

/// What came of asking the User.
#[derive(Debug)]
#[must_use = "an approval confirms nothing until it is given to `confirm`"]
#[expect(clippy::exhaustive_enums, reason = "one for each answer")]
pub enum Decision {
    /// Confirm with it.
    Approved(Approval),
    /// Cancel the operation, to tell the Company.
    Declined,
    /// Ask again later.
    Undecided,
}

/// The User's approval of one revision of one operation: what `confirm` takes, and takes away.
///
/// Only the client makes one, and only from the host's [`Approver`] or from a standing permission that
/// covers every term. It holds the operation, the revision and a digest of the Company's name and
/// domain, the summary and the terms, so it confirms exactly what the User was shown and nothing later.
///
/// There is no confirming without one:
///
/// ```compile_fail,E0308
/// # async fn confirm(client: pap_agent::OperationsClient, proposal: pap_agent::Proposal) {
/// client.confirm(proposal).await; // expected `Approval`, found `Proposal`
/// # }
/// ```
///
/// None can be made by hand, of nothing or of a Company's words:
///
/// ```compile_fail,E0451
/// # fn forge(proposal: pap_agent::Proposal) -> pap_agent::Approval {
/// pap_agent::Approval { proposal, ..panic!() } // private fields
/// # }
/// ```
///
/// ```compile_fail,E0277
/// # fn read(message: &str) -> pap_agent::Approval {
/// serde_json::from_str::<pap_agent::Approval>(message).unwrap() // not `Deserialize`
/// # }
/// ```
///
/// And none is used twice:
///
/// ```compile_fail,E0599
/// # fn twice(approval: pap_agent::Approval) -> pap_agent::Approval {
/// approval.clone() // not `Clone`
/// # }
/// ```
///
/// ```compile_fail,E0382
/// # async fn twice(client: pap_agent::OperationsClient, approval: pap_agent::Approval) {
/// let followed = client.confirm(approval).await;
/// let again = client.confirm(approval).await; // used after move
/// # }
/// ```
#[must_use = "an approval confirms nothing until it is given to `confirm`"]
pub struct Approval {
    proposal: Proposal,
    digest: Digest,
    approved_by: ApprovedBy,
    permission: Option<Permission>,
    phase: Phase,
}

/// What of a standing permission must still hold when it is used.
#[derive(Clone)]
pub(crate) struct Permission {
    pub(crate) account: String,
    pub(crate) expires_at: Instant,
}

/// A handle to take an approval back, for the part of the host where the User can do that.
///
/// Give it to [`OperationsClient::withdraw`](crate::OperationsClient::withdraw).
#[derive(Debug, Clone)]
pub struct Withdrawal {
    pub(crate) company: String,
    pub(crate) operation_id: OperationId,
    pub(crate) phase: Phase,
}

impl Approval {
    /// The User was shown the proposal by the host's interface, and approved it there.
    pub(crate) fn by_user(proposal: Proposal) -> Self {
        Self::new(proposal, ApprovedBy::User, None)
    }

    /// A standing permission covers the proposal.
    pub(crate) fn by_permission(proposal: Proposal, permission: Permission) -> Self {
        Self::new(proposal, ApprovedBy::StandingPermission, Some(permission))
    }

    fn new(proposal: Proposal, approved_by: ApprovedBy, permission: Option<Permission>) -> Self {
        let digest = proposal.shown().digest();
        Self { proposal, digest, approved_by, permission, phase: Phase::given() }
    }

    /// The operation it is for.
    pub fn operation_id(&self) -> &OperationId {
        self.proposal.operation_id()
    }

    /// The one revision it is for.
    pub fn revision(&self) -> Revision {
        self.proposal.revision()
    }

    /// How it was given.
    pub fn approved_by(&self) -> ApprovedBy {
        self.approved_by
    }

    /// Takes the approval back before it is used: nothing is sent, and it is gone (section 7).
    pub fn withdraw(self) {
        self.phase.withdraw();
    }

    /// A handle to take it back later, also while it is being confirmed.
    pub fn withdrawal(&self) -> Withdrawal {
        Withdrawal {
            company: self.proposal.company().domain().to_owned(),
            operation_id: self.operation_id().clone(),
            phase: self.phase.clone(),
        }
    }

    pub(crate) fn proposal(&self) -> &Proposal {
        &self.proposal
    }

    pub(crate) fn digest(&self) -> Digest {
        self.digest
    }

    pub(crate) fn permission(&self) -> Option<&Permission> {
        self.permission.as_ref()
    }

    pub(crate) fn phase(&self) -> &Phase {
        &self.phase
    }
}

impl Debug for Approval {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Approval")
            .field("operation_id", self.operation_id())
            .field("revision", &self.revision())
            .field("approved_by", &self.approved_by)
            .finish_non_exhaustive()
    }
}

/// How far an approval has come. Withdrawing and beginning to send exclude each other.
#[derive(Debug, Clone)]
pub(crate) struct Phase(Arc<watch::Sender<Step>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Given,
    Sent,
    Withdrawn { after_sending: bool },
}

impl Phase {
    fn given() -> Self {
        Self(Arc::new(watch::Sender::new(Step::Given)))
    }

    /// From now on the confirm can have reached the Company. False if the approval was withdrawn.
    pub(crate) fn begin_sending(&self) -> bool {
        self.0.send_if_modified(|step| {
            let may_send = *step == Step::Given;
            if may_send {
                *step = Step::Sent;
            }
            may_send
        })
    }

    /// Whether the confirm can have reached the Company.
    pub(crate) fn withdraw(&self) -> bool {
        let mut sent = false;
        self.0.send_modify(|step| {
            sent = matches!(step, Step::Sent | Step::Withdrawn { after_sending: true });
            *step = Step::Withdrawn { after_sending: sent };
        });
        sent
    }

    pub(crate) fn is_withdrawn(&self) -> bool {
        matches!(*self.0.borrow(), Step::Withdrawn { .. })
    }

    /// Is over when the approval is withdrawn.
    pub(crate) async fn withdrawn(&self) {
        let mut steps = self.0.subscribe();
        let withdrawn = steps.wait_for(|step| matches!(step, Step::Withdrawn { .. })).await;
        // the sender is in `self`, so it is not gone
        drop(withdrawn);
    }
}

/// [`Approver`] behind a pointer, so that the client has no type parameter for it.
pub(crate) trait AnyApprover: Send + Sync {
    fn approve<'a>(&'a self, shown: &'a Shown)
    -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;
}

impl<T: Approver> AnyApprover for T {
    fn approve<'a>(
        &'a self,
        shown: &'a Shown,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(Approver::approve(self, shown))
    }
}
