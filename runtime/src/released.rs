//! What a company lets go of: a revision that ended without being performed.

use std::fmt::{Debug, Formatter};

use pap_protocol::operation::{OperationId, Revision};

/// A revision that ended without being performed: what hung on it, such as a stock hold, can go.
///
/// `terms` are the terms of that revision, private ones included, as they were stored. The operation itself
/// may go on with a later revision: [`Released::why`] says so.
///
/// A `released` function is told at least once of each revision that ends so, and may be told again, also
/// on another node and at the same time. So it has to come to the same however often it runs: release the
/// hold by its own id or by [`Released::idempotency_key`], and take "there is no such hold" for done. It is
/// never told of a revision that was confirmed.
pub struct Released<T> {
    /// The terms of the revision that ended.
    pub terms: T,
    pub(crate) revision: Revision,
    pub(crate) lapsed: Lapsed,
}

/// Why a revision ended without being performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the three ways to end before a confirmation")]
pub enum ReleasedBecause {
    /// It was not confirmed in time.
    Expired,
    /// It was declined, or the company could no longer do it.
    Cancelled,
    /// A later revision took its place, and may be performed at the same time: what it uses too is not
    /// let go.
    Revised,
}

impl ReleasedBecause {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::Expired, Self::Cancelled, Self::Revised];

    /// The word that stores keep.
    pub fn word(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::Revised => "revised",
        }
    }
}

/// What is known about the operation beside the terms of the revision.
#[derive(Debug, Clone)]
pub(crate) struct Lapsed {
    pub(crate) id: OperationId,
    pub(crate) account: Option<String>,
    pub(crate) why: ReleasedBecause,
}

impl<T> Released<T> {
    /// The operation's id: the one that [`crate::Proposing::id`] told when the hold was placed.
    pub fn id(&self) -> &OperationId {
        &self.lapsed.id
    }

    /// The revision that ended.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Why it ended.
    pub fn why(&self) -> ReleasedBecause {
        self.lapsed.why
    }

    /// The account the operation belongs to, if its Session was signed in.
    pub fn account(&self) -> Option<&str> {
        self.lapsed.account.as_deref()
    }

    /// A key for one step at a downstream system: the same each time that this revision is told of.
    pub fn idempotency_key(&self, step: &str) -> String {
        format!("{}:{}:{step}", self.lapsed.id, self.revision)
    }
}

impl<T> Debug for Released<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        // never the terms: they must not reach a log
        f.debug_struct("Released")
            .field("id", &self.lapsed.id)
            .field("revision", &self.revision)
            .field("why", &self.lapsed.why)
            .finish_non_exhaustive()
    }
}
