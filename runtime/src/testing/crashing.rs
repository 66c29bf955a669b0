//! A store that stops answering at a named point, as it looks to a process that dies there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::clock::Clock;
use crate::store::{
    AskLater, Asked, Beat, Claim, CloseProposed, Finish, Found, History, Keeping, Key, Late, Life,
    NewOperation, NoteKind, OpenAction, Pending, ProofUse, Proposed, RequestStop, Revise, Start,
    Store, Stored, TakeAskable, Waiting, WriteNote, Written,
};

/// Where the process dies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Crash {
    /// Before the confirmation is durable: the operation stays proposed.
    BeforeClaim,
    /// After the confirmation is durable, before the handler starts.
    AfterClaim,
    /// After this checkpoint is durable, before the handler knows.
    AfterCheckpoint(String),
    /// After the n-th change (from 1) is durable, before the handler knows.
    AfterChange(u32),
    /// After the handler has answered, before its outcome is durable.
    BeforeFinish,
    /// After the outcome is durable, before anybody is told.
    AfterFinish,
}

/// A store that answers nothing any more once its crash point is reached.
#[derive(Debug)]
pub struct Crashing {
    inner: Arc<dyn Store>,
    point: Mutex<Option<Crash>>,
    changes: Mutex<u32>,
    died: Arc<Notify>,
}

impl Crashing {
    /// Around a store that keeps what was written.
    pub fn around(inner: Arc<dyn Store>) -> Self {
        Self { inner, point: Mutex::default(), changes: Mutex::default(), died: Arc::default() }
    }

    /// Dies at this point from now on.
    pub fn crash_at(&self, point: Crash) {
        *lock(&self.point) = Some(point);
    }

    /// Resolves when the point is reached.
    pub async fn until_dead(&self) {
        self.died.notified().await;
    }

    fn is(&self, point: &Crash) -> bool {
        lock(&self.point).as_ref() == Some(point)
    }

    /// A dead process: it never goes on.
    async fn die<T>(&self) -> T {
        self.died.notify_one();
        std::future::pending().await
    }
}

impl Store for Crashing {
    fn clock(&self) -> Arc<dyn Clock> {
        self.inner.clock()
    }

    fn begin_life(&self, life: Life) -> Pending<'_, ()> {
        self.inner.begin_life(life)
    }

    fn heartbeat(&self, beat: Beat) -> Pending<'_, bool> {
        self.inner.heartbeat(beat)
    }

    fn start(&self, start: Start) -> Pending<'_, Written> {
        self.inner.start(start)
    }

    fn waiting(&self, which: Waiting) -> Pending<'_, Vec<Stored>> {
        self.inner.waiting(which)
    }

    fn keeping(&self) -> &dyn Keeping {
        self.inner.keeping()
    }

    fn end_life(&self, life: Life) -> Pending<'_, ()> {
        self.inner.end_life(life)
    }

    fn read<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>> {
        self.inner.read(key)
    }

    fn find_open<'a>(&'a self, action: &'a OpenAction) -> Pending<'a, Option<Found>> {
        self.inner.find_open(action)
    }

    fn record_proof(&self, proof: ProofUse) -> Pending<'_, Written> {
        self.inner.record_proof(proof)
    }

    fn propose(&self, new: NewOperation) -> Pending<'_, Proposed> {
        self.inner.propose(new)
    }

    fn revise(&self, revise: Revise) -> Pending<'_, Written> {
        self.inner.revise(revise)
    }

    fn claim(&self, claim: Claim) -> Pending<'_, Written> {
        Box::pin(async move {
            if self.is(&Crash::BeforeClaim) {
                return self.die().await;
            }
            let written = self.inner.claim(claim).await;
            if self.is(&Crash::AfterClaim) {
                return self.die().await;
            }
            written
        })
    }

    fn close_proposed(&self, close: CloseProposed) -> Pending<'_, Written> {
        self.inner.close_proposed(close)
    }

    fn request_stop(&self, stop: RequestStop) -> Pending<'_, Written> {
        self.inner.request_stop(stop)
    }

    fn write_note(&self, note: WriteNote) -> Pending<'_, Written> {
        Box::pin(async move {
            let point = match &note.note {
                NoteKind::Checkpoint { name, .. } => Crash::AfterCheckpoint(name.clone()),
                NoteKind::Change(_) => {
                    let mut changes = lock(&self.changes);
                    *changes += 1;
                    Crash::AfterChange(*changes)
                }
            };
            let written = self.inner.write_note(note).await;
            if self.is(&point) {
                return self.die().await;
            }
            written
        })
    }

    fn finish(&self, finish: Finish) -> Pending<'_, Written> {
        Box::pin(async move {
            if self.is(&Crash::BeforeFinish) {
                return self.die().await;
            }
            let written = self.inner.finish(finish).await;
            if self.is(&Crash::AfterFinish) {
                return self.die().await;
            }
            written
        })
    }

    fn ask_later(&self, later: AskLater) -> Pending<'_, Written> {
        Box::pin(async move {
            // a handler that ends without an outcome has nothing to finish: it dies here instead
            if self.is(&Crash::BeforeFinish) {
                return self.die().await;
            }
            self.inner.ask_later(later).await
        })
    }

    fn take_askable(&self, take: TakeAskable) -> Pending<'_, Vec<Asked>> {
        self.inner.take_askable(take)
    }

    fn record_late(&self, late: Late) -> Pending<'_, ()> {
        self.inner.record_late(late)
    }

    fn history<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<History>> {
        self.inner.history(key)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
