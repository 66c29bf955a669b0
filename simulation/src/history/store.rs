//! The store as one process reaches it: calls take their time, fail as the history says, and never come back
//! to a process that was killed meanwhile.
// size: every method of a store, with each way in which it can be broken

use std::fmt::{Debug, Display, Formatter};
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pap_runtime::clock::Clock;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::{
    Act, Count, Counted, EndRelease, Erase, Erased, Feed, Keeping, OpenWork, Page, Pause, PauseOf,
    Paused, Purge, Purged, ReadActs, ReadFeed, Resume, Search, Start, TakeReleases, TakenReleases,
    Waiting,
};
use pap_runtime::store::{
    AskLater, Asked, Beat, Claim, CloseProposed, Error, Finish, Found, History, Key, Late, Life,
    NewOperation, NoteKind, OpenAction, Pending, ProofUse, Proposed, RequestStop, Revise, Store,
    Stored, TakeAskable, WriteNote, Written,
};

use super::process::{Process, Runs};
use super::random::drawn;
use super::steps::{Call, Fault};
use super::trace::Trace;

/// What a store can be built wrongly in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "every case is caught")]
pub enum Broken {
    /// As it should be.
    Not,
    /// A claim of what was claimed before is answered as done.
    ClaimsTwice,
    /// A finish is answered as done and never written.
    ForgetsFinish,
    /// A checkpoint is answered as done after recovery has begun.
    LateCheckpoint,
    /// A start of what was started before is answered as done.
    StartsTwice,
    /// What is to be released is answered as nothing.
    KeepsReleases,
    /// A claim takes the latest revision, whichever was stated.
    ClaimsLatest,
}

/// Whether confirmations are held back, from the moment it is on record.
#[derive(Debug, Default)]
pub(super) struct HeldBack {
    claims: AtomicBool,
    slipped: AtomicBool,
}

impl HeldBack {
    fn set(&self, of: PauseOf, held: bool) {
        if of == PauseOf::Claims {
            self.claims.store(held, Ordering::Relaxed);
        }
    }

    /// Whether a claim was written all the same.
    pub(super) fn slipped(&self) -> bool {
        self.slipped.load(Ordering::Relaxed)
    }

    fn judge(&self, written: &Written) {
        if matches!(written, Written::Done(_)) && self.claims.load(Ordering::Relaxed) {
            self.slipped.store(true, Ordering::Relaxed);
        }
    }
}

/// The store of one process.
pub(super) struct Reached {
    pub(super) inner: Memory,
    pub(super) process: Arc<Process>,
    pub(super) trace: Arc<Trace>,
    pub(super) broken: Broken,
    held: Arc<HeldBack>,
    seed: u64,
    node: u64,
    calls: AtomicU64,
    planned: Mutex<Vec<(Call, Fault, u64)>>,
    life: Mutex<Option<Life>>,
}

impl Reached {
    pub(super) fn new(
        inner: Memory,
        process: Arc<Process>,
        trace: Arc<Trace>,
        (broken, held): (Broken, Arc<HeldBack>),
        (seed, node): (u64, u64),
    ) -> Self {
        Self {
            inner,
            process,
            trace,
            broken,
            held,
            seed,
            node,
            calls: AtomicU64::new(0),
            planned: Mutex::default(),
            life: Mutex::default(),
        }
    }

    pub(super) fn fail(&self, call: Call, fault: Fault, times: u64) {
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        planned.push((call, fault, times));
    }

    pub(super) fn heal(&self) {
        self.planned.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(super) fn life(&self) -> Option<Life> {
        *self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fault(&self, call: Call) -> Option<Fault> {
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        let next = planned.iter_mut().find(|(of, _, times)| *of == call && *times > 0)?;
        next.2 -= 1;
        Some(next.1)
    }

    /// A few milliseconds, the same in each run.
    async fn takes_time(&self) {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let wait = drawn(&[self.seed, self.node, call]) % 8;
        if wait > 2 {
            tokio::time::sleep(Duration::from_millis(wait - 2)).await;
        }
        self.process.goes_on().await;
    }

    async fn call<T: Said>(
        &self,
        call: Call,
        about: Option<&Key>,
        inner: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        self.process.goes_on().await;
        self.takes_time().await;
        let fault = self.fault(call);
        let answer = match fault {
            None => inner.await,
            Some(Fault::NotWritten) => Err(Error::not_written("injected")),
            Some(Fault::LostBefore | Fault::Later) => Err(Error::unknown("injected before")),
            Some(Fault::LostAfter) => {
                let written = inner.await;
                self.trace.note(self.node, call, about, || format!("{} (unheard)", said(&written)));
                Err(Error::unknown("injected after"))
            }
        };
        if fault != Some(Fault::LostAfter) && !answer.as_ref().is_ok_and(Said::is_nothing) {
            self.trace.note(self.node, call, about, || said(&answer));
        }
        self.takes_time().await;
        answer
    }

    async fn claimed(&self, mut claim: Claim) -> Result<Written, Error> {
        if self.broken == Broken::ClaimsLatest
            && let Some(stored) = self.inner.read(&claim.key).await?
        {
            claim.revision = stored.latest.number;
            claim.by.digest = stored.latest.digest;
        }
        let written = self.inner.claim(claim).await?;
        self.held.judge(&written);
        match written {
            Written::NotNow if self.broken == Broken::ClaimsTwice => {
                Ok(Written::Done(self.inner.clock().now()))
            }
            written => Ok(written),
        }
    }
}

/// What a call came to, in a word.
trait Said {
    fn in_a_word(&self) -> String;

    /// Not worth telling.
    fn is_nothing(&self) -> bool {
        false
    }
}

fn said<T: Said>(answer: &Result<T, Error>) -> String {
    match answer {
        Ok(answer) => answer.in_a_word(),
        Err(error) => error.to_string(),
    }
}

impl<T> Said for Written<T> {
    fn in_a_word(&self) -> String {
        match self {
            Self::Done(_) => "done",
            Self::NotNow => "not now",
            Self::Replayed => "replayed",
        }
        .to_owned()
    }
}

impl Said for Option<Stored> {
    fn in_a_word(&self) -> String {
        self.as_ref().map_or("nothing".to_owned(), |stored| stored.state.to_string())
    }
}

impl Said for bool {
    fn in_a_word(&self) -> String {
        self.to_string()
    }

    fn is_nothing(&self) -> bool {
        *self
    }
}

impl Said for u32 {
    fn in_a_word(&self) -> String {
        format!("{self} expired")
    }

    fn is_nothing(&self) -> bool {
        *self == 0
    }
}

macro_rules! said_if_any {
    ($($row:ty => $word:literal;)*) => {$(
        impl Said for Vec<$row> {
            fn in_a_word(&self) -> String {
                format!("{} {}", self.len(), $word)
            }

            fn is_nothing(&self) -> bool {
                self.is_empty()
            }
        }
    )*};
}

said_if_any! {
    Stored => "waiting";
    Paused => "held back";
    OpenWork => "open";
    String => "broken";
    Act => "done";
}

impl Said for TakenReleases {
    fn in_a_word(&self) -> String {
        format!("{} to be released", self.releases.len())
    }

    fn is_nothing(&self) -> bool {
        self.releases.is_empty()
    }
}

macro_rules! not_said {
    ($($answer:ty)*) => {$(
        impl Said for $answer {
            fn in_a_word(&self) -> String {
                "done".to_owned()
            }

            fn is_nothing(&self) -> bool {
                true
            }
        }
    )*};
}

not_said!(Feed Page Purged Erased Counted);

impl Said for Vec<Asked> {
    fn in_a_word(&self) -> String {
        format!("{} taken", self.len())
    }

    fn is_nothing(&self) -> bool {
        self.is_empty()
    }
}

macro_rules! says {
    ($($answer:ty => $word:expr;)*) => {$(
        impl Said for $answer {
            fn in_a_word(&self) -> String {
                $word.to_owned()
            }
        }
    )*};
}

says! {
    () => "done";
    Proposed => "proposed";
    Option<Found> => "looked for";
    Option<History> => "read";
}

impl Debug for Reached {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt("Reached", f)
    }
}

macro_rules! keyed {
    ($($name:ident: $call:ident($argument:ty);)*) => {$(
        fn $name(&self, argument: $argument) -> Pending<'_, Written> {
            Box::pin(async move {
                let key = argument.key.clone();
                self.call(Call::$call, Some(&key), self.inner.$name(argument)).await
            })
        }
    )*};
}

impl Store for Reached {
    fn clock(&self) -> Arc<dyn Clock> {
        self.inner.clock()
    }

    fn begin_life(&self, life: Life) -> Pending<'_, ()> {
        *self.life.lock().unwrap_or_else(PoisonError::into_inner) = Some(life);
        self.inner.begin_life(life)
    }

    fn end_life(&self, life: Life) -> Pending<'_, ()> {
        // who was killed ends nothing; called outside of the runtime, too
        match self.process.runs() {
            Runs::Yes => self.inner.end_life(life),
            Runs::HeldUp | Runs::Killed => Box::pin(std::future::pending()),
        }
    }

    fn read<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>> {
        Box::pin(self.call(Call::Read, Some(key), self.inner.read(key)))
    }

    fn find_open<'a>(&'a self, action: &'a OpenAction) -> Pending<'a, Option<Found>> {
        Box::pin(self.call(Call::FindOpen, None, self.inner.find_open(action)))
    }

    fn record_proof(&self, proof: ProofUse) -> Pending<'_, Written> {
        Box::pin(self.call(Call::Other, None, self.inner.record_proof(proof)))
    }

    fn propose(&self, new: NewOperation) -> Pending<'_, Proposed> {
        Box::pin(async move {
            let key = new.key.clone();
            self.call(Call::Propose, Some(&key), self.inner.propose(new)).await
        })
    }

    fn claim(&self, claim: Claim) -> Pending<'_, Written> {
        Box::pin(async move {
            let key = claim.key.clone();
            if self.peek(Call::Claim) == Some(Fault::Later) {
                let (inner, claim) = (self.inner.clone(), claim.clone());
                self.later(Call::Claim, &key, async move { inner.claim(claim).await });
            }
            self.call(Call::Claim, Some(&key), self.claimed(claim)).await
        })
    }

    fn start(&self, start: Start) -> Pending<'_, Written> {
        Box::pin(async move {
            let key = start.key.clone();
            if self.peek(Call::Start) == Some(Fault::Later) {
                let (inner, start) = (self.inner.clone(), start.clone());
                self.later(Call::Start, &key, async move { inner.start(start).await });
            }
            match self.call(Call::Start, Some(&key), self.inner.start(start)).await {
                Ok(Written::NotNow) if self.broken == Broken::StartsTwice => {
                    Ok(Written::Done(self.inner.clock().now()))
                }
                written => written,
            }
        })
    }

    fn heartbeat(&self, beat: Beat) -> Pending<'_, bool> {
        Box::pin(self.call(Call::Heartbeat, None, self.inner.heartbeat(beat)))
    }

    fn waiting(&self, which: Waiting) -> Pending<'_, Vec<Stored>> {
        Box::pin(self.call(Call::Waiting, None, self.inner.waiting(which)))
    }

    fn keeping(&self) -> &dyn Keeping {
        self
    }

    fn write_note(&self, write: WriteNote) -> Pending<'_, Written> {
        Box::pin(async move {
            let key = write.key.clone();
            let checkpoint = matches!(write.note, NoteKind::Checkpoint { .. });
            let written =
                self.call(Call::WriteNote, Some(&key), self.inner.write_note(write)).await;
            match written {
                Ok(Written::NotNow) if checkpoint && self.broken == Broken::LateCheckpoint => {
                    Ok(Written::Done(self.inner.clock().now()))
                }
                written => written,
            }
        })
    }

    fn finish(&self, finish: Finish) -> Pending<'_, Written> {
        Box::pin(async move {
            let key = finish.key.clone();
            if self.broken == Broken::ForgetsFinish {
                let now = self.inner.clock().now();
                let forgotten = std::future::ready(Ok(Written::Done(now)));
                return self.call(Call::Finish, Some(&key), forgotten).await;
            }
            self.call(Call::Finish, Some(&key), self.inner.finish(finish)).await
        })
    }

    fn take_askable(&self, take: TakeAskable) -> Pending<'_, Vec<Asked>> {
        Box::pin(self.call(Call::TakeAskable, None, self.inner.take_askable(take)))
    }

    fn record_late(&self, late: Late) -> Pending<'_, ()> {
        Box::pin(async move {
            let key = late.key.clone();
            self.call(Call::RecordLate, Some(&key), self.inner.record_late(late)).await
        })
    }

    fn history<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<History>> {
        Box::pin(self.call(Call::History, Some(key), self.inner.history(key)))
    }

    keyed! {
        revise: Revise(Revise);
        close_proposed: CloseProposed(CloseProposed);
        request_stop: RequestStop(RequestStop);
        ask_later: AskLater(AskLater);
    }
}

macro_rules! kept {
    ($($name:ident($argument:ty) -> $answer:ty;)*) => {$(
        fn $name(&self, argument: $argument) -> Pending<'_, $answer> {
            Box::pin(self.call(Call::Keeping, None, self.inner.keeping().$name(argument)))
        }
    )*};
}

impl Keeping for Reached {
    fn expire_due<'a>(&'a self, company: &'a str, limit: u32) -> Pending<'a, u32> {
        Box::pin(self.call(Call::Keeping, None, self.inner.keeping().expire_due(company, limit)))
    }

    fn take_releases(&self, take: TakeReleases) -> Pending<'_, TakenReleases> {
        if self.broken == Broken::KeepsReleases {
            return Box::pin(std::future::ready(Ok(TakenReleases {
                releases: Vec::new(),
                more: false,
            })));
        }
        Box::pin(self.call(Call::Keeping, None, self.inner.keeping().take_releases(take)))
    }

    fn pause(&self, pause: Pause) -> Pending<'_, ()> {
        let paused = async {
            let of = pause.of;
            let paused = self.inner.keeping().pause(pause).await;
            self.held.set(of, true);
            paused
        };
        Box::pin(self.call(Call::Keeping, None, paused))
    }

    fn resume(&self, resume: Resume) -> Pending<'_, bool> {
        let resumed = async {
            let of = resume.of;
            let resumed = self.inner.keeping().resume(resume).await;
            self.held.set(of, false);
            resumed
        };
        Box::pin(self.call(Call::Keeping, None, resumed))
    }

    fn pauses<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<Paused>> {
        Box::pin(self.call(Call::Keeping, None, self.inner.keeping().pauses(company)))
    }

    fn open_work<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<OpenWork>> {
        Box::pin(self.call(Call::Keeping, None, self.inner.keeping().open_work(company)))
    }

    fn verify<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<String>> {
        Box::pin(self.call(Call::Keeping, None, self.inner.keeping().verify(company)))
    }

    kept! {
        end_release(EndRelease) -> ();
        feed(ReadFeed) -> Feed;
        search(Search) -> Page;
        purge(Purge) -> Purged;
        erase(Erase) -> Erased;
        count(Count) -> Counted;
        acts(ReadActs) -> Vec<Act>;
    }
}

impl Reached {
    /// It is written in a while, whoever waits for it.
    fn later(
        &self,
        call: Call,
        key: &Key,
        written: impl Future<Output = Result<Written, Error>> + Send + 'static,
    ) {
        let (trace, node, key) = (Arc::clone(&self.trace), self.node, key.clone());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(2)).await;
            let late = written.await;
            trace.note(node, call, Some(&key), || format!("{} (late)", said(&late)));
        });
    }

    /// How the next call of this kind will fail.
    fn peek(&self, call: Call) -> Option<Fault> {
        let planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        let next = planned.iter().find(|(of, _, times)| *of == call && *times > 0);
        next.map(|(_, fault, _)| *fault)
    }
}
