//! Step 5 of 5: the agent reads the operation until it is final (section 6).

use pap_protocol::operation::OperationId;

use crate::access::may_use;
use crate::engine::{Engine, unavailable};
use crate::present::has_expired;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::{CloseProposed, Closing, EXPIRED, Stored};

/// The operation as it is now, if this Session may use it. Expiry is recorded when it is first seen.
pub(crate) async fn track(
    engine: &Engine,
    session: &Session,
    id: &OperationId,
) -> Result<Stored, Refusal> {
    let stored = engine.read(id).await?;
    may_use(&stored, session)?;
    expire_if_due(engine, stored).await
}

/// Records the expiry of a proposal whose time has passed, and answers the operation as it then is.
pub(crate) async fn expire_if_due(engine: &Engine, stored: Stored) -> Result<Stored, Refusal> {
    if !has_expired(&stored) {
        return Ok(stored);
    }
    let close = CloseProposed {
        key: stored.key.clone(),
        closing: Closing::Expired,
        summary: EXPIRED.to_owned(),
        proof: None,
    };
    failpoint!("expire.before", await);
    // whoever was first, the answer is what is now on record
    let _written = engine.store.close_proposed(close).await.map_err(|error| unavailable(&error))?;
    failpoint!("expire.after", await);
    tracing::debug!(operation = %stored.key.id, "expired");
    engine.read(&stored.key.id).await
}
