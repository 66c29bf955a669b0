//! What [`Keeping`](super::Keeping) is asked and answers.
#![expect(clippy::exhaustive_structs, reason = "a store builds and takes apart every row")]
#![expect(clippy::exhaustive_enums, reason = "a store handles every case")]

use std::fmt::{Display, Formatter};
use std::str::FromStr;
use std::time::Duration;

use pap_protocol::operation::{OperationId, Revision, State};
use pap_protocol::value::Instant;
use sha2::{Digest, Sha256};

use super::{ActBy, EventKind, Key, Known, Stored, StoredRevision};

pub use crate::released::ReleasedBecause as ReleaseWhy;

/// Which releases to take.
#[derive(Debug, Clone)]
pub struct TakeReleases {
    /// The company.
    pub company: String,
    /// At most this many.
    pub limit: u32,
    /// After this it may be taken again.
    pub lease: Duration,
    /// Actions and versions of terms that the caller can be told of.
    pub known: Vec<Known>,
}

/// The releases that were taken.
#[derive(Debug, Clone)]
pub struct TakenReleases {
    /// Those that can be read.
    pub releases: Vec<Release>,
    /// Whether as many were taken as were asked for, the unreadable among them: there may be more.
    pub more: bool,
}

/// What hung on a revision that will not be performed.
#[derive(Debug, Clone)]
pub struct Release {
    /// The operation, as it is now.
    pub stored: Stored,
    /// The revision that will not be performed.
    pub revision: StoredRevision,
    /// Why.
    pub why: ReleaseWhy,
    /// How often it was taken, this time included.
    pub tries: u32,
}

/// What became of a release.
#[derive(Debug, Clone)]
pub struct EndRelease {
    /// Which operation.
    pub key: Key,
    /// Which revision.
    pub revision: Revision,
    /// When to tell it again; `None`: it was told.
    pub again_after: Option<Instant>,
}

/// What a pause holds back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PauseOf {
    /// New operations. Those that are open can be revised, confirmed and cancelled.
    Proposals,
    /// Confirmations. What is in progress goes on.
    Claims,
}

impl PauseOf {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Proposals, Self::Claims];

    /// The word that stores keep.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proposals => "proposals",
            Self::Claims => "claims",
        }
    }
}

/// Holds operations back, on every node.
#[derive(Debug, Clone)]
pub struct Pause {
    /// The company.
    pub company: String,
    /// Which action; `None`: all of them.
    pub action: Option<String>,
    /// What of it.
    pub of: PauseOf,
    /// Who paused it.
    pub who: String,
    /// Why.
    pub why: String,
}

/// Ends a pause.
#[derive(Debug, Clone)]
pub struct Resume {
    /// The company.
    pub company: String,
    /// As it was paused: `None` ends the pause of all actions, not that of each.
    pub action: Option<String>,
    /// What of it.
    pub of: PauseOf,
    /// Who ends it.
    pub who: String,
    /// Why.
    pub why: String,
}

/// A pause on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paused {
    /// Which action; `None`: all of them.
    pub action: Option<String>,
    /// What of it.
    pub of: PauseOf,
    /// Since when.
    pub since: Instant,
    /// Who paused it.
    pub who: String,
    /// Why.
    pub why: String,
}

/// A place in the feed: where a reader has got to. Its text is the store's own; keep it as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cursor(String);

impl Cursor {
    /// Before the first event.
    pub const START: Self = Self(String::new());

    /// The place that a store tells by this text.
    pub fn at(place: impl Into<String>) -> Self {
        Self(place.into())
    }

    /// The store's text.
    pub fn place(&self) -> &str {
        &self.0
    }
}

impl Display for Cursor {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Cursor {
    type Err = std::convert::Infallible;

    fn from_str(place: &str) -> Result<Self, Self::Err> {
        Ok(Self::at(place))
    }
}

/// A text that is no place in the feed of the store that it was given to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no place in this store's feed")]
pub struct NoSuchPlace(pub String);

impl From<NoSuchPlace> for super::Error {
    fn from(place: NoSuchPlace) -> Self {
        Self::not_written(place.to_string()).from_source(place)
    }
}

/// What to read of the feed.
#[derive(Debug, Clone)]
pub struct ReadFeed {
    /// The company.
    pub company: String,
    /// After this place.
    pub after: Cursor,
    /// At most this many events.
    pub limit: u32,
}

/// One event of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedEvent {
    /// Its place: reading after it yields what follows.
    pub cursor: Cursor,
    /// Which operation.
    pub id: OperationId,
    /// What happened.
    pub kind: EventKind,
    /// When, by the store's clock.
    pub at: Instant,
}

/// A piece of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// Oldest first. None does not say that there are no more: that is said by `next` standing still.
    pub events: Vec<FeedEvent>,
    /// Where to go on, also when there was nothing.
    pub next: Cursor,
}

/// Which operations to find. What is `None` does not matter.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// The company.
    pub company: String,
    /// In this state, as last written.
    pub state: Option<State>,
    /// Of this action.
    pub action: Option<String>,
    /// Of this account.
    pub account: Option<String>,
    /// With this reference.
    pub reference: Option<String>,
    /// Proposed before this moment.
    pub proposed_before: Option<Instant>,
    /// Only those in progress that a person has to look at: marked so, or neither performed, asked about nor
    /// started although their time had come before this moment.
    pub attention_before: Option<Instant>,
    /// Only those proposed after this one.
    pub after: Option<Place>,
    /// At most this many.
    pub limit: u32,
}

/// A place in proposal order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(pub i64);

/// What was found.
#[derive(Debug, Clone)]
pub struct Page {
    /// In proposal order. Fewer than were asked for do not say that there are no more.
    pub operations: Vec<Stored>,
    /// Where to go on; `None`: that was all.
    pub next: Option<Place>,
}

/// Which final operations to remove.
#[derive(Debug, Clone)]
pub struct Purge {
    /// The company.
    pub company: String,
    /// Of this action.
    pub action: String,
    /// That ended before this moment.
    pub ended_before: Instant,
    /// Looking at those proposed after this one.
    pub after: Option<Place>,
    /// Looking at no more than this many.
    pub limit: u32,
    /// Whose doing it is, kept on record with the first that is removed; `None`: it is the retention that was
    /// declared with the action, and nobody's.
    pub by: Option<ActBy>,
}

/// What was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purged {
    /// How many operations.
    pub removed: u32,
    /// Where to go on; `None`: that was all.
    pub next: Option<Place>,
}

/// Whose final operations to blank.
#[derive(Debug, Clone)]
pub struct Erase {
    /// The company.
    pub company: String,
    /// The account.
    pub account: String,
    /// At most this many operations.
    pub limit: u32,
    /// Whose doing it is, kept on record with the first that is blanked, without the account.
    pub by: ActBy,
}

/// What was blanked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    /// How many operations.
    pub erased: u32,
    /// How many of the account are not final and stay as they are.
    pub open: u32,
    /// Whether there are more to blank.
    pub more: bool,
}

/// An operation was blanked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Erasure {
    /// When.
    pub at: Instant,
    /// What its digests were salted with.
    pub salt: [u8; 32],
}

impl std::fmt::Debug for Erasure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Erasure").field("at", &self.at).finish_non_exhaustive()
    }
}

/// The digest of an operation that was blanked: whoever holds a copy of the words can still show that they
/// are the ones that were confirmed, and nobody can look them up.
pub fn salted(salt: &[u8; 32], digest: &[u8; 32]) -> [u8; 32] {
    let mut salted = Sha256::new();
    salted.update(salt);
    salted.update(digest);
    salted.finalize().into()
}

/// So long after its time has come, what nobody performs and nobody asks about is for a person to look at.
pub const OVERDUE: Duration = Duration::from_secs(600);

/// What is in progress of one action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenWork {
    /// The action.
    pub action: String,
    /// How many are in progress.
    pub in_progress: u64,
    /// When the oldest of them was confirmed.
    pub oldest: Option<Instant>,
    /// How many a person has to look at: marked so, or [`OVERDUE`].
    pub attention: u64,
    /// How many wait to be started.
    pub deferred: u64,
    /// How many were given to others to finish.
    pub handed_over: u64,
}
