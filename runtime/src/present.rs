//! A stored operation as the agent sees it (section 3).

use pap_protocol::operation::{Operation, OperationResult, State};
use serde_json::value::RawValue;

use crate::refusal::Refusal;
use crate::store::{End, Stored, StoredRevision};

/// The longest operation that an agent reads, in bytes.
const READ_MAX: usize = 256 * 1024;

/// The operation on the wire, the same in every channel.
pub(crate) fn operation(stored: &Stored) -> Result<Operation, Refusal> {
    let latest = &stored.latest;
    let mut operation =
        Operation::new(stored.key.id.clone(), latest.number, stored.state, latest.summary.clone());
    operation.terms = Some(raw(&latest.wire)?);
    // kept on an operation that ended unconfirmed, dropped once confirmed
    operation.expires_at = stored.confirmed.is_none().then_some(latest.expires_at);
    operation.user_approval_required = latest.user_approval_required;
    operation.url.clone_from(&latest.url);
    operation.confirmation = stored.confirmed.as_ref().map(|by| by.confirmation.clone());
    operation.result = match &stored.result {
        Some(result) => {
            let told = OperationResult::new(result.summary.clone());
            Some(match &result.data {
                Some(data) => told.with_data(raw(data)?),
                None => told,
            })
        }
        None => None,
    };
    Ok(operation)
}

/// Whether an agent reads all of it.
pub(crate) fn is_readable(stored: &Stored) -> bool {
    let text = operation(stored).ok().and_then(|operation| serde_json::to_vec(&operation).ok());
    text.is_some_and(|text| text.len() <= READ_MAX)
}

/// Whether an agent reads all of an operation with this end however it is written: no byte of a text becomes
/// more than six, and what is beside these has its bounds.
pub(crate) fn is_short(latest: &StoredRevision, end: &End) -> bool {
    const BESIDE: usize = 4 * 1024;
    let texts = [Some(&latest.summary), latest.url.as_ref(), Some(&end.summary)];
    let json = [Some(&latest.wire), end.data.as_ref()];
    let length = |of: Option<&String>| of.map_or(0, String::len);
    let longest = |sum: usize, of| sum.saturating_add(length(of));
    let texts = texts.into_iter().fold(0, longest).saturating_mul(6);
    json.into_iter().fold(texts, longest).saturating_add(BESIDE) <= READ_MAX
}

/// Whether the latest revision can no longer be confirmed: `expires_at` itself is still in time.
pub(crate) fn has_expired(stored: &Stored) -> bool {
    stored.state == State::Proposed && stored.now > stored.latest.expires_at
}

fn raw(text: &str) -> Result<Box<RawValue>, Refusal> {
    RawValue::from_string(text.to_owned()).map_err(|error| {
        tracing::error!(line = error.line(), "stored JSON does not read back");
        Refusal::Broken
    })
}
