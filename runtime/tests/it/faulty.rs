//! A store that fails at chosen calls, with every kind of failure that the contract allows.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pap_runtime::clock::Clock;
use pap_runtime::store::{
    AskLater, Asked, Beat, Claim, CloseProposed, Error, Finish, Found, History, Keeping, Key, Late,
    Life, NewOperation, OpenAction, Pending, ProofUse, Proposed, RequestStop, Revise, Start, Store,
    Stored, TakeAskable, Waiting, WriteNote, Written,
};
use tokio::sync::Notify;

/// How a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing was written, and the store knows it.
    NotWritten,
    /// Nothing was written, and the store does not know it.
    UnknownBefore,
    /// It was written, and the store does not know it.
    UnknownAfter,
}

impl Fault {
    pub const ALL: [Self; 3] = [Self::NotWritten, Self::UnknownBefore, Self::UnknownAfter];
}

/// The methods of a store that can fail while a company runs.
pub const METHODS: [&str; 14] = [
    "read",
    "find_open",
    "history",
    "record_proof",
    "propose",
    "revise",
    "claim",
    "close_proposed",
    "request_stop",
    "write_note",
    "finish",
    "ask_later",
    "take_askable",
    "record_late",
];

/// Methods that a company calls again and again by itself.
const BY_ITSELF: [&str; 3] = ["take_askable", "heartbeat", "waiting"];

/// Which calls fail: from the n-th of its kind (from 1) on, this many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    pub fault: Fault,
    /// Only calls of this method count; all but those of [`BY_ITSELF`] do if there is none.
    pub method: Option<&'static str>,
    pub from: usize,
    pub many: usize,
}

/// Holds one call of this method until it is let go.
#[derive(Debug)]
pub struct Hold {
    method: &'static str,
    before: bool,
    pub reached: Notify,
    pub let_go: Notify,
    used: AtomicBool,
}

impl Hold {
    fn takes(&self, method: &str, before: bool) -> bool {
        self.method == method && self.before == before && !self.used.swap(true, Ordering::SeqCst)
    }

    async fn held(&self) {
        self.reached.notify_one();
        self.let_go.notified().await;
    }
}

/// A store around another.
pub struct Faulty {
    inner: Arc<dyn Store>,
    plan: Mutex<Option<Plan>>,
    calls: AtomicUsize,
    failed: AtomicUsize,
    hold: Mutex<Option<Arc<Hold>>>,
    late: Mutex<Option<Duration>>,
    trace: Mutex<Vec<String>>,
}

impl Faulty {
    pub fn around(inner: Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            plan: Mutex::default(),
            calls: AtomicUsize::new(0),
            failed: AtomicUsize::new(0),
            hold: Mutex::default(),
            late: Mutex::default(),
            trace: Mutex::default(),
        })
    }

    pub fn follow(&self, plan: Option<Plan>) {
        *self.plan.lock().unwrap() = plan;
        self.calls.store(0, Ordering::SeqCst);
        self.failed.store(0, Ordering::SeqCst);
    }

    /// How many calls failed.
    pub fn failed(&self) -> usize {
        self.failed.load(Ordering::SeqCst)
    }

    /// The calls in order, those that failed marked; `take_askable` goes on for ever and is left out
    /// where it did not fail.
    pub fn calls(&self) -> Vec<String> {
        self.trace.lock().unwrap().clone()
    }

    fn fault(&self, method: &'static str) -> Option<Fault> {
        let plan = *self.plan.lock().unwrap();
        // asking whether there is anything to ask about goes on for ever: it counts by itself only
        let counts =
            |plan: &Plan| plan.method.map_or(!BY_ITSELF.contains(&method), |m| m == method);
        let hit = plan.filter(counts).filter(|plan| {
            let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
            (plan.from..plan.from.saturating_add(plan.many)).contains(&call)
        });
        let mark = if hit.is_some() { "!" } else { "" };
        if hit.is_some() || !BY_ITSELF.contains(&method) {
            self.trace.lock().unwrap().push(format!("{method}{mark}"));
        }
        self.failed.fetch_add(usize::from(hit.is_some()), Ordering::SeqCst);
        hit.map(|plan| plan.fault)
    }

    /// Holds the next call of this method, before or after it is written.
    pub fn hold(&self, method: &'static str, before: bool) -> Arc<Hold> {
        let (reached, let_go) = (Notify::new(), Notify::new());
        let used = AtomicBool::new(false);
        let hold = Arc::new(Hold { method, before, reached, let_go, used });
        *self.hold.lock().unwrap() = Some(hold.clone());
        hold
    }

    /// The next claim is answered as unknown, and written so much later.
    pub fn land_late(&self, after: Duration) {
        *self.late.lock().unwrap() = Some(after);
    }

    async fn run<T>(&self, method: &'static str, inner: Pending<'_, T>) -> Result<T, Error> {
        let hold = self.hold.lock().unwrap().clone();
        if let Some(hold) = hold.as_ref().filter(|hold| hold.takes(method, true)) {
            hold.held().await;
        }
        let answer = self.answer(method, inner).await;
        if let Some(hold) = hold.filter(|hold| hold.takes(method, false)) {
            hold.held().await;
        }
        answer
    }

    async fn answer<T>(&self, method: &'static str, inner: Pending<'_, T>) -> Result<T, Error> {
        match self.fault(method) {
            None => inner.await,
            Some(Fault::NotWritten) => Err(Error::not_written("injected")),
            Some(Fault::UnknownBefore) => Err(Error::unknown("injected before")),
            Some(Fault::UnknownAfter) => {
                inner.await?;
                Err(Error::unknown("injected after"))
            }
        }
    }
}

impl fmt::Debug for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Faulty")
    }
}

macro_rules! methods {
    ($($name:ident($argument:ty) -> $answer:ty;)*) => {$(
        fn $name(&self, argument: $argument) -> Pending<'_, $answer> {
            Box::pin(self.run(stringify!($name), self.inner.$name(argument)))
        }
    )*};
}

impl Store for Faulty {
    fn clock(&self) -> Arc<dyn Clock> {
        self.inner.clock()
    }

    fn read<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>> {
        Box::pin(self.run("read", self.inner.read(key)))
    }

    fn find_open<'a>(&'a self, action: &'a OpenAction) -> Pending<'a, Option<Found>> {
        Box::pin(self.run("find_open", self.inner.find_open(action)))
    }

    fn history<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<History>> {
        Box::pin(self.run("history", self.inner.history(key)))
    }

    fn claim(&self, claim: Claim) -> Pending<'_, Written> {
        let late = self.late.lock().unwrap().take();
        if let Some(after) = late {
            let inner = self.inner.clone();
            tokio::spawn(async move {
                tokio::time::sleep(after).await;
                drop(inner.claim(claim).await);
            });
            return Box::pin(std::future::ready(Err(Error::unknown("it may be written yet"))));
        }
        Box::pin(self.run("claim", self.inner.claim(claim)))
    }

    fn waiting(&self, which: Waiting) -> Pending<'_, Vec<Stored>> {
        Box::pin(self.run("waiting", self.inner.waiting(which)))
    }

    fn keeping(&self) -> &dyn Keeping {
        self.inner.keeping()
    }

    methods! {
        begin_life(Life) -> ();
        heartbeat(Beat) -> bool;
        start(Start) -> Written;
        end_life(Life) -> ();
        record_proof(ProofUse) -> Written;
        propose(NewOperation) -> Proposed;
        revise(Revise) -> Written;
        close_proposed(CloseProposed) -> Written;
        request_stop(RequestStop) -> Written;
        write_note(WriteNote) -> Written;
        finish(Finish) -> Written;
        ask_later(AskLater) -> Written;
        take_askable(TakeAskable) -> Vec<Asked>;
        record_late(Late) -> ();
    }
}
