//! Step 6 of 6: how an operation stands, and what the Company says happened.

use std::fmt::{Debug, Display, Formatter};

use pap_protocol::operation::{Confirmation, Operation, OperationId, Revision, State};
use pap_protocol::value::Instant;
use serde_json::value::RawValue;

use crate::company::Company;
use crate::shown::{CompanyText, Proposal};

/// How an operation stands.
#[derive(Debug, Clone)]
#[must_use = "it says whether anything happened"]
#[expect(clippy::exhaustive_enums, reason = "the states of section 3, and not to have confirmed")]
pub enum Followed {
    /// It is final: the Company has said what happened. Also when nothing did, see [`Outcome::state`].
    Final(Outcome),
    /// The Company is performing it, or finding out whether it took effect.
    InProgress(InProgress),
    /// It waits to be confirmed, and needs the User's approval of this revision.
    Proposed(Proposal),
    /// The approval was withdrawn before anything was sent, so nothing was confirmed.
    NotConfirmed,
}

/// An operation that is in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InProgress {
    /// The operation.
    pub operation_id: OperationId,
    /// The confirmed revision.
    pub revision: Revision,
    /// When it can be read again; the client does not read it earlier (section 6).
    pub read_at: Instant,
}

/// The Company's account of what happened (section 6). Nobody else vouches for it.
///
/// `Display` says who says it, for a terminal.
#[derive(Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// The name of the Company.
    pub company_name: CompanyText,
    /// Its domain.
    pub company_domain: String,
    /// The operation.
    pub operation_id: OperationId,
    /// How it ended. Only `succeeded` means that the action was performed; `expired` means that it was
    /// never confirmed, also if a confirm was sent and lost.
    pub state: State,
    /// What was confirmed, how and when. None if nothing was.
    pub confirmation: Option<Confirmation>,
    /// Every change that was made, every character as the Company wrote it.
    pub said: CompanyText,
    /// Details, as JSON text.
    pub data: Option<Box<RawValue>>,
}

impl Followed {
    /// The proposal, if it waits to be confirmed.
    ///
    /// # Errors
    ///
    /// How it stands, if it does not.
    #[expect(clippy::result_large_err, reason = "how it stands otherwise is what the caller wants")]
    pub fn into_proposal(self) -> Result<Proposal, Self> {
        if let Self::Proposed(proposal) = self { Ok(proposal) } else { Err(self) }
    }
}

impl Outcome {
    /// None if the operation is not final.
    pub(crate) fn of(company: &Company, operation: &Operation) -> Option<Self> {
        let result = operation.result.as_ref().filter(|_| operation.state.is_final())?;
        Some(Self {
            company_name: CompanyText::new(company.name()),
            company_domain: company.domain().to_owned(),
            operation_id: operation.operation_id.clone(),
            state: operation.state,
            confirmation: operation.confirmation.clone(),
            said: CompanyText::new(result.summary.as_str()),
            data: result.data.clone(),
        })
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} ({}) says ({}):", self.company_name, self.company_domain, self.state)?;
        writeln!(f, "  {}", self.said)
    }
}

impl Debug for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outcome")
            .field("operation_id", &self.operation_id)
            .field("state", &self.state)
            .field("confirmation", &self.confirmation)
            .finish_non_exhaustive()
    }
}
