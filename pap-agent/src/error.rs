//! What can go wrong, by who has to do what about it.

use std::fmt::{Debug, Display, Formatter};

use pap_protocol::operation::{OperationId, Revision, State};
use pap_protocol::refusal::{Code, ErrorBody, ErrorCode};
use pap_protocol::value::Instant;

use crate::history::Contradiction;
use crate::http::{Unanswered, Unreadable};
use crate::open::{NotKept, OpenOperation};
use crate::outcome::Followed;
use crate::session::NoToken;
use crate::shown::CompanyText;
use crate::standing::NotCovered;
use crate::terms::ChangedTerm;

/// Why a step did not come to its end.
///
/// Neither `Display` nor `Debug` nor a source shows tokens, proofs, terms or summaries.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// This side refused, and sent nothing.
    #[error("refused by the agent, nothing was sent")]
    NotSent(#[from] NotSent),
    /// The Company refused; nothing was done.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The confirmed revision is not the latest: the new terms need a new approval (section 9).
    #[error(transparent)]
    TermsChanged(#[from] Box<TermsChanged>),
    /// What the Company says now is not what the User approved, under the same revision. Nothing it
    /// says about this operation is to be relied on; tell the User.
    #[error(
        "the Company changed the terms of revision {revision} of `{operation_id}` after approval"
    )]
    CompanyChangedTerms {
        /// The operation.
        operation_id: OperationId,
        /// The revision that was approved.
        revision: Revision,
    },
    /// The Company confirmed another revision than the one the User approved; tell the User.
    #[error(
        "the Company confirmed revision {confirmed} of `{operation_id}`, and {approved} was approved"
    )]
    CompanyConfirmedAnother {
        /// The operation.
        operation_id: OperationId,
        /// The revision that was approved.
        approved: Revision,
        /// The revision that the Company says was confirmed.
        confirmed: Revision,
    },
    /// The Company contradicts what it said before.
    #[error("the Company contradicts itself")]
    Contradiction(#[from] Contradiction),
    /// The Company's answer cannot be used.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// No answer came.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// A confirm or cancel was sent, and whether it was carried out could not be found out in time. The
    /// operation stays open: follow it, and ask for nothing in its place (section 6).
    #[error("whether `{operation_id}` was confirmed or cancelled is not known yet")]
    OutcomeUnknown {
        /// The operation.
        operation_id: OperationId,
        /// What went wrong last.
        source: Box<Self>,
    },
    /// The open operations could not be read or kept: nothing is sent without them.
    #[error(transparent)]
    NotKept(#[from] NotKept),
}

/// What this side refuses to send.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotSent {
    /// A final operation cannot be confirmed: ask for a new proposal (section 3).
    #[error("`{operation_id}` is final (`{state}`)")]
    Final {
        /// The operation.
        operation_id: OperationId,
        /// Its state.
        state: State,
    },
    /// The revision cannot be confirmed any more.
    #[error("revision {revision} could be confirmed until {expires_at}")]
    Expired {
        /// The revision.
        revision: Revision,
        /// The last time it could be confirmed.
        expires_at: Instant,
    },
    /// The approval is for a revision that is not the latest (section 5.1).
    #[error(
        "revision {approved} was approved, and {latest} is the latest: it needs its own approval"
    )]
    OtherRevision {
        /// The revision that was approved.
        approved: Revision,
        /// The latest revision that was seen.
        latest: Revision,
    },
    /// The approval is for an operation of another Company.
    #[error("the approval is for an operation of another Company")]
    OtherCompany,
    /// The Company accepts only the User's approval of this revision (section 5.1).
    #[error("the operation needs the User's approval of this revision")]
    UserApprovalRequired,
    /// No standing permission covers the revision (section 5.1).
    #[error("no standing permission covers the revision")]
    NotCovered(#[from] NotCovered),
    /// The same action was asked for before, and its operation is not final (section 6).
    #[error("the action is open already, as `{}`", .0.operation_id)]
    StillOpen(Box<OpenOperation>),
    /// The same action is being asked for at this moment.
    #[error("the action is being asked for at this moment")]
    BeingAsked,
    /// The Company wants the operation to be read later (section 6).
    #[error("the Company wants `{operation_id}` to be read from {read_at} on")]
    TooEarly {
        /// The operation.
        operation_id: OperationId,
        /// When it can be read.
        read_at: Instant,
    },
    /// The operation has no page on the Company's website.
    #[error("`{operation_id}` has no page on the Company's website")]
    NoPage {
        /// The operation.
        operation_id: OperationId,
    },
    /// The address is not the Company's, as far as is known: a Session Token is not sent there.
    #[error(
        "`{host}` is not known to be the Company's\n\
             help: if its API is there, add it with `Company::with_api_at`"
    )]
    OutsideCompany {
        /// The host.
        host: String,
    },
    /// The address is not `https`.
    #[error("`{host}` is not reached over TLS")]
    NotHttps {
        /// The host.
        host: String,
    },
    /// There is no Session Token.
    #[error(transparent)]
    NoToken(#[from] NoToken),
    /// The token is not for this place (section 2).
    #[error("the Session Token was not issued for {}", resource_in_words(.wanted.as_deref()))]
    TokenForOtherResource {
        /// The resource it must be issued for; none where it must be for no particular one.
        wanted: Option<String>,
    },
    /// The token is of a Session that is signed in to another account than the permission is for.
    #[error("the Session Token is for another account than the standing permission")]
    TokenForOtherAccount,
    /// The token cannot be put in a header.
    #[error("the Session Token has characters that no header can carry")]
    TokenNotPresentable,
    /// No proof could be made: the system has no randomness to give.
    #[error(transparent)]
    NoRandomness(#[from] pap_protocol::dpop::NoRandomness),
    /// What was received is not an operation.
    #[error("what was received is not an operation")]
    NotAnOperation(#[from] pap_protocol::json::Refused),
    /// The HTTP client could not be set up.
    #[error("the HTTP client could not be set up")]
    NoHttp(#[source] reqwest::Error),
}

impl NotSent {
    pub(crate) fn no_http(error: reqwest::Error) -> Self {
        Self::NoHttp(error)
    }
}

fn resource_in_words(resource: Option<&str>) -> String {
    resource.map_or_else(|| "no particular resource".to_owned(), |name| format!("`{name}`"))
}

/// What a Company answered in the place of what was asked.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The body, with its code.
    pub body: Box<ErrorBody>,
    /// When the Company wants to be asked again.
    pub retry_at: Option<Instant>,
}

impl Refusal {
    /// The code of the protocol; none if it is another.
    pub fn code(&self) -> Option<ErrorCode> {
        match self.body.error {
            Code::Known(code) => Some(code),
            Code::Other(_) => None,
        }
    }

    /// What the Company says about it in plain language.
    pub fn message(&self) -> Option<CompanyText> {
        self.body.message.as_deref().map(CompanyText::new)
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self.code() {
            Some(code) => write!(f, "the Company refused with `{code}` (status {})", self.status),
            None => write!(f, "the Company refused with status {}", self.status),
        }
    }
}

impl Debug for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Refusal")
            .field("status", &self.status)
            .field("code", &self.code())
            .field("retry_at", &self.retry_at)
            .finish_non_exhaustive()
    }
}

impl std::error::Error for Refusal {}

/// The terms are not the ones that were approved: nothing was performed for that approval.
#[derive(Debug)]
#[non_exhaustive]
pub struct TermsChanged {
    /// The revision that was approved.
    pub approved: Revision,
    /// How the operation stands now: mostly a new proposal to show the User.
    pub current: Followed,
    /// The revision it has now.
    pub latest: Revision,
    /// What is different in the terms.
    pub changed: Vec<ChangedTerm>,
    /// Whether the summary is different.
    pub summary_changed: bool,
}

impl Display for TermsChanged {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { approved, latest, .. } = self;
        write!(f, "revision {approved} was approved, and the latest is {latest}")?;
        let mut paths = self.changed.iter().map(|changed| CompanyText::new(changed.path.as_str()));
        let Some(first) = paths.next() else { return Ok(()) };
        write!(f, "; changed: `{first}`")?;
        paths.try_for_each(|path| write!(f, ", `{path}`"))
    }
}

impl std::error::Error for TermsChanged {}
