//! Off the path, before the confirmation: the terms change, and the User approves anew (section 3.1).

use pap_protocol::operation::State;

use crate::action::Worked;
use crate::declaration::OperationDeclaration;
use crate::engine::{Engine, unavailable};
use crate::issue::{differs, revision};
use crate::present::has_expired;
use crate::refusal::Refusal;
use crate::store::{Revise, Stored, Written};

/// What a revision comes to.
#[derive(Debug)]
pub(crate) enum Revised {
    /// The next revision is issued.
    Issued,
    /// It would say the same: the latest stands.
    Same,
    /// The operation moved on in between: read and decide again.
    NotNow,
}

/// Issues the next revision of a proposal, if it says something else than the latest.
pub(crate) async fn revise(
    engine: &Engine,
    declaration: &OperationDeclaration,
    stored: &Stored,
    worked: Worked,
    request: Option<[u8; 32]>,
) -> Result<Revised, Refusal> {
    let next = revision(declaration, worked, stored.latest.number.next(), stored.now)?;
    if !differs(&stored.latest, &next) {
        return Ok(Revised::Same);
    }
    let number = next.number;
    let revise = Revise { key: stored.key.clone(), revision: next, request };
    failpoint!("revise.before", await);
    let written = engine.store.revise(revise).await;
    failpoint!("revise.after", await);
    match written.map_err(|error| unavailable(&error))? {
        Written::Done(_) => {
            tracing::info!(operation = %stored.key.id, revision = number.get(), "revised");
            Ok(Revised::Issued)
        }
        Written::NotNow | Written::Replayed => Ok(Revised::NotNow),
    }
}

/// Whether the terms can still change: only before confirmation and expiry.
pub(crate) fn can_be_revised(stored: &Stored) -> bool {
    stored.state == State::Proposed && !has_expired(stored)
}
