//! What a store keeps and what it is asked to write.
//!
//! Built by the engine and by stores, in this workspace and outside it: plain fields throughout.
// size: the words that the engine and every store share, read in one go
#![expect(clippy::exhaustive_structs, reason = "a store builds and takes apart every row")]
#![expect(clippy::exhaustive_enums, reason = "a store handles every case")]

use std::time::Duration;

use pap_protocol::operation::{ApprovedBy, Confirmation, OperationId, Revision, State};
use pap_protocol::value::Instant;
use sha2::{Digest, Sha256};

use super::{Erasure, Event, EventKind, detail};

/// Which operation, of which company.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// The company, so that several can share a store.
    pub company: String,
    /// The operation's id.
    pub id: OperationId,
}

/// One life of a process: 128 random bits made at its start, never a host name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Life(pub [u8; 16]);

/// 128 random bits made for one attempt to claim: whoever wrote them may perform.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ticket(pub [u8; 16]);

impl std::fmt::Debug for Ticket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ticket(…)")
    }
}

/// Whose operation it is (section 3.2). Never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// The agent's `client_id`.
    pub client: String,
    /// The agent's identifier of the User.
    pub user: String,
    /// The account, if the proposing Session was signed in.
    pub account: Option<String>,
    /// The proposing Session.
    pub session: String,
}

/// One action of one owner, of which at most one operation is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAction {
    /// The company.
    pub company: String,
    /// Owner tags to look under, in order: `a:` with client, user and account, `s:` with client, user and
    /// Session. A new operation is opened under the first.
    pub owners: Vec<String>,
    /// The declared action.
    pub action: String,
    /// Digest of the request's identity.
    pub identity: [u8; 32],
}

/// An operation as stored, with its latest revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Which operation.
    pub key: Key,
    /// The declared action.
    pub action: String,
    /// Whose it is.
    pub owner: Owner,
    /// The state as last written: a proposal past its `expires_at` is still `proposed` here.
    pub state: State,
    /// The latest revision: the confirmed one once there is a confirmation.
    pub latest: StoredRevision,
    /// The confirmation with its evidence (section 8).
    pub confirmed: Option<ConfirmedBy>,
    /// The result, once final.
    pub result: Option<StoredResult>,
    /// What is known while in progress.
    pub running: Option<Running>,
    /// What the company calls the thing that it is about, fixed with the first revision.
    pub reference: Option<String>,
    /// Whether it was blanked: then nobody but an operator sees it.
    pub erased: Option<Erasure>,
    /// The store's clock when it was read.
    pub now: Instant,
}

/// One revision, fixed for ever.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredRevision {
    /// Starts at 1.
    pub number: Revision,
    /// Version of the terms' shape.
    pub schema_version: u32,
    /// All fields as JSON: what `perform` gets.
    pub full: String,
    /// The terms as sent to the agent.
    pub wire: String,
    /// The summary as sent to the agent.
    pub summary: String,
    /// [`digest_of`] summary, full and wire terms.
    pub digest: [u8; 32],
    /// Whether a standing permission is refused.
    pub user_approval_required: bool,
    /// Scopes that confirming needs.
    pub scopes: Vec<String>,
    /// The page that shows it.
    pub url: Option<String>,
    /// Last moment at which it can be confirmed.
    pub expires_at: Instant,
    /// When it was issued.
    pub issued_at: Instant,
}

impl std::fmt::Debug for StoredRevision {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // never terms or summary: they must not reach a log
        f.debug_struct("StoredRevision").field("number", &self.number).finish_non_exhaustive()
    }
}

/// Digest that ties a confirmation to the exact words and terms of its revision (section 8).
pub fn digest_of(summary: &str, full: &str, wire: &str) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in [summary, full, wire] {
        // the length in front keeps ("ab", "c") and ("a", "bc") apart
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().into()
}

/// A confirmation with its evidence: which agent, holding which key, in which Session and account,
/// stated approval of which revision, how and when (section 8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedBy {
    /// As on the wire.
    pub confirmation: Confirmation,
    /// Who stated it.
    pub by: Confirming,
}

/// Who states an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirming {
    /// The agent's `client_id`.
    pub client: String,
    /// RFC 7638 thumbprint of the key that signed the proof; empty for a channel without one.
    pub key_thumbprint: String,
    /// The confirming Session.
    pub session: String,
    /// The account it was signed in to.
    pub account: Option<String>,
    /// Digest of the confirmed revision.
    pub digest: [u8; 32],
}

/// The result of a final operation.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// What happened, in the company's words.
    pub summary: String,
    /// `result.data` as JSON.
    pub data: Option<String>,
    /// When it became final.
    pub at: Instant,
}

impl std::fmt::Debug for StoredResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredResult").field("at", &self.at).finish_non_exhaustive()
    }
}

/// What the store knows beyond the wire while an operation is in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The life that performs or performed; `None` while it waits to be started.
    pub life: Option<Life>,
    /// Whether its performer has not answered yet.
    pub performing: bool,
    /// How often recovery took the question.
    pub epoch: u32,
    /// When it may be asked about.
    pub ask_after: Instant,
    /// How often it was asked about.
    pub asks: u32,
    /// How many processes died asking, in a row.
    pub died_asking: u32,
    /// When the User asked to stop.
    pub stop_requested: Option<Instant>,
    /// Until when others were given to finish it.
    pub due: Option<Instant>,
    /// Whether a person has to look.
    pub attention: bool,
}

/// The use of a DPoP proof by a request that may change something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofUse {
    /// RFC 7638 thumbprint of the proof's key.
    pub thumbprint: String,
    /// The proof's `jti`.
    pub jti: String,
    /// Until when it must be remembered, by the proof alone. Once another one is forgotten that was good as
    /// long, it is not accepted: it could have been used and forgotten.
    pub until: Instant,
    /// Tells our own retry from another request.
    pub ticket: Ticket,
}

/// An open operation that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The operation.
    pub stored: Stored,
    /// Digest of the whole request that led to its latest revision.
    pub request: [u8; 32],
}

/// A new operation with its first revision.
#[derive(Debug, Clone)]
pub struct NewOperation {
    /// A new id.
    pub key: Key,
    /// Whose it is.
    pub owner: Owner,
    /// The action it opens.
    pub open: OpenAction,
    /// Digest of the whole request.
    pub request: [u8; 32],
    /// Revision 1.
    pub revision: StoredRevision,
    /// What the company calls the thing that it is about.
    pub reference: Option<String>,
    /// Whether the company is to be told of each revision that will not be performed.
    pub tells_release: bool,
}

/// The next revision of an operation.
#[derive(Debug, Clone)]
pub struct Revise {
    /// Which operation.
    pub key: Key,
    /// Its number is the latest plus one.
    pub revision: StoredRevision,
    /// Digest of the request that led to it; `None` keeps the recorded one.
    pub request: Option<[u8; 32]>,
}

/// The claim of one confirmed revision.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Which operation.
    pub key: Key,
    /// The confirmed revision.
    pub revision: Revision,
    /// How it was approved.
    pub approved_by: ApprovedBy,
    /// Who confirms.
    pub by: Confirming,
    /// Who will perform; `None`: whoever starts it.
    pub performer: Option<Performer>,
    /// The proof of the confirming request.
    pub proof: Option<ProofUse>,
}

/// Who performs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Performer {
    /// The right to perform.
    pub ticket: Ticket,
    /// The life that will perform.
    pub life: Life,
}

/// The start of an operation that was claimed without a performer.
#[derive(Debug, Clone)]
pub struct Start {
    /// Which operation.
    pub key: Key,
    /// Who will perform.
    pub performer: Performer,
}

/// Which operations that wait to be started to find.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// The company.
    pub company: String,
    /// At most this many.
    pub limit: u32,
    /// What the caller could perform now.
    pub known: Vec<Known>,
}

/// A sign of life.
#[derive(Debug, Clone, Copy)]
pub struct Beat {
    /// Whose.
    pub life: Life,
    /// It may be taken for dead after so long without one. Another life is ended by its own word; by this
    /// one only if it has given no sign yet.
    pub dead_after: Duration,
}

/// The end of an operation.
#[derive(Clone, PartialEq, Eq)]
pub struct End {
    /// A final state.
    pub state: State,
    /// `result.summary`.
    pub summary: String,
    /// `result.data` as JSON.
    pub data: Option<String>,
}

impl std::fmt::Debug for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("End").field("state", &self.state).finish_non_exhaustive()
    }
}

/// Why an operation that was never confirmed ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// Declined by the agent or withdrawn by the company.
    Cancelled,
    /// Its `expires_at` has passed.
    Expired,
}

/// The end of an operation that was never confirmed.
#[derive(Clone)]
pub struct CloseProposed {
    /// Which operation.
    pub key: Key,
    /// Why.
    pub closing: Closing,
    /// `result.summary`.
    pub summary: String,
    /// The proof of the cancelling request.
    pub proof: Option<ProofUse>,
}

impl std::fmt::Debug for CloseProposed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // never the summary
        f.debug_struct("CloseProposed")
            .field("key", &self.key)
            .field("closing", &self.closing)
            .finish_non_exhaustive()
    }
}

/// A request to stop.
#[derive(Debug, Clone)]
pub struct RequestStop {
    /// Which operation.
    pub key: Key,
    /// The proof of the cancelling request.
    pub proof: Option<ProofUse>,
}

/// What a handler puts on record while it performs.
#[derive(Clone, PartialEq, Eq)]
pub enum NoteKind {
    /// A change that was made, in the User's words.
    Change(String),
    /// A named value written before an effect.
    Checkpoint {
        /// Once per operation.
        name: String,
        /// JSON.
        value: String,
    },
}

impl std::fmt::Debug for NoteKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Change(_) => f.write_str("Change(…)"),
            Self::Checkpoint { name, .. } => write!(f, "Checkpoint({name})"),
        }
    }
}

/// A note to append.
#[derive(Debug, Clone)]
pub struct WriteNote {
    /// Which operation.
    pub key: Key,
    /// The performer's right.
    pub ticket: Ticket,
    /// What to append.
    pub note: NoteKind,
}

/// A note on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What was noted.
    pub note: NoteKind,
    /// When.
    pub at: Instant,
}

/// Who ends an operation in progress, and what must hold for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinishBy {
    /// Its performer: the ticket is its own. Accepted even when recovery has begun.
    Performer(Ticket),
    /// Whoever took the question: the recover epoch is still this one, and no checkpoint of the fence's
    /// name is on record.
    Asker {
        /// The epoch that was taken.
        epoch: u32,
        /// The checkpoint that must be absent.
        fence: Option<String>,
    },
    /// Whoever took the question, and found that a part of it was done and nothing more will be: the recover
    /// epoch is still this one, and the operation is not from a copy. Such a finding may rest on a checkpoint
    /// that is missing, and what is missing from a copy may have been on record.
    AskerInPart {
        /// The epoch that was taken.
        epoch: u32,
    },
    /// Nobody has started it, and nobody can any more: it was claimed without a performer.
    NotStarted,
    /// A webhook, a worker or an operator.
    Settler {
        /// Who, for the record.
        who: String,
        /// Why, for the record.
        why: String,
    },
}

/// The finish of an operation in progress.
#[derive(Clone)]
pub struct Finish {
    /// Which operation.
    pub key: Key,
    /// Who ends it.
    pub by: FinishBy,
    /// The final state and result, every change told.
    pub end: End,
    /// How many changes on record the result tells.
    pub changes_seen: u32,
    /// Changes that could not be noted before; the result tells them too.
    pub carried: Vec<String>,
}

impl std::fmt::Debug for Finish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // never a change or a summary
        f.debug_struct("Finish")
            .field("key", &self.key)
            .field("by", &self.by)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

/// Who says when to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskLaterBy {
    /// The performer, whose handler ended without an outcome.
    Performer(Ticket),
    /// Whoever took the question.
    Asker {
        /// The epoch that was taken.
        epoch: u32,
    },
    /// An operator, also about one that three processes died asking about.
    Operator {
        /// Who, for the record.
        who: String,
    },
}

/// When to ask about an operation in progress.
#[derive(Debug, Clone)]
pub struct AskLater {
    /// Which operation.
    pub key: Key,
    /// Who says so.
    pub by: AskLaterBy,
    /// Not before.
    pub ask_after: Instant,
    /// Until when others were given to finish it; `None` keeps what is recorded.
    pub due: Option<Instant>,
    /// Whether a person has to look.
    pub attention: bool,
    /// For the operator.
    pub why: String,
}

/// Which operations to take for asking.
#[derive(Debug, Clone)]
pub struct TakeAskable {
    /// The company.
    pub company: String,
    /// At most this many.
    pub limit: u32,
    /// After this the question may be taken again.
    pub lease: Duration,
    /// What the caller can ask about.
    pub known: Vec<Known>,
}

/// An action that some code declares, with the versions of its terms that it can read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The action.
    pub action: String,
    /// Versions of its terms.
    pub versions: Vec<u32>,
}

/// An operation whose question was taken.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The operation, its `running` row as raised.
    pub stored: Stored,
    /// Changes and checkpoints on record, in order.
    pub notes: Vec<Note>,
}

/// An outcome that came after the end.
#[derive(Debug, Clone)]
pub struct Late {
    /// Which operation.
    pub key: Key,
    /// The state it would have ended in.
    pub state: Option<State>,
    /// For the operator.
    pub what: String,
}

impl Late {
    /// Whether this event tells of it.
    pub(crate) fn is(&self, event: &Event) -> bool {
        event.kind == EventKind::LateOutcome
            && detail::late(self).is_ok_and(|told| told == event.detail)
    }
}
