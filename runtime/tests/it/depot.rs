//! A company whose questions are answered truthfully, so that what the engine reports can be compared
//! with what happened.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pap_runtime::{
    Confirmed, Fence, Finding, NotOffered, Outcome, Proposal, Retry, Shape, StopAnswer, Terms,
    did_not_and_cannot, failed_after, failed_unchanged, handed_over, happened, not_seen_yet,
    operation, partly, stopped_after, stopped_unchanged, succeeded, unknown,
};
use serde::{Deserialize, Serialize};

pub const CHARGED: &str = "The card was charged once.";
/// Longer than a handler may take before it is asked about.
const SLOW: Duration = Duration::from_secs(100);

/// What `perform` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Checkpoint, charge, note, send, succeed.
    Straight,
    /// The same without a checkpoint.
    Unfenced,
    /// Fails before anything happened.
    Decline,
    /// Charges and fails.
    FailPartway,
    /// Charges, and says that nothing was changed.
    Contradict,
    /// Charges and sends, and does not know it.
    LoseAnswer,
    /// Charges and panics.
    Panic,
    /// Charges, and is slow beyond its time.
    Slow,
    /// Is slow beyond its time, then does everything behind its checkpoint.
    LateStart,
    /// Charges, and lets people send it.
    HandOver,
    /// Waits to be stopped.
    Stoppable,
    /// Waits to be stopped after it charged.
    StoppableAfter,
}

#[derive(Debug, Default)]
struct Books {
    orders: HashMap<String, Seen>,
    process: u32,
}

/// What happened of one order.
#[derive(Debug, Default, Clone)]
pub struct Seen {
    pub started: usize,
    pub charged: usize,
    pub sent: usize,
    pub sku: Option<String>,
    voided: bool,
    /// Which process performs.
    by: u32,
}

#[derive(Debug)]
pub struct Depot {
    act: Act,
    books: Mutex<Books>,
}

impl Depot {
    pub fn new(act: Act) -> Arc<Self> {
        Arc::new(Self { act, books: Mutex::default() })
    }

    /// What happened of this order.
    pub fn seen(&self, id: &str) -> Seen {
        self.books.lock().unwrap().orders.get(id).cloned().unwrap_or_default()
    }

    /// From now on another process runs; handlers of the one before go no further.
    pub fn restart(&self) {
        self.books.lock().unwrap().process += 1;
    }

    fn start(&self, id: &str) {
        let mut books = self.books.lock().unwrap();
        let process = books.process;
        let order = books.orders.entry(id.to_owned()).or_default();
        order.started += 1;
        order.by = process;
    }

    fn lives(&self, id: &str) -> bool {
        let books = self.books.lock().unwrap();
        books.orders.get(id).is_some_and(|order| order.by == books.process)
    }

    /// A handler of a process that is gone never goes on.
    async fn go_on(&self, id: &str) {
        if !self.lives(id) {
            std::future::pending::<()>().await;
        }
    }

    fn charge(&self, id: &str) -> bool {
        let mut books = self.books.lock().unwrap();
        let order = books.orders.get_mut(id).unwrap();
        order.charged += usize::from(!order.voided);
        !order.voided
    }

    fn send(&self, id: &str, sku: &str) {
        let mut books = self.books.lock().unwrap();
        let order = books.orders.get_mut(id).unwrap();
        order.sent += 1;
        order.sku = Some(sku.to_owned());
    }

    fn void(&self, id: &str) {
        self.books.lock().unwrap().orders.entry(id.to_owned()).or_default().voided = true;
    }
}

#[derive(Debug, Serialize, Deserialize, Shape)]
pub struct OrderRequest {
    pub item: String,
    pub sku: String,
}

#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(summary = "Send {sku} for {item}.")]
pub struct OrderTerms {
    pub item: String,
    pub sku: String,
}

#[derive(Debug, Serialize, Deserialize, Shape)]
pub struct Sent {
    pub sku: String,
}

pub enum Order {}

/// Sends an item.
#[operation(action = "depot.order", route = "POST /items/{item}/orders", scopes = ["orders:write"],
            identity(item), expires_in = "15m")]
impl Order {
    async fn propose(
        _depot: &Arc<Depot>,
        request: OrderRequest,
    ) -> Result<Proposal<OrderTerms>, NotOffered> {
        Ok(Proposal::new(OrderTerms { item: request.item, sku: request.sku }))
    }

    async fn perform(depot: &Arc<Depot>, op: Confirmed<OrderTerms>) -> Outcome<Sent> {
        let (id, act) = (op.id().as_str(), depot.act);
        depot.start(id);
        if act == Act::Decline {
            return failed_unchanged("The card was declined.");
        }
        if act == Act::Stoppable {
            op.until_stop_requested().await;
            depot.go_on(id).await;
            return stopped_unchanged("Stopped as you asked.");
        }
        if act == Act::LateStart {
            tokio::time::sleep(SLOW).await;
        }
        depot.go_on(id).await;
        if act != Act::Unfenced {
            op.remember("payment", &1).await?;
        }
        if !depot.charge(id) {
            return failed_unchanged("The payment was voided.");
        }
        op.note_change(CHARGED).await;
        match act {
            Act::FailPartway => return failed_after([CHARGED], "It could not be sent."),
            Act::Contradict => return failed_unchanged("It could not be sent."),
            Act::Panic => panic!("the company's own"),
            Act::Slow => tokio::time::sleep(SLOW).await,
            Act::HandOver => return handed_over("people", Duration::from_secs(30)),
            Act::StoppableAfter => {
                op.until_stop_requested().await;
                depot.go_on(id).await;
                return stopped_after([CHARGED], "Stopped as you asked.");
            }
            Act::Straight | Act::Unfenced | Act::LoseAnswer | Act::LateStart => {}
            Act::Decline | Act::Stoppable => unreachable!("it has ended"),
        }
        depot.go_on(id).await;
        depot.send(id, &op.terms.sku);
        if act == Act::LoseAnswer {
            return unknown("the answer was lost");
        }
        succeeded("It is on its way.", Sent { sku: op.terms.sku.clone() })
    }

    async fn reconcile(
        depot: &Arc<Depot>,
        op: &Confirmed<OrderTerms>,
    ) -> Result<Finding<Sent>, Retry> {
        tokio::task::yield_now().await;
        let (id, act) = (op.id().as_str(), depot.act);
        let seen = depot.seen(id);
        if seen.sent > 0 {
            return happened("It had been sent.", Sent { sku: op.terms.sku.clone() });
        }
        if seen.charged > 0 && depot.lives(id) && matches!(act, Act::Slow | Act::StoppableAfter) {
            return not_seen_yet();
        }
        if seen.charged > 0 {
            // people look, and send nothing
            return partly([CHARGED], "It was not sent, and will not be.");
        }
        if act != Act::Unfenced && op.recalled::<u32>("payment")?.is_none() {
            return did_not_and_cannot(Fence::checkpoint("payment"));
        }
        depot.void(id);
        did_not_and_cannot(Fence::downstream("the payment's key was voided"))
    }

    async fn stop(_depot: &Arc<Depot>, _op: &Confirmed<OrderTerms>) -> Result<StopAnswer, Retry> {
        tokio::task::yield_now().await;
        Ok(StopAnswer::asked())
    }
}
