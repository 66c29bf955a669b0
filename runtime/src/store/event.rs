//! What is on the record of an operation.
#![expect(clippy::exhaustive_structs, reason = "a store builds and takes apart every row")]
#![expect(clippy::exhaustive_enums, reason = "a store handles every case")]

use pap_protocol::value::Instant;

use super::{Note, Stored, StoredRevision};

/// What can be on the record of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// Revision 1 was issued.
    Proposed,
    /// A later revision was issued.
    Revised,
    /// A revision was confirmed: the detail is the evidence of section 8.
    Confirmed,
    /// It was started, having waited for that.
    Started,
    /// A change was noted.
    ChangeNoted,
    /// A checkpoint was written.
    Remembered,
    /// The User asked to stop.
    StopRequested,
    /// Nobody knows yet, or others finish it.
    Unsettled,
    /// Recovery took the question.
    Asked,
    /// It became final.
    Ended,
    /// An outcome came after the end.
    LateOutcome,
    /// The company was told that a revision will not be performed.
    Released,
    /// What it said was blanked.
    Erased,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 13] = [
        Self::Proposed,
        Self::Revised,
        Self::Confirmed,
        Self::Started,
        Self::ChangeNoted,
        Self::Remembered,
        Self::StopRequested,
        Self::Unsettled,
        Self::Asked,
        Self::Ended,
        Self::LateOutcome,
        Self::Released,
        Self::Erased,
    ];

    /// The word that stores keep.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Revised => "revised",
            Self::Confirmed => "confirmed",
            Self::Started => "started",
            Self::ChangeNoted => "change_noted",
            Self::Remembered => "remembered",
            Self::StopRequested => "stop_requested",
            Self::Unsettled => "unsettled",
            Self::Asked => "asked",
            Self::Ended => "ended",
            Self::LateOutcome => "late_outcome",
            Self::Released => "released",
            Self::Erased => "erased",
        }
    }
}

/// One line of the append-only record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Grows within the store.
    pub sequence: u64,
    /// When, by the store's clock.
    pub at: Instant,
    /// What.
    pub kind: EventKind,
    /// Small JSON object: ids, numbers, who and why. Never terms or summaries.
    pub detail: String,
}

/// Everything on record about one operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// The operation.
    pub stored: Stored,
    /// All revisions, oldest first.
    pub revisions: Vec<StoredRevision>,
    /// Notes in order.
    pub notes: Vec<Note>,
    /// Events in order.
    pub events: Vec<Event>,
}
