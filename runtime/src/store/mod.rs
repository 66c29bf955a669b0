//! Step 2 of 5: where operations are kept, and what each write promises when a process dies.
//!
//! Decisions are not made here. The engine reads, decides with pure functions, and asks for one
//! conditional write that states again what the decision rested on; a write whose condition no longer
//! holds changes nothing and answers [`Written::NotNow`], and the engine reads and decides again.

mod acts;
mod counted;
mod detail;
mod event;
mod guard;
mod invariants;
mod keeping;
mod kept;
mod random;
mod ratchet;
mod restoring;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod row;
mod rows;
mod within;

#[cfg(feature = "conformance")]
pub mod conformance;
pub mod memory;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;

pub use acts::{Act, ActBy, ActId, ActKind, ReadActs};
pub use counted::{Count, CountOf, Counted};
pub use event::{Event, EventKind, History};
pub use keeping::Keeping;
pub use kept::{
    Cursor, EndRelease, Erase, Erased, Erasure, Feed, FeedEvent, NoSuchPlace, OVERDUE, OpenWork,
    Page, Pause, PauseOf, Paused, Place, Purge, Purged, ReadFeed, Release, ReleaseWhy, Resume,
    Search, TakeReleases, TakenReleases, salted,
};
pub use restoring::{ALIVE, Restored, RestoredBy, WouldRestore};
pub use rows::{
    AskLater, AskLaterBy, Asked, Beat, Claim, CloseProposed, Closing, ConfirmedBy, Confirming, End,
    Finish, FinishBy, Found, Key, Known, Late, Life, NewOperation, Note, NoteKind, OpenAction,
    Owner, Performer, ProofUse, RequestStop, Revise, Running, Start, Stored, StoredResult,
    StoredRevision, TakeAskable, Ticket, Waiting, WriteNote, digest_of,
};

pub(crate) use within::no_transactions;
pub use within::{Transaction, Value, Within};

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use pap_protocol::operation::OperationId;
use pap_protocol::value::Instant;

use crate::clock::Clock;

/// `result.summary` of an operation whose expiry a store records by itself, in [`Store::propose`].
pub const EXPIRED: &str = "This was not confirmed in time. Nothing was done.";

/// The answer of a store, some time later.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// What became of a conditional write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
#[expect(clippy::exhaustive_enums, reason = "a caller must handle every answer")]
pub enum Written<T = Instant> {
    /// Written and durable, at this moment of the store's clock unless `T` says more.
    Done(T),
    /// The condition did not hold: nothing but the proof was written.
    NotNow,
    /// The proof was used before, by another request: nothing was written.
    Replayed,
}

/// What became of [`Store::propose`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
#[expect(clippy::exhaustive_enums, reason = "a caller must handle every answer")]
pub enum Proposed {
    /// The operation is on record.
    New,
    /// The owner already has an open operation for this action and identity: this one.
    Open(OperationId),
    /// New operations of this action are paused: nothing was written.
    Paused,
}

/// Where operations are kept.
///
/// Every method may be called from any task at any time. A future that is dropped leaves its write
/// either done or not done, never half done. "Durable" means that the write is there after the process
/// is killed or the machine loses power, as far as the device keeps its word.
pub trait Store: Send + Sync + Debug + 'static {
    /// The clock that expiry and asking are judged by.
    fn clock(&self) -> Arc<dyn Clock>;

    /// Puts the life of this process on record. What a life holds that has ended may be asked about.
    /// A store that only one process can open ends every other life when it is opened, and with it the
    /// lease of every question that such a life had taken and not answered. A life that has ended does not
    /// begin again.
    ///
    /// # Crash safety
    ///
    /// Until it returns, no claim may name this life.
    fn begin_life(&self, life: Life) -> Pending<'_, ()>;

    /// Says that a life goes on, and ends every life that has not said so for as long as it said itself
    /// ([`Beat::dead_after`]), with the lease of every question that it had taken and not answered. `false`:
    /// this life itself was ended, or never begun, and its process claims under a new one. A store that only
    /// one process can open ends nobody.
    ///
    /// # Crash safety
    ///
    /// A life that was ended too early loses nothing: it may still finish what it performs.
    fn heartbeat(&self, beat: Beat) -> Pending<'_, bool>;

    /// Ends a life cleanly, so that what it holds can be asked about at once.
    ///
    /// # Crash safety
    ///
    /// A life that was not ended is recognised as dead by the next [`Store::begin_life`] (one
    /// process) or by its missing heartbeat (many).
    fn end_life(&self, life: Life) -> Pending<'_, ()>;

    /// The operation with its latest revision, as last written. Expiry is not applied here.
    fn read<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>>;

    /// The same as [`Store::read`], for a caller that is about to write about this operation. A store that
    /// lines its writes up may answer it from there, where what is written about is at hand.
    fn read_to_write<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>> {
        self.read(key)
    }

    /// The open operation of this action: the first of `action.owners` that has one. One that has expired
    /// does not count.
    fn find_open<'a>(&'a self, action: &'a OpenAction) -> Pending<'a, Option<Found>>;

    /// Puts the use of a proof on record by itself, for a request whose decision writes nothing else.
    /// `Done` if it is new or carries our own ticket, else `Replayed`; never `NotNow`. One that is good no
    /// longer than another that was forgotten is new to nobody: it may have been used and forgotten too.
    ///
    /// # Crash safety
    ///
    /// Once it returned `Done`, no other request is accepted with this proof, by any process.
    fn record_proof(&self, proof: ProofUse) -> Pending<'_, Written>;

    /// Puts a new operation with its first revision on record, unless its owner has an open one for
    /// this action and identity (under any of `open.owners`). One that has expired does not count: its
    /// expiry is recorded in the same transaction, and its place taken. The new one is opened under the
    /// first of `open.owners`. An id that was issued before is an error, and so is a revision that is not
    /// number 1 or whose digest is not [`digest_of`] its words.
    ///
    /// # Crash safety
    ///
    /// The operation, its revision, its place among the open actions and its event are there
    /// together or not at all.
    fn propose(&self, new: NewOperation) -> Pending<'_, Proposed>;

    /// Issues the next revision, if the operation is still proposed, unexpired, and its latest revision
    /// is the one before. The open action's request digest is replaced.
    ///
    /// # Crash safety
    ///
    /// Revision and event are there together or not at all. An older revision never changes.
    fn revise(&self, revise: Revise) -> Pending<'_, Written>;

    /// The claim: moves the operation to `in_progress`, records the confirmation and spends the single
    /// right to perform, if it is proposed, this revision is its latest and has this digest, `expires_at` is not
    /// before the store's clock, and claims of this action are not paused. Without a [`Claim::performer`] the right
    /// is not spent yet: the operation waits for [`Store::start`], and nobody is asked about it.
    ///
    /// # Crash safety
    ///
    /// The confirmation, the ticket, the running row and the event are there together or not at
    /// all. Only the caller that was answered `Done` may perform. After an error of kind
    /// [`ErrorKind::Unknown`] nobody may perform from this ticket: the operation, if it was claimed, is
    /// found by [`Store::take_askable`]. So it is when its caller went away before it was answered.
    fn claim(&self, claim: Claim) -> Pending<'_, Written>;

    /// Spends the right to perform an operation that was claimed without a performer, if nobody has spent it
    /// and nobody asked to stop it.
    ///
    /// # Crash safety
    ///
    /// As [`Store::claim`]: only the caller that was answered `Done` may perform.
    fn start(&self, start: Start) -> Pending<'_, Written>;

    /// Operations that were claimed without a performer and wait to be started, or to be stopped, of actions
    /// and versions of terms that the caller knows; those that wait longest come first.
    fn waiting(&self, which: Waiting) -> Pending<'_, Vec<Stored>>;

    /// Ends an operation that was never confirmed, if it is still proposed: as cancelled, or as expired
    /// if `expires_at` is before the store's clock.
    ///
    /// # Crash safety
    ///
    /// Final state, result, event and the freed open action are there together or not at all.
    fn close_proposed(&self, close: CloseProposed) -> Pending<'_, Written>;

    /// Puts on record that the User asked to stop an operation in progress. The first request's moment
    /// stands; asking again is `Done` with that moment.
    ///
    /// # Crash safety
    ///
    /// Once it returned `Done`, whoever performs or asks sees the request, in every process.
    fn request_stop(&self, stop: RequestStop) -> Pending<'_, Written>;

    /// Appends a change or a checkpoint of the performer, if the operation is in progress under this
    /// ticket; a checkpoint only while its recover epoch is 0, and once per name.
    ///
    /// # Crash safety
    ///
    /// Durable once it returned `Done`. A checkpoint that was not written before the epoch was
    /// raised can never be written.
    fn write_note(&self, note: WriteNote) -> Pending<'_, Written>;

    /// The finish: writes the final state and result, if the operation is in progress and what
    /// [`FinishBy`] states holds, and exactly `changes_seen` changes are on record. `carried` changes are
    /// appended. The running row and the open action are removed.
    ///
    /// # Crash safety
    ///
    /// All of it is there or none. After an error of kind [`ErrorKind::Unknown`] the caller reads
    /// the operation before it says anything.
    fn finish(&self, finish: Finish) -> Pending<'_, Written>;

    /// Says when an operation in progress is asked about: clears `performing` (for its performer) and
    /// the count of processes that died asking.
    ///
    /// # Crash safety
    ///
    /// A performer that dies before it returned is asked about when its life has ended; an asker's question
    /// is taken again after its lease.
    fn ask_later(&self, later: AskLater) -> Pending<'_, Written>;

    /// Takes operations whose time to ask has come and that nobody performs any more (not performing, or
    /// the life that performs has ended), of actions and versions of terms that the caller knows: raises the
    /// recover epoch and the counts before it returns. One that waits to be started is not asked about.
    /// Those that wait longest come first. One that three processes died asking about is not taken: the
    /// third time that it is taken without an answer in between, a person has to look. Of those that were taken
    /// and not answered one is taken at a time, and the next only when that was answered or its lease is over:
    /// should it kill whoever asks, it takes no other with it.
    ///
    /// # Crash safety
    ///
    /// An operation that was taken is taken again after `lease`.
    fn take_askable(&self, take: TakeAskable) -> Pending<'_, Vec<Asked>>;

    /// Keeps an outcome that came after the operation had ended; of one that was
    /// [blanked](Keeping::erase), that it came and no word of it. There is no such operation: an error.
    ///
    /// # Crash safety
    ///
    /// Durable when it returns; the final state is never touched.
    fn record_late(&self, late: Late) -> Pending<'_, ()>;

    /// Everything on record about one operation: all revisions, notes and events.
    fn history<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<History>>;

    /// What is done with operations beside their path.
    fn keeping(&self) -> &dyn Keeping;

    /// The same store, if it takes an end within a transaction of the company's own.
    fn within(&self) -> Option<&dyn Within> {
        None
    }
}

/// A store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct Error {
    kind: ErrorKind,
    what: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What is known after a store's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a caller must handle every kind")]
pub enum ErrorKind {
    /// Nothing was written: the same can be asked again.
    NotWritten,
    /// It may have been written: nothing may rest on either.
    Unknown,
    /// What is stored is not what this runtime wrote.
    Corrupt,
}

impl Error {
    /// Nothing was written.
    pub fn not_written(what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::NotWritten, what: what.into(), source: None }
    }

    /// It may have been written.
    pub fn unknown(what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Unknown, what: what.into(), source: None }
    }

    /// What is stored cannot be read.
    pub fn corrupt(what: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Corrupt, what: what.into(), source: None }
    }

    /// The error behind this one.
    #[must_use]
    pub fn from_source(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What is known now.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}
