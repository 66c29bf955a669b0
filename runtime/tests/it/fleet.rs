//! Several processes of one company on one store, each with its own place in the fleet.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pap_runtime::clock::SetClock;
use pap_runtime::company::Builder;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::{Key, Running, Store, Stored};
use pap_runtime::{
    ApprovedBy, Company, ConfirmRequest, Confirmed, ExtensionDescriptor, Finding, NotOffered,
    Operation, OperationId, Outcome, Proposal, Refusal, Released, ReleasedBecause, Retry, Session,
    Shape, State, Terms, happened, not_seen_yet, operation, operations, succeeded,
};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::shop::{LOOKS, ORIGIN, clock};

pub const ACTION: &str = "fleet.rent";

/// What all processes share downstream.
#[derive(Debug, Default)]
pub struct Yard {
    pub effects: AtomicU32,
    pub running: AtomicU32,
    pub most_running: AtomicU32,
    pub asking: AtomicU32,
    pub most_asking: AtomicU32,
    /// Handlers wait for `let_go`.
    pub slow: AtomicBool,
    pub let_go: Notify,
    pub started: Notify,
    /// What was let go of.
    pub released: Mutex<Vec<(String, u32, ReleasedBecause)>>,
    /// So many more releases fail.
    pub refuses: AtomicU32,
    /// Whoever is told of a release never answers.
    pub hangs: AtomicBool,
    /// How many are told at this moment, and the most that were.
    pub telling: AtomicU32,
    pub most_telling: AtomicU32,
}

impl Yard {
    pub fn effects(&self) -> u32 {
        self.effects.load(Ordering::SeqCst)
    }

    pub fn released(&self) -> Vec<(String, u32, ReleasedBecause)> {
        self.released.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// One that is being told of a release, for as long as it is.
struct Told(Arc<Yard>);

impl Told {
    fn begins(yard: &Arc<Yard>) -> Self {
        let telling = yard.telling.fetch_add(1, Ordering::SeqCst) + 1;
        yard.most_telling.fetch_max(telling, Ordering::SeqCst);
        Self(Arc::clone(yard))
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        self.0.telling.fetch_sub(1, Ordering::SeqCst);
    }
}

#[derive(Debug, Serialize, Deserialize, Shape)]
pub struct RentRequest {
    pub car: String,
    pub days: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize, Terms)]
#[terms(summary = "Rent {car} for {days} days.")]
pub struct RentTerms {
    pub car: String,
    pub days: u32,
}

pub enum Rent {}

/// Rents a car.
#[operation(action = "fleet.rent", route = "POST /cars/{car}/rents", scopes = ["rent"], identity(car),
            expires_in = "15m", retain_for = "30d")]
impl Rent {
    async fn propose(
        _yard: &Arc<Yard>,
        request: RentRequest,
    ) -> Result<Proposal<RentTerms>, NotOffered> {
        Ok(Proposal::new(RentTerms { car: request.car, days: request.days }))
    }

    async fn perform(yard: &Arc<Yard>, op: Confirmed<RentTerms>) -> Outcome {
        let running = yard.running.fetch_add(1, Ordering::SeqCst) + 1;
        yard.most_running.fetch_max(running, Ordering::SeqCst);
        yard.started.notify_one();
        if yard.slow.load(Ordering::SeqCst) {
            yard.let_go.notified().await;
        } else {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        yard.effects.fetch_add(1, Ordering::SeqCst);
        yard.running.fetch_sub(1, Ordering::SeqCst);
        succeeded(format!("{} is yours.", op.terms.car), ())
    }

    async fn reconcile(yard: &Arc<Yard>, _op: &Confirmed<RentTerms>) -> Result<Finding, Retry> {
        let asking = yard.asking.fetch_add(1, Ordering::SeqCst) + 1;
        yard.most_asking.fetch_max(asking, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(50)).await;
        yard.asking.fetch_sub(1, Ordering::SeqCst);
        if yard.effects() == 0 {
            return not_seen_yet();
        }
        happened("It had been rented.", ())
    }

    async fn released(yard: &Arc<Yard>, op: &Released<RentTerms>) -> Result<(), Retry> {
        if yard.refuses.load(Ordering::SeqCst) > 0 {
            yard.refuses.fetch_sub(1, Ordering::SeqCst);
            return Err(Retry::because("the yard is closed"));
        }
        if yard.hangs.load(Ordering::SeqCst) {
            let _told = Told::begins(yard);
            std::future::pending::<()>().await;
        }
        let told = (op.terms.car.clone(), op.terms.days, op.why());
        yard.released.lock().unwrap().push(told);
        Ok(())
    }
}

/// Washes a car.
#[operation(action = "fleet.wash", route = "POST /cars/{car}/washes", scopes = ["rent"],
            summary = "Wash {car}.", terms = { car: String }, reconcile = operator)]
pub async fn wash(yard: &Arc<Yard>, op: Confirmed<WashTerms>) -> Outcome {
    yard.effects.fetch_add(1, Ordering::SeqCst);
    succeeded(format!("{} is clean.", op.terms.car), ())
}

/// One process.
pub type Node = Company<Arc<Yard>>;

pub struct Fleet {
    pub yard: Arc<Yard>,
    pub clock: SetClock,
    pub store: Arc<dyn Store>,
    pub ada: Session,
}

impl Fleet {
    pub fn new() -> Self {
        let clock = clock();
        let store = Arc::new(Memory::on_clock(Arc::new(clock.clone())));
        Self::on(store, clock)
    }

    pub fn on(store: Arc<dyn Store>, clock: SetClock) -> Self {
        let ada = Session::new("ses_1", "https://juniper.example/agent.json", "ada")
            .signed_in("acc_ada", ["rent"])
            .with_extensions([("operations".to_owned(), ExtensionDescriptor::new("1"))].into());
        Self { yard: Arc::default(), clock, store, ada }
    }

    /// One more process, with these settings.
    pub async fn node(&self, set: impl FnOnce(Builder<Arc<Yard>>) -> Builder<Arc<Yard>>) -> Node {
        let builder = Company::builder(self.yard.clone())
            .name("Fleet")
            .origin(ORIGIN)
            .shared_store(self.store.clone())
            .operations(operations![Rent, wash]);
        set(builder).start().await.unwrap()
    }

    pub async fn propose(&self, node: &Node, car: &str, days: u32) -> Operation {
        let request = RentRequest { car: car.to_owned(), days };
        node.propose::<Rent>(&self.ada, request).await.unwrap()
    }

    pub async fn confirm(&self, node: &Node, id: &OperationId) -> Result<Operation, Refusal> {
        let request = ConfirmRequest::new(pap_runtime::Revision::FIRST, ApprovedBy::User);
        node.confirm(&self.ada, id.as_str(), request).await
    }

    /// Proposes and confirms in a task of its own.
    pub async fn renting(
        &self,
        node: &Node,
        car: &str,
    ) -> (OperationId, tokio::task::JoinHandle<Result<Operation, Refusal>>) {
        let id = self.propose(node, car, 1).await.operation_id;
        let (node, ada, own) = (node.clone(), self.ada.clone(), id.clone());
        let request = ConfirmRequest::new(pap_runtime::Revision::FIRST, ApprovedBy::User);
        let task = tokio::spawn(async move { node.confirm(&ada, own.as_str(), request).await });
        (id, task)
    }

    pub async fn stored(&self, id: &OperationId) -> Stored {
        let key = Key { company: "Fleet".to_owned(), id: id.clone() };
        self.store.read(&key).await.unwrap().unwrap()
    }

    pub async fn running(&self, id: &OperationId) -> Running {
        self.stored(id).await.running.unwrap()
    }

    /// Waits until it is final, for as long as a test may take.
    pub async fn ended(&self, id: &OperationId) -> Stored {
        self.until(id, |stored| stored.state.is_final()).await
    }

    /// Waits until the record says so.
    pub async fn until(&self, id: &OperationId, says: impl Fn(&Stored) -> bool) -> Stored {
        for _ in 0..LOOKS {
            let stored = self.stored(id).await;
            if says(&stored) {
                return stored;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("{id} is still {:?}", self.stored(id).await.running);
    }
}

/// Waits until this holds, for as long as a test may take.
pub async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("never: {what}");
}

/// Whether it waits to be started.
pub fn is_deferred(stored: &Stored) -> bool {
    stored.state == State::InProgress
        && stored.running.as_ref().is_some_and(|running| running.life.is_none())
}
