//! What every step works with: the store, the declared actions, and the settings.

use std::collections::{BTreeMap, HashSet};
use std::fmt::{Debug, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Waker};
use std::time::Duration;

use pap_protocol::operation::OperationId;
use pap_protocol::value::Instant;
use tokio::sync::{Notify, watch};

use crate::action::Action;
use crate::attention::{Attention, OnAttention};
use crate::caught::caught;
use crate::clock::Clock;
use crate::meter::{Measured, names};
use crate::offered::{Offered, ToClaim};
use crate::refusal::Refusal;
use crate::role::Role;
use crate::rooms::{Limits, Rooms};
use crate::stops::Stops;
use crate::store::{
    self, ErrorKind, Key, Known, Life, ProofUse, Store, Stored, StoredRevision, Ticket, Written,
};

/// Nobody asks more often, whatever was set: asking is never a busy loop.
const SOONEST: Duration = Duration::from_millis(10);

/// How long closing waits for questions to be handed back.
const HAND_BACK_WITHIN: Duration = Duration::from_secs(5);

/// The parts that all steps share. One per process and company.
pub(crate) struct Engine {
    pub(crate) company: String,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) actions: BTreeMap<&'static str, Arc<dyn Action>>,
    pub(crate) settings: Settings,
    /// `None` while the store has not taken a new one.
    life: Mutex<Option<Life>>,
    pub(crate) rooms: Rooms,
    /// Proposals as they were last read here.
    offered: Offered,
    /// Wakes whoever starts what waits.
    pub(crate) start_soon: Arc<Notify>,
    /// Operations that a person was called to because nobody asks about them.
    overdue: Mutex<HashSet<OperationId>>,
    /// Everyone who performs holds a receiver.
    performing: watch::Sender<()>,
    /// Wakes the asking loop when there is something new to ask about.
    pub(crate) ask_soon: Arc<Notify>,
    /// Wakes whoever tells of what was let go.
    pub(crate) tell_soon: Arc<Notify>,
    pub(crate) stops: Arc<Stops>,
    /// Whether the company was closed; every question that is being asked listens.
    closed: watch::Sender<bool>,
    /// The same, for those whom closing does not wait for.
    ended: watch::Sender<()>,
}

/// How long the engine waits for what. None of it decides whether an action may be performed.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// A confirm answers `in_progress` after this (section 5.2: a few seconds).
    pub(crate) answer_within: Duration,
    /// A handler that has not answered after this may be asked about; it is never aborted.
    pub(crate) perform_within: Duration,
    /// A question that has not been answered after this counts as not seen.
    pub(crate) ask_within: Duration,
    /// A `released` function that has not answered after this is told again; another process may tell it
    /// after twice this, should the one that does have died.
    pub(crate) release_within: Duration,
    /// `Retry-After` while in progress.
    pub(crate) retry_after: Duration,
    /// The first wait between two questions; it doubles each time.
    pub(crate) ask_again_first: Duration,
    /// The longest wait between two questions. Asking never ends.
    pub(crate) ask_again_most: Duration,
    /// After this many questions a person has to look.
    pub(crate) attention_after: u32,
    /// What this process does.
    pub(crate) role: Role,
    /// How much of each action runs here at once.
    pub(crate) limits: BTreeMap<String, Limits>,
    /// How often this process says that it lives.
    pub(crate) beat_every: Duration,
    /// After so long without a sign a life may be taken for dead: what it holds is then asked about.
    pub(crate) dead_after: Duration,
    /// How often proposals are looked through for what has expired, and old operations for what is kept no
    /// longer.
    pub(crate) sweep_every: Duration,
    pub(crate) measured: Measured,
    pub(crate) on_attention: OnAttention,
}

/// Draining waits until every one of these is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Performing(#[expect(dead_code, reason = "held, not read")] watch::Receiver<()>);

impl Default for Settings {
    fn default() -> Self {
        Self {
            answer_within: Duration::from_secs(3),
            perform_within: Duration::from_secs(60),
            ask_within: Duration::from_secs(60),
            release_within: Duration::from_secs(60),
            retry_after: Duration::from_secs(2),
            ask_again_first: Duration::from_secs(2),
            ask_again_most: Duration::from_secs(600),
            attention_after: 8,
            role: Role::Both,
            limits: BTreeMap::new(),
            beat_every: Duration::from_secs(5),
            dead_after: Duration::from_secs(30),
            sweep_every: Duration::from_secs(5),
            measured: Measured::default(),
            on_attention: OnAttention::default(),
        }
    }
}

impl Settings {
    /// When to ask again after this many questions: doubling, with a cap, for ever.
    pub(crate) fn ask_again(&self, asks: u32, now: Instant) -> Instant {
        let doubled = self.ask_again_first.saturating_mul(1_u32 << asks.min(20));
        now.saturating_add(doubled.min(self.ask_again_most).max(SOONEST))
    }

    /// How long to wait before looking again whether there is something to ask about.
    pub(crate) fn look_again(&self) -> Duration {
        self.ask_again_first.clamp(SOONEST, Duration::from_secs(1))
    }
}

impl Engine {
    pub(crate) fn new(
        company: String,
        store: Arc<dyn Store>,
        actions: BTreeMap<&'static str, Arc<dyn Action>>,
        settings: Settings,
        life: Life,
    ) -> Self {
        let clock = store.clock();
        Self {
            company,
            store,
            clock,
            actions,
            rooms: Rooms::new(&settings.limits),
            offered: Offered::default(),
            settings,
            life: Mutex::new(Some(life)),
            start_soon: Arc::default(),
            overdue: Mutex::default(),
            performing: watch::channel(()).0,
            ask_soon: Arc::default(),
            tell_soon: Arc::default(),
            stops: Arc::default(),
            closed: watch::channel(false).0,
            ended: watch::channel(()).0,
        }
    }

    pub(crate) fn key(&self, id: &OperationId) -> Key {
        Key { company: self.company.clone(), id: id.clone() }
    }

    /// The action of a stored operation, if this code declares it.
    pub(crate) fn action(&self, name: &str) -> Option<&Arc<dyn Action>> {
        self.actions.get(name)
    }

    /// The life that this process claims under; `None` while the store has not taken one.
    pub(crate) fn life(&self) -> Option<Life> {
        *self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This life was taken for dead: nothing is claimed under it any more.
    pub(crate) fn lose_life(&self, lost: Life) {
        let mut life = self.life.lock().unwrap_or_else(PoisonError::into_inner);
        if *life == Some(lost) {
            *life = None;
        }
    }

    /// The store has taken this life.
    pub(crate) fn take_life(&self, new: Life) {
        *self.life.lock().unwrap_or_else(PoisonError::into_inner) = Some(new);
    }

    /// Held by whoever performs, from before the claim: draining waits for it.
    pub(crate) fn performing(&self) -> Performing {
        Performing(self.performing.subscribe())
    }

    /// Waits until nobody performs here, so long at most, and answers how many still do.
    pub(crate) async fn drained(&self, within: Duration) -> usize {
        match tokio::time::timeout(within, self.performing.closed()).await {
            Ok(()) => 0,
            Err(_) => self.performing.receiver_count(),
        }
    }

    /// Counts something about an action.
    pub(crate) fn count(&self, name: &'static str, action: &str) {
        self.settings.measured.count(name, &[("action", action)]);
    }

    /// Calls a person.
    pub(crate) fn call(&self, stored: &Stored, asks: u32, why: &str) {
        self.count(names::ATTENTION, &stored.action);
        let (id, action) = (stored.key.id.clone(), stored.action.clone());
        self.settings.on_attention.call(Attention { id, action, asks, why: why.to_owned() });
    }

    /// Whether nobody was called to this operation by this process because it is overdue.
    pub(crate) fn is_first_call(&self, id: &OperationId) -> bool {
        self.overdue.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone())
    }

    /// Counts the answer to a confirm.
    pub(crate) fn count_confirm(&self, action: &str, outcome: &str) {
        let labels = [("action", action), ("outcome", outcome)];
        self.settings.measured.count(names::CONFIRMS, &labels);
    }

    /// What this code can ask about.
    pub(crate) fn known(&self) -> Vec<Known> {
        let known = |action: &Arc<dyn Action>| Known {
            action: action.declaration().action.to_owned(),
            versions: action.versions(),
        };
        self.actions.values().map(known).collect()
    }

    /// From now on nothing is claimed and nothing is asked; returns when the questions that were being asked
    /// are handed back. Handlers that run go on.
    pub(crate) async fn close(&self) {
        self.closed.send_replace(true);
        self.ended.send_replace(());
        // a store that does not take them now finds them as after a crash
        let handed_back = tokio::time::timeout(HAND_BACK_WITHIN, self.closed.closed()).await;
        if handed_back.is_err() {
            tracing::warn!(
                "the store did not take back what was being asked: its lease ends by itself"
            );
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Hears when the company is closed; held by every question that is being asked.
    pub(crate) fn hears_close(&self) -> watch::Receiver<bool> {
        self.closed.subscribe()
    }

    /// Hears when the company is closed or gone; closing does not wait for whoever holds it.
    pub(crate) fn hears_end(&self) -> watch::Receiver<()> {
        self.ended.subscribe()
    }

    /// The stored operation, or the refusal that a stranger gets.
    pub(crate) async fn read(&self, id: &OperationId) -> Result<Stored, Refusal> {
        let stored = self.store.read(&self.key(id)).await;
        let stored = stored.map_err(|error| unavailable(&error))?;
        let stored = stored.filter(|stored| stored.erased.is_none());
        let stored = stored.ok_or(Refusal::OperationNotFound)?;
        self.offered.remember(&stored, || self.claims_unseen(&stored));
        Ok(stored)
    }

    /// Whether nothing but the store has to be asked when this is confirmed.
    fn claims_unseen(&self, stored: &Stored) -> bool {
        let StoredRevision { schema_version, full, .. } = &stored.latest;
        let knows = |action: &Arc<dyn Action>| {
            // reading terms is the company's code, and nobody has confirmed anything
            let knows = catch_unwind(AssertUnwindSafe(|| action.knows(*schema_version, full)));
            !action.declaration().rechecks && knows.unwrap_or(false)
        };
        self.action(&stored.action).is_some_and(knows)
    }

    /// The same, for whoever is about to claim it: as it was read here before, if it would be claimed as that;
    /// whether it still is that, the claim finds out.
    pub(crate) async fn read_to_claim(
        &self,
        id: &OperationId,
        claims: impl Fn(&Stored) -> bool,
    ) -> Result<ToClaim, Refusal> {
        let offered = self.offered.take(self.key(id), self.clock.now());
        if let Some(offered) = offered.filter(claims) {
            return Ok(ToClaim { stored: offered, by_heart: true });
        }
        let stored = self.store.read_to_write(&self.key(id)).await;
        let stored = stored.map_err(|error| unavailable(&error))?;
        let stored = stored.ok_or(Refusal::OperationNotFound)?;
        Ok(ToClaim { stored, by_heart: false })
    }

    /// Puts the use of a proof on record for a request whose decision writes nothing else.
    pub(crate) async fn record(&self, proof: Option<&ProofUse>) -> Result<(), Refusal> {
        let Some(proof) = proof else { return Ok(()) };
        match self.store.record_proof(proof.clone()).await {
            Ok(Written::Replayed) => Err(Refusal::InvalidProof),
            Ok(Written::Done(_) | Written::NotNow) => Ok(()),
            Err(error) => Err(unavailable(&error)),
        }
    }

    /// Refuses, after the use of the proof is on record: a refused proof cannot be sent again.
    pub(crate) async fn refuse<T>(
        &self,
        proof: Option<&ProofUse>,
        refusal: Refusal,
    ) -> Result<T, Refusal> {
        self.record(proof).await?;
        Err(refusal)
    }
}

/// Whatever performs holds the engine, so nothing performs under its life any more: what a runtime broke
/// off when it ended can be asked about by the next company on the same store.
impl Drop for Engine {
    fn drop(&mut self) {
        let mut context = Context::from_waker(Waker::noop());
        // a store in this process has the write when it was polled once; one that is reached over a network
        // finds the life dead by itself, as after a crash
        let Some(life) = self.life() else { return };
        let polled = pin!(caught(self.store.end_life(life))).poll(&mut context);
        tracing::debug!(begun = polled.is_pending(), "the company is gone: its life ends");
    }
}

impl Debug for Engine {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("company", &self.company).finish_non_exhaustive()
    }
}

/// A store's error as a refusal: the operator gets the error, the caller may ask again.
pub(crate) fn unavailable(error: &store::Error) -> Refusal {
    match error.kind() {
        ErrorKind::NotWritten | ErrorKind::Unknown => {
            tracing::warn!(error = %error, source = ?std::error::Error::source(error), "the store did not answer");
            Refusal::Unavailable
        }
        ErrorKind::Corrupt => {
            tracing::error!(error = %error, "the store holds what this runtime did not write");
            Refusal::Broken
        }
    }
}

/// Random bytes for ids, tickets and lives.
///
/// # Errors
///
/// If the system has none to give: then nothing may be proposed or claimed.
pub(crate) fn random() -> Result<[u8; 16], Refusal> {
    let mut bytes = [0; 16];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => {
            tracing::error!(%error, "the system gives no random bytes");
            Err(Refusal::Unavailable)
        }
    }
}

pub(crate) fn ticket() -> Result<Ticket, Refusal> {
    random().map(Ticket)
}

/// A new operation id: the prefix and 128 random bits. Never issued twice.
pub(crate) fn new_id(prefix: &str) -> Result<OperationId, Refusal> {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut bits = u128::from_be_bytes(random()?);
    let mut id = format!("{prefix}_");
    for _ in 0..26 {
        let digit = usize::try_from(bits & 31).unwrap_or_default();
        id.push(DIGITS.get(digit).copied().map_or('0', char::from));
        bits >>= 5;
    }
    id.parse().map_err(|error| {
        tracing::error!(%error, "an operation id prefix is out of the identifiers' alphabet");
        Refusal::Broken
    })
}
