//! A bench for one operation: propose, confirm, crash, reconcile, on a clock that the test moves.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use pap_protocol::extensions::ExtensionDescriptor;
use pap_protocol::operation::{ApprovedBy, ConfirmRequest, Operation};
use pap_protocol::value::Instant;

use super::crashing::{Crash, Crashing};
use crate::clock::SetClock;
use crate::company::Company;
use crate::operations::Operations;
use crate::private::Declared;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::memory::Memory;
use crate::store::{History, Store};

/// One operation of a company, run without HTTP on a store in memory.
///
/// The company's own state lives through every crash, as the systems behind it would: count in it how
/// often an effect happened.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// use pap_runtime::testing::{Bench, Crash};
/// use pap_runtime::{
///     Confirmed, Finding, Outcome, Retry, State, happened, not_seen_yet, operation, succeeded,
/// };
///
/// #[derive(Default)]
/// struct Shop {
///     notes: AtomicU32,
/// }
///
/// /// Adds a gift note to an order before it ships.
/// #[operation(action = "orders.gift_note", scopes = ["orders:write"],
///             summary = "Put the note “{note}” into order {order_id}.", terms = { order_id: String, note: String },
///             reconcile = note_is_there)]
/// async fn gift_note(shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
///     shop.notes.fetch_add(1, Ordering::SeqCst);
///     succeeded(format!("The note is in the parcel of {}.", op.terms.order_id), ())
/// }
///
/// async fn note_is_there(shop: &Shop, op: &Confirmed<GiftNoteTerms>) -> Result<Finding, Retry> {
///     if shop.notes.load(Ordering::SeqCst) == 0 {
///         return not_seen_yet();
///     }
///     happened(format!("The note is in the parcel of {}.", op.terms.order_id), ())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let mut bench = Bench::<gift_note>::new(Shop::default()).await?;
/// let note = GiftNoteTerms { order_id: "ord_7Hk2".into(), note: "Happy birthday".into() };
/// let proposed = bench.propose(note).await?;
///
/// // it dies when the note is in the parcel and nobody knows yet
/// bench.confirm_and_crash(&proposed, Crash::BeforeFinish).await?;
/// assert_eq!(bench.read(&proposed).await?.state, State::InProgress);
///
/// bench.reconcile().await?;
/// assert_eq!(bench.read(&proposed).await?.state, State::Succeeded);
/// assert_eq!(bench.state().notes.load(Ordering::SeqCst), 1);
/// # Ok(())
/// # }
/// ```
pub struct Bench<O: Declared> {
    state: Arc<O::State>,
    store: Arc<dyn Store>,
    clock: SetClock,
    session: Session,
    crashing: Arc<Crashing>,
    company: Company<O::State>,
}

impl<O: Declared> Bench<O> {
    /// A company with this one operation, and a signed-in Session that has its scopes.
    ///
    /// # Errors
    ///
    /// [`crate::company::StartError`], as [`crate::company::Builder::start`].
    pub async fn new(state: O::State) -> Result<Self, crate::company::StartError> {
        let state = Arc::new(state);
        let clock = SetClock::at(Instant::from_millis(1_759_950_000_000));
        let store: Arc<dyn Store> = Arc::new(Memory::on_clock(Arc::new(clock.clone())));
        let session = Session::new("ses_bench", "https://juniper.example/agent.json", "usr_ada")
            .signed_in("acc_ada", O::OPERATION.scopes.iter().copied())
            .with_extensions(BTreeMap::from([(
                "operations".to_owned(),
                ExtensionDescriptor::new("1"),
            )]));
        let (crashing, company) = life::<O>(&state, &store).await?;
        Ok(Self { state, store, clock, session, crashing, company })
    }

    /// The company's state.
    pub fn state(&self) -> &O::State {
        &self.state
    }

    /// The company as it runs now.
    pub fn company(&self) -> &Company<O::State> {
        &self.company
    }

    /// The Session that the bench asks with.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Proposes.
    ///
    /// # Errors
    ///
    /// As [`Company::propose`].
    pub async fn propose(&self, request: O::Request) -> Result<Operation, Refusal> {
        self.company.propose::<O>(&self.session, request).await
    }

    /// Confirms this operation's revision, with the User's approval.
    ///
    /// # Errors
    ///
    /// As [`Company::confirm`].
    pub async fn confirm(&self, operation: &Operation) -> Result<Operation, Refusal> {
        let request = ConfirmRequest::new(operation.revision, ApprovedBy::User);
        self.company.confirm(&self.session, operation.operation_id.as_str(), request).await
    }

    /// Confirms, and lets the process die at `point`; a new process is up when this returns. If the
    /// point is never reached, this answers what the confirm did.
    ///
    /// # Errors
    ///
    /// As [`Company::confirm`] where the point is not reached, and as [`Bench::new`].
    pub async fn confirm_and_crash(
        &mut self,
        operation: &Operation,
        point: Crash,
    ) -> Result<Option<Operation>, Box<dyn std::error::Error + Send + Sync>> {
        self.crashing.crash_at(point);
        let answered = tokio::select! {
            answered = self.confirm(operation) => Some(answered?),
            () = self.crashing.until_dead() => None,
        };
        if answered.is_none() {
            self.restart().await?;
        }
        Ok(answered)
    }

    /// A new process on the same store: the old life has ended, and nothing of it goes on.
    ///
    /// # Errors
    ///
    /// As [`Bench::new`].
    pub async fn restart(&mut self) -> Result<(), crate::company::StartError> {
        if let Some(life) = self.company.engine.life() {
            let ended = self.store.end_life(life).await;
            debug_assert!(ended.is_ok(), "the store in memory always answers");
        }
        (self.crashing, self.company) = life::<O>(&self.state, &self.store).await?;
        Ok(())
    }

    /// Asks about every operation whose outcome is unknown and whose time has come.
    ///
    /// # Errors
    ///
    /// As [`Company::ask_due`].
    pub async fn reconcile(&self) -> Result<usize, Refusal> {
        self.company.ask_due().await
    }

    /// Reads the operation.
    ///
    /// # Errors
    ///
    /// As [`Company::read`].
    pub async fn read(&self, operation: &Operation) -> Result<Operation, Refusal> {
        self.company.read(&self.session, operation.operation_id.as_str()).await
    }

    /// Cancels the operation.
    ///
    /// # Errors
    ///
    /// As [`Company::cancel`].
    pub async fn cancel(&self, operation: &Operation) -> Result<Operation, Refusal> {
        self.company.cancel(&self.session, operation.operation_id.as_str()).await
    }

    /// Everything on record about the operation.
    ///
    /// # Errors
    ///
    /// As [`Company::history`].
    pub async fn history(&self, operation: &Operation) -> Result<History, Refusal> {
        self.company.history(&operation.operation_id).await
    }
}

async fn life<O: Declared>(
    state: &Arc<O::State>,
    store: &Arc<dyn Store>,
) -> Result<(Arc<Crashing>, Company<O::State>), crate::company::StartError> {
    let crashing = Arc::new(Crashing::around(Arc::clone(store)));
    let shared: Arc<dyn Store> = Arc::<Crashing>::clone(&crashing);
    let builder = Company::builder_around(Arc::clone(state))
        .name("Bench")
        .origin("https://bench.example")
        .shared_store(shared)
        .operations(Operations::new().with::<O>());
    // the test says when to ask
    let (company, _asking) = builder.assemble().await?;
    Ok((crashing, company))
}

impl<O: Declared> std::fmt::Debug for Bench<O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bench").field("action", &O::OPERATION.action).finish_non_exhaustive()
    }
}
