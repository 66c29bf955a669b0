//! Worked-out terms as a revision, fixed for ever once issued (section 3.1).

use std::time::Duration;

use pap_protocol::catalogue::UserApproval;
use pap_protocol::operation::Revision;
use pap_protocol::value::Instant;

use crate::action::Worked;
use crate::declaration::OperationDeclaration;
use crate::proposal::Expires;
use crate::refusal::Refusal;
use crate::store::{StoredRevision, digest_of};

/// The worked-out terms as a revision to store.
pub(crate) fn revision(
    declaration: &OperationDeclaration,
    worked: Worked,
    number: Revision,
    now: Instant,
) -> Result<StoredRevision, Refusal> {
    let expires_at = match worked.expires {
        Some(Expires::At(at)) => at.at_utc(),
        Some(Expires::In(lifetime)) => now.saturating_add(lifetime),
        None => now.saturating_add(Duration::from_secs(declaration.expires_in_s)),
    };
    let required = declaration.user_approval == UserApproval::Required;
    if expires_at < now {
        tracing::error!(action = declaration.action, "the proposal had expired before it was made");
        return Err(Refusal::Broken);
    }
    Ok(StoredRevision {
        number,
        schema_version: declaration.terms.version,
        digest: digest_of(&worked.summary, &worked.full, &worked.wire),
        full: worked.full,
        wire: worked.wire,
        summary: worked.summary,
        user_approval_required: required || worked.user_approval_required,
        scopes: scopes(declaration),
        url: worked.url,
        expires_at,
        issued_at: now,
    })
}

/// Whether a revision says something else to the User or the agent than the one before, or can be performed
/// where that one cannot.
pub(crate) fn differs(latest: &StoredRevision, next: &StoredRevision) -> bool {
    latest.schema_version != next.schema_version
        || latest.wire != next.wire
        || latest.summary != next.summary
        || latest.user_approval_required != next.user_approval_required
}

/// Scopes that proposing and confirming need.
pub(crate) fn scopes(declaration: &OperationDeclaration) -> Vec<String> {
    declaration.scopes.iter().map(|scope| (*scope).to_owned()).collect()
}
