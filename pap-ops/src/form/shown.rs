//! One operation with its record.

use pap_protocol::operation::{ApprovedBy, Revision};
use pap_protocol::value::Instant;
use pap_runtime::store::{History, Note, NoteKind, StoredRevision};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{EventLine, OperationLine, VERSION};

/// Everything on record about an operation; what it says only if that was asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shown {
    /// 1.
    pub version: u32,
    /// The store's clock.
    pub now: Instant,
    /// Where it is.
    pub operation: OperationLine,
    /// The agent's `client_id`.
    pub client: String,
    /// The agent's identifier of the User.
    pub user: String,
    /// The proposing Session.
    pub session: String,
    /// Its revisions, oldest first.
    pub revisions: Vec<RevisionLine>,
    /// How the confirmed revision was approved.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub approved_by: Option<ApprovedBy>,
    /// How many changes are noted for the User.
    pub changes: u32,
    /// The checkpoints on record, by name.
    pub checkpoints: Vec<String>,
    /// What happened, in order.
    pub events: Vec<EventLine>,
    /// What it says, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub words: Option<Words>,
}

/// One revision.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RevisionLine {
    /// Its number.
    pub revision: Revision,
    /// The version of its terms' shape.
    pub terms_version: u32,
    /// When it was issued.
    pub issued_at: Instant,
    /// Last moment at which it can be confirmed.
    pub expires_at: Instant,
}

/// What an operation says: personal, and the User's.
#[derive(Clone, Serialize, Deserialize)]
pub struct Words {
    /// The latest revision's summary.
    pub summary: String,
    /// Its terms, as the agent was sent them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub terms: Option<Box<RawValue>>,
    /// The changes noted for the User, in order.
    pub changes: Vec<String>,
    /// The result's summary.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<String>,
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // they must not reach a log
        f.debug_struct("Words").finish_non_exhaustive()
    }
}

impl Shown {
    pub(crate) fn of(history: History, with_words: bool) -> Self {
        let History { stored, revisions, notes, events } = history;
        let (changes, checkpoints) = sorted(notes);
        Self {
            version: VERSION,
            now: stored.now.at_utc(),
            operation: OperationLine::of(&stored),
            revisions: revisions.iter().map(RevisionLine::of).collect(),
            approved_by: stored.confirmed.as_ref().map(|by| by.confirmation.approved_by),
            changes: u32::try_from(changes.len()).unwrap_or(u32::MAX),
            checkpoints,
            events: events.iter().map(EventLine::of).collect(),
            words: with_words.then(|| Words {
                summary: stored.latest.summary,
                // one that was blanked has no JSON any more
                terms: RawValue::from_string(stored.latest.wire).ok(),
                changes,
                result: stored.result.map(|result| result.summary),
            }),
            client: stored.owner.client,
            user: stored.owner.user,
            session: stored.owner.session,
        }
    }
}

impl RevisionLine {
    fn of(stored: &StoredRevision) -> Self {
        Self {
            revision: stored.number,
            terms_version: stored.schema_version,
            issued_at: stored.issued_at.at_utc(),
            expires_at: stored.expires_at.at_utc(),
        }
    }
}

/// Changes, and the names of checkpoints: their values are the handler's own.
fn sorted(notes: Vec<Note>) -> (Vec<String>, Vec<String>) {
    let (mut changes, mut checkpoints) = (Vec::new(), Vec::new());
    for note in notes {
        match note.note {
            NoteKind::Change(text) => changes.push(text),
            NoteKind::Checkpoint { name, .. } => checkpoints.push(name),
        }
    }
    (changes, checkpoints)
}
