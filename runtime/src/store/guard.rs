//! What is looked at before a write and after a read, in every store.

use pap_protocol::operation::{Revision, State};

use super::{Error, StoredRevision, digest_of};
use crate::lifecycle::{Move, after};

/// Refuses an end that no operation in progress can come to.
pub(super) fn check_end(end: State) -> Result<(), Error> {
    if reached_from(State::InProgress, end) {
        return Ok(());
    }
    Err(Error::not_written(format!("an operation in progress cannot become `{end}`")))
}

/// Refuses a revision whose digest is not that of its words: it could not be read again.
pub(super) fn check_new_revision(revision: &StoredRevision) -> Result<(), Error> {
    if is_sound(revision) {
        return Ok(());
    }
    Err(Error::not_written(format!(
        "the digest of revision {} is not that of its summary and terms",
        revision.number
    )))
}

/// Whether a revision has the digest of its words.
pub(super) fn is_sound(revision: &StoredRevision) -> bool {
    digest_of(&revision.summary, &revision.full, &revision.wire) == revision.digest
}

/// Whether nothing of its words is left.
pub(super) fn is_blank(revision: &StoredRevision) -> bool {
    revision.summary.is_empty()
        && revision.full.is_empty()
        && revision.wire.is_empty()
        && revision.scopes.is_empty()
        && revision.url.is_none()
}

/// Refuses the first revision of an operation unless it is number 1.
pub(super) fn check_first(revision: &StoredRevision) -> Result<(), Error> {
    if revision.number == Revision::FIRST {
        return Ok(());
    }
    Err(Error::not_written(format!(
        "an operation begins with revision 1, not with {}",
        revision.number
    )))
}

/// Whether the table of moves leads to this state for an operation that was confirmed, or was not.
pub(super) fn can_be(state: State, confirmed: bool) -> bool {
    match after(State::Proposed, Move::Confirm) {
        Some(begun) if confirmed => state == begun || reached_from(begun, state),
        Some(begun) => {
            state == State::Proposed || (state != begun && reached_from(State::Proposed, state))
        }
        None => false,
    }
}

fn reached_from(from: State, to: State) -> bool {
    Move::ALL.into_iter().any(|event| after(from, event) == Some(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_believed_only_where_the_table_leads_to_it() {
        let confirmed: Vec<_> =
            State::ALL.into_iter().filter(|state| can_be(*state, true)).collect();
        assert_eq!(
            confirmed,
            [State::InProgress, State::Succeeded, State::Failed, State::Cancelled]
        );
        let not: Vec<_> = State::ALL.into_iter().filter(|state| can_be(*state, false)).collect();
        assert_eq!(not, [State::Proposed, State::Cancelled, State::Expired]);
    }

    /// OPS-3-19 OPS-3-22
    #[test]
    fn what_was_confirmed_cannot_expire_or_be_proposed_again() {
        assert!(check_end(State::Expired).is_err());
        assert!(check_end(State::Proposed).is_err());
        assert!(check_end(State::InProgress).is_err());
        for end in [State::Succeeded, State::Failed, State::Cancelled] {
            assert!(check_end(end).is_ok(), "{end}");
        }
    }
}
