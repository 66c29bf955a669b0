//! A store that forgets when the process ends: for examples, tests and simulation.

mod acts;
mod ask;
mod keep;
mod perform;
mod propose;
mod record;
mod release;
mod search;
mod state;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use pap_protocol::value::Instant;

use self::state::State;
use super::ratchet::Ratchet;
use super::{
    Act, AskLater, Asked, Beat, Claim, CloseProposed, Count, Counted, EndRelease, Erase, Erased,
    Error, Feed, Finish, Found, History, Keeping, Key, Late, Life, NewOperation, OpenAction,
    OpenWork, Page, Pause, Paused, Pending, ProofUse, Proposed, Purge, Purged, ReadActs, ReadFeed,
    RequestStop, Resume, Revise, Search, Start, Store, Stored, TakeAskable, TakeReleases,
    TakenReleases, Waiting, WriteNote, Written,
};
use crate::clock::{Clock, SystemClock};

/// A store in memory.
///
/// Clones are handles of the same store. It keeps the whole contract of [`Store`] for as long as the
/// process lives: a write is one change under one lock, and [`Memory::reopened`] is what a process finds
/// that starts after another was killed.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use pap_runtime::store::Store;
/// use pap_runtime::store::memory::Memory;
///
/// let store: Arc<dyn Store> = Arc::new(Memory::new());
/// assert_eq!(format!("{store:?}"), "Memory { operations: 0 }");
/// ```
#[derive(Clone)]
pub struct Memory {
    state: Arc<Mutex<State>>,
    clock: Arc<Ratchet>,
}

impl Memory {
    /// An empty store on the machine's clock.
    pub fn new() -> Self {
        Self::on_clock(Arc::new(SystemClock))
    }

    /// An empty store on a clock of the caller's.
    pub fn on_clock(clock: Arc<dyn Clock>) -> Self {
        let clock = Arc::new(Ratchet::above(Instant::from_millis(0), clock));
        Self { state: Arc::default(), clock }
    }

    /// The same store as a process finds it that starts after this one was killed: every life that was
    /// begun has ended with the questions it had taken, and what was answered is there. Handles made before still write to it, like a
    /// process that was held up and goes on.
    #[must_use]
    pub fn reopened(&self) -> Self {
        self.with(State::end_lives);
        self.clone()
    }

    /// One write or read, whole: nobody else sees the state in between.
    fn with<T>(&self, change: impl FnOnce(&mut State, Instant) -> T) -> T {
        // a panic in another test's thread leaves nothing half done: changes come last
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.as_set = self.clock.as_set().as_millis();
        change(&mut state, self.clock.now())
    }

    /// The same as a future that does it when it is first polled.
    fn later<'s, T: Send>(
        &'s self,
        change: impl FnOnce(&mut State, Instant) -> Result<T, Error> + Send + 's,
    ) -> Pending<'s, T> {
        Box::pin(async move { self.with(change) })
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operations = self.with(|state, _| state.operations());
        f.debug_struct("Memory").field("operations", &operations).finish()
    }
}

impl Store for Memory {
    fn clock(&self) -> Arc<dyn Clock> {
        Arc::<Ratchet>::clone(&self.clock)
    }

    fn begin_life(&self, life: Life) -> Pending<'_, ()> {
        self.later(move |state, _| state.begin_life(life))
    }

    fn heartbeat(&self, beat: Beat) -> Pending<'_, bool> {
        self.later(move |state, _| Ok(state.lives(beat.life)))
    }

    fn end_life(&self, life: Life) -> Pending<'_, ()> {
        self.later(move |state, _| {
            state.end_life(life);
            Ok(())
        })
    }

    fn read<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>> {
        self.later(move |state, now| Ok(state.read(key, now)))
    }

    fn find_open<'a>(&'a self, action: &'a OpenAction) -> Pending<'a, Option<Found>> {
        self.later(move |state, now| Ok(state.find_open(action, now)))
    }

    fn record_proof(&self, proof: ProofUse) -> Pending<'_, Written> {
        self.later(move |state, now| {
            let new = state.accept_proof(Some(&proof));
            Ok(if new { Written::Done(now) } else { Written::Replayed })
        })
    }

    fn propose(&self, new: NewOperation) -> Pending<'_, Proposed> {
        self.later(move |state, now| state.propose(new, now))
    }

    fn revise(&self, revise: Revise) -> Pending<'_, Written> {
        self.later(move |state, now| state.revise(revise, now))
    }

    fn claim(&self, claim: Claim) -> Pending<'_, Written> {
        self.later(move |state, now| state.claim(claim, now))
    }

    fn start(&self, start: Start) -> Pending<'_, Written> {
        self.later(move |state, now| Ok(state.start(&start, now)))
    }

    fn waiting(&self, which: Waiting) -> Pending<'_, Vec<Stored>> {
        self.later(move |state, now| Ok(state.waiting(&which, now)))
    }

    fn close_proposed(&self, close: CloseProposed) -> Pending<'_, Written> {
        self.later(move |state, now| Ok(state.close_proposed(close, now)))
    }

    fn request_stop(&self, stop: RequestStop) -> Pending<'_, Written> {
        self.later(move |state, now| Ok(state.request_stop(&stop, now)))
    }

    fn write_note(&self, note: WriteNote) -> Pending<'_, Written> {
        self.later(move |state, now| state.write_note(note, now))
    }

    fn finish(&self, finish: Finish) -> Pending<'_, Written> {
        self.later(move |state, now| state.finish(finish, now))
    }

    fn ask_later(&self, later: AskLater) -> Pending<'_, Written> {
        self.later(move |state, now| state.ask_later(&later, now))
    }

    fn take_askable(&self, take: TakeAskable) -> Pending<'_, Vec<Asked>> {
        self.later(move |state, now| Ok(state.take_askable(&take, now)))
    }

    fn record_late(&self, late: Late) -> Pending<'_, ()> {
        self.later(move |state, now| state.record_late(&late, now))
    }

    fn history<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<History>> {
        self.later(move |state, now| Ok(state.history(key, now)))
    }

    fn keeping(&self) -> &dyn Keeping {
        self
    }
}

impl Keeping for Memory {
    fn expire_due<'a>(&'a self, company: &'a str, limit: u32) -> Pending<'a, u32> {
        self.later(move |state, now| Ok(state.expire_due(company, limit, now)))
    }

    fn take_releases(&self, take: TakeReleases) -> Pending<'_, TakenReleases> {
        self.later(move |state, now| Ok(state.take_releases(&take, now)))
    }

    fn end_release(&self, end: EndRelease) -> Pending<'_, ()> {
        self.later(move |state, now| {
            state.end_release(&end, now);
            Ok(())
        })
    }

    fn pause(&self, pause: Pause) -> Pending<'_, ()> {
        self.later(move |state, now| {
            state.pause(pause, now);
            Ok(())
        })
    }

    fn resume(&self, resume: Resume) -> Pending<'_, bool> {
        self.later(move |state, now| Ok(state.resume(resume, now)))
    }

    fn pauses<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<Paused>> {
        self.later(move |state, _| Ok(state.pauses_of(company)))
    }

    fn feed(&self, read: ReadFeed) -> Pending<'_, Feed> {
        self.later(move |state, _| state.feed(&read))
    }

    fn search(&self, search: Search) -> Pending<'_, Page> {
        self.later(move |state, now| Ok(state.search(&search, now)))
    }

    fn purge(&self, purge: Purge) -> Pending<'_, Purged> {
        self.later(move |state, now| Ok(state.purge(&purge, now)))
    }

    fn erase(&self, erase: Erase) -> Pending<'_, Erased> {
        self.later(move |state, now| state.erase(&erase, now))
    }

    fn acts(&self, read: ReadActs) -> Pending<'_, Vec<Act>> {
        self.later(move |state, _| Ok(state.acts_of(&read)))
    }

    fn count(&self, count: Count) -> Pending<'_, Counted> {
        self.later(move |state, _| Ok(state.count(&count)))
    }

    fn open_work<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<OpenWork>> {
        self.later(move |state, now| Ok(state.open_work(company, now)))
    }

    fn verify<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<String>> {
        self.later(move |state, now| Ok(state.verify(company, now)))
    }
}
