//! A store in one file, of one process: SQLite, one thread that writes, a few that read.
//!
//! What waits to be written becomes one transaction and is answered after its commit; nothing of it runs
//! on the threads of the asynchronous runtime. A second process is refused by a lock file.

mod failure;
mod find;
mod job;
mod keeping;
mod lock;
mod migrations;
mod open;
mod places;
mod proofs;
mod read;
mod read_only;
mod readers;
mod restore;
mod row_copy;
mod rows;
mod settings;
mod sql;
mod transaction;
mod verify;
mod witness;
mod write;
mod writer;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Semaphore, mpsc, watch};

use self::job::{Claimed, Write};
use self::open::Copied;
use self::readers::{Readers, closed_error};
use self::row_copy::RowCopy;
use self::transaction::Transaction;
use self::writer::Message;
use super::row::Unchecked;
use super::{
    AskLater, Asked, Beat, Claim, CloseProposed, Error, Finish, Found, History, Keeping, Key, Late,
    Life, NewOperation, OpenAction, Pending, ProofUse, Proposed, RequestStop, Restored, Revise,
    Start, Store, Stored, TakeAskable, Waiting, WriteNote, Written,
};
use crate::clock::{Clock, SystemClock};

/// At most so many writes wait; the next ones wait in their own tasks.
const WAITING_MAX: usize = 1_024;

/// A store in one file.
///
/// Clones are handles of the same store. Its threads end when the last handle is dropped, after what
/// waits has been written; [`Sqlite::close`] also waits for that.
///
/// # Crash safety
///
/// A write that was answered is on the device (`synchronous = FULL`). A commit that fails makes every
/// write of its transaction [`Unknown`](super::ErrorKind::Unknown): nobody performs from a ticket of it,
/// and what it claimed can be asked about as soon as the file can be written again. The same holds for a
/// claim whose caller went away before it was answered.
///
/// # Copies
///
/// A file that is put back from a copy has forgotten what was confirmed since, and would perform it again.
/// The lock file beside it says which opening of the store was the last, and how far its record had got; a
/// file that is behind that is refused, until [`Sqlite::restore`] is called, or `pap-ops restore` by a person.
///
/// That notices a copy from before the last opening, and one from after it if anything was put on the record
/// of an operation since; after a loss of power, what was put there in the last seconds may be missed. It
/// cannot notice a copy without the lock file that was beside the file, on another machine for example, nor
/// one where both were put back together, as a snapshot of a whole disk does: call [`Sqlite::restore`] there
/// too.
///
/// # Examples
///
/// ```
/// use pap_runtime::store::sqlite::Sqlite;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("operations.db");
/// let store = Sqlite::open(&path)?;
/// // a file has one process, and one store in it
/// assert!(Sqlite::open(&path).is_err());
/// # drop(store);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Sqlite(Arc<Open>);

/// Writes rows of the company's in the file that operations are kept in: a function of the connection.
pub trait Rows: Fn(&rusqlite::Connection) -> rusqlite::Result<()> + Send + 'static {}

impl<F> Rows for F where F: Fn(&rusqlite::Connection) -> rusqlite::Result<()> + Send + 'static {}

/// What the handles share.
struct Open {
    path: PathBuf,
    clock: Arc<dyn Clock>,
    writes: mpsc::UnboundedSender<Message>,
    room: Arc<Semaphore>,
    behind: Arc<AtomicBool>,
    readers: Readers,
    closed: watch::Receiver<()>,
    restored: Option<Restored>,
}

impl Sqlite {
    /// Opens the store in this file, or makes it. Blocks while it does.
    ///
    /// # Errors
    ///
    /// If another process has it, if the file is something else, of a newer version or behind what it was
    /// (see [Copies](Sqlite#copies)), or if it cannot be opened with the settings that the store's promises rest on.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_on(path, Arc::new(SystemClock))
    }

    /// Like [`Sqlite::open`], on a clock of the caller's.
    ///
    /// # Errors
    ///
    /// As [`Sqlite::open`].
    pub fn open_on(path: impl AsRef<Path>, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        open::open(path.as_ref(), clock, Copied::Refuse)
    }

    /// Ends the store for all its handles, and waits until what was waiting is written and another
    /// process can open the file.
    pub async fn close(self) {
        self.0.room.close();
        self.0.readers.end();
        // a send that fails says that the thread has ended
        drop(self.0.writes.send(Message::End));
        let mut closed = self.0.closed.clone();
        // an error is the end: the sender is dropped last of all
        while closed.changed().await.is_ok() {}
    }

    /// Hands a write to the writing thread and waits for what became of it.
    async fn write<T: Send + 'static>(
        &self,
        work: impl Fn(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.write_claim(work, None).await
    }

    async fn write_claim<T: Send + 'static>(
        &self,
        work: impl Fn(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
        claim: Option<Arc<Claimed>>,
    ) -> Result<T, Error> {
        let room = Arc::clone(&self.0.room).acquire_owned().await;
        let room = room.map_err(|closed| closed_error().from_source(closed))?;
        let waits = claim.clone().map(|claimed| Unanswered { store: self, claimed: Some(claimed) });
        let (job, answer) = Write::boxed(work, claim, Some(room));
        if self.0.writes.send(Message::Write(job)).is_err() {
            return Err(closed_error());
        }
        let answer = answer.await;
        if let Some(waits) = waits {
            waits.answered();
        }
        let answered = answer.map_err(|gone| {
            Error::unknown("the writing thread ended before it answered").from_source(gone)
        })?;
        answered.answer
    }

    /// Ends an operation as [`Store::finish`] does, with rows of the company's in this file: both are written
    /// or neither. `work` runs on the writing thread, after the end; while it runs nothing else is written. It
    /// may be run again after it was undone, and must not begin or end a transaction.
    ///
    /// # Errors
    ///
    /// An error of `work` undoes both: [`ErrorKind::NotWritten`](super::ErrorKind::NotWritten). Else as
    /// [`Store::finish`].
    ///
    /// # Crash safety
    ///
    /// Rows, final state and event are on the device together when it answers `Done`, and together or not at
    /// all after an error.
    pub async fn finish_with(&self, finish: Finish, work: impl Rows) -> Result<Written, Error> {
        self.write(write::finish_with(finish, work)?).await
    }

    /// Takes what can be asked about; what cannot be read is reported and left out.
    async fn take(&self, take: TakeAskable) -> Result<Vec<Asked>, Error> {
        if self.0.behind.load(Ordering::SeqCst) {
            // an empty write makes the writer catch up: what it disowns can then be asked about
            self.write(|_| Ok(())).await?;
        }
        let (asking, clock) = (take.clone(), Arc::clone(&self.0.clock));
        let askable = move |connection: &rusqlite::Connection| {
            read::askable(connection, &asking, clock.now())
        };
        let candidates = self.0.readers.read(askable).await?;
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let taken = self.write(write::take_askable(&take, candidates)).await?;
        let asked = taken.into_iter().filter_map(|taken| {
            let asked = taken.and_then(write::Taken::check);
            asked.inspect_err(|error| tracing::error!(%error, "an operation cannot be read")).ok()
        });
        Ok(asked.collect())
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("path", &self.0.path).finish_non_exhaustive()
    }
}

/// A claim that waits for its answer. If its caller goes away, nobody may perform it, and it is disowned.
struct Unanswered<'s> {
    store: &'s Sqlite,
    claimed: Option<Arc<Claimed>>,
}

impl Unanswered<'_> {
    fn answered(mut self) {
        self.claimed = None;
    }
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if let Some(claimed) = self.claimed.take() {
            // behind the claim in the same queue, so it is decided by then
            drop(self.store.0.writes.send(Message::Disown(claimed)));
        }
    }
}

impl Store for Sqlite {
    fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.0.clock)
    }

    fn begin_life(&self, life: Life) -> Pending<'_, ()> {
        Box::pin(self.write(write::begin_life(life)))
    }

    fn heartbeat(&self, beat: Beat) -> Pending<'_, bool> {
        Box::pin(async move {
            // nothing is written: the points are here for what runs on every store
            failpoint!(write "heartbeat", self.0.readers.read(move |c| write::lives(c, beat.life)))
        })
    }

    fn end_life(&self, life: Life) -> Pending<'_, ()> {
        Box::pin(self.write(write::end_life(life)))
    }

    fn read<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>> {
        let (key, clock) = (key.clone(), Arc::clone(&self.0.clock));
        Box::pin(async move {
            let read = self.0.readers.read(move |c| read::row_copy(c, &key, clock.now())).await?;
            read.map(RowCopy::stored).transpose()
        })
    }

    fn read_to_write<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>> {
        let (key, clock) = (key.clone(), Arc::clone(&self.0.clock));
        Box::pin(async move {
            let read = move |c: &rusqlite::Connection| read::row_copy(c, &key, clock.now());
            let by_writer = |read| self.0.writes.send(Message::Read(read)).is_ok();
            let read = self.0.readers.read_by(read, by_writer).await?;
            read.map(RowCopy::stored).transpose()
        })
    }

    fn find_open<'a>(&'a self, action: &'a OpenAction) -> Pending<'a, Option<Found>> {
        let (action, clock) = (action.clone(), Arc::clone(&self.0.clock));
        Box::pin(async move {
            let found = self.0.readers.read(move |c| read::open(c, &action, clock.now())).await?;
            found.map(read::Open::check).transpose()
        })
    }

    fn record_proof(&self, proof: ProofUse) -> Pending<'_, Written> {
        Box::pin(self.write(write::record_proof(&proof)))
    }

    fn propose(&self, new: NewOperation) -> Pending<'_, Proposed> {
        Box::pin(async move { self.write(write::propose(new)?).await })
    }

    fn revise(&self, revise: Revise) -> Pending<'_, Written> {
        Box::pin(async move { self.write(write::revise(revise)?).await })
    }

    fn claim(&self, claim: Claim) -> Pending<'_, Written> {
        Box::pin(async move {
            // without a performer nobody's right is spent: whoever starts it makes a ticket then
            let claimed = claim
                .performer
                .map(|performer| Claimed { key: claim.key.clone(), ticket: performer.ticket })
                .map(Arc::new);
            self.write_claim(write::claim(claim)?, claimed).await
        })
    }

    fn start(&self, start: Start) -> Pending<'_, Written> {
        let claimed = Arc::new(Claimed { key: start.key.clone(), ticket: start.performer.ticket });
        Box::pin(self.write_claim(write::start(start), Some(claimed)))
    }

    fn waiting(&self, which: Waiting) -> Pending<'_, Vec<Stored>> {
        let clock = Arc::clone(&self.0.clock);
        Box::pin(async move {
            let look = move |c: &rusqlite::Connection| read::waiting(c, &which, clock.now());
            let waiting = self.0.readers.read(look).await?;
            let whole = waiting.into_iter().map(Unchecked::<Stored>::check);
            let whole = whole.filter_map(|stored| {
                stored
                    .inspect_err(|error| tracing::error!(%error, "an operation cannot be read"))
                    .ok()
            });
            Ok(whole.collect())
        })
    }

    fn close_proposed(&self, close: CloseProposed) -> Pending<'_, Written> {
        Box::pin(self.write(write::close_proposed(close)))
    }

    fn request_stop(&self, stop: RequestStop) -> Pending<'_, Written> {
        Box::pin(self.write(write::request_stop(stop)))
    }

    fn write_note(&self, note: WriteNote) -> Pending<'_, Written> {
        Box::pin(async move { self.write(write::write_note(note)?).await })
    }

    fn finish(&self, finish: Finish) -> Pending<'_, Written> {
        Box::pin(async move { self.write(write::finish(finish)?).await })
    }

    fn ask_later(&self, later: AskLater) -> Pending<'_, Written> {
        Box::pin(async move { self.write(write::ask_later(later)?).await })
    }

    fn take_askable(&self, take: TakeAskable) -> Pending<'_, Vec<Asked>> {
        Box::pin(self.take(take))
    }

    fn record_late(&self, late: Late) -> Pending<'_, ()> {
        Box::pin(async move { self.write(write::record_late(late)?).await })
    }

    fn history<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<History>> {
        let (key, clock) = (key.clone(), Arc::clone(&self.0.clock));
        Box::pin(async move {
            let read = self.0.readers.read(move |c| read::history(c, &key, clock.now())).await?;
            read.map(read::Record::check).transpose()
        })
    }

    fn keeping(&self) -> &dyn Keeping {
        self
    }
}
