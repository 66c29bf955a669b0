//! The system behind, with a ledger of its own: it counts effects independently of the engine.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::process::Process;
use super::steps::{Asked, Way};

/// The system behind.
#[derive(Debug, Default)]
pub(super) struct Downstream {
    orders: Mutex<BTreeMap<String, Order>>,
    ways: Mutex<BTreeMap<u64, Way>>,
}

/// What happened of one order.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    /// How often `perform` was called.
    pub(super) started: u32,
    /// How often it took effect.
    pub(super) effects: u32,
    /// In which size.
    pub(super) size: Option<u64>,
    /// Whether it is refused from now on.
    pub(super) voided: bool,
    /// Which process noted it.
    pub(super) noted_by: Option<Arc<Process>>,
    /// Whether somebody found out and said so.
    pub(super) settled: bool,
    /// Requests on their way.
    pub(super) on_the_way: u32,
    /// Revisions whose item was let go.
    pub(super) let_go: BTreeSet<u32>,
    asked: u32,
    told: u32,
}

impl Downstream {
    /// The order of this operation as it stands.
    pub(super) fn order(&self, id: &str) -> Order {
        lock(&self.orders).get(id).cloned().unwrap_or_default()
    }

    fn change<T>(&self, id: &str, change: impl FnOnce(&mut Order) -> T) -> T {
        change(lock(&self.orders).entry(id.to_owned()).or_default())
    }

    /// How an item's orders go: as was said with its first.
    pub(super) fn goes(&self, item: u64, way: Way) {
        lock(&self.ways).entry(item).or_insert(way);
    }

    pub(super) fn way(&self, item: u64) -> Option<Way> {
        lock(&self.ways).get(&item).copied()
    }

    pub(super) fn started(&self, id: &str) {
        self.change(id, |order| order.started += 1);
    }

    pub(super) fn noted(&self, id: &str, by: &Arc<Process>) {
        self.change(id, |order| order.noted_by = Some(Arc::clone(by)));
    }

    pub(super) fn settled(&self, id: &str) {
        self.change(id, |order| order.settled = true);
    }

    /// Sends a request. It arrives whatever becomes of its sender; the answer says whether it took effect.
    pub(super) fn send(
        self: &Arc<Self>,
        id: &str,
        size: u64,
        transit: u64,
    ) -> oneshot::Receiver<bool> {
        let (tell, told) = oneshot::channel();
        self.change(id, |order| order.on_the_way += 1);
        let (downstream, id) = (Arc::clone(self), id.to_owned());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(transit)).await;
            let took_effect = downstream.change(&id, |order| {
                order.on_the_way -= 1;
                if !order.voided {
                    order.effects += 1;
                    order.size = Some(size);
                }
                !order.voided
            });
            // its sender may be gone
            let _heard = tell.send(took_effect).is_ok();
        });
        told
    }

    /// Refuses the order from now on, and says whether it has taken effect.
    pub(super) fn void(&self, id: &str) -> bool {
        self.change(id, |order| {
            order.voided = true;
            order.effects > 0
        })
    }

    /// What this question comes to.
    pub(super) fn asked(&self, id: &str, way: Way) -> Asked {
        let before = self.change(id, |order| {
            order.asked += 1;
            order.asked - 1
        });
        trouble(way, before)
    }

    /// What telling of a release comes to.
    pub(super) fn told(&self, id: &str, way: Way) -> Asked {
        let before = self.change(id, |order| {
            order.told += 1;
            order.told - 1
        });
        trouble(way, before)
    }

    pub(super) fn lets_go(&self, id: &str, revision: u32) {
        self.change(id, |order| order.let_go.insert(revision));
    }
}

fn trouble(way: Way, before: u32) -> Asked {
    let times = match way.asked {
        Asked::Truth => 0,
        Asked::Panic | Asked::Hang => 1,
        Asked::Errors | Asked::NotSeen => 2,
    };
    if before < times { way.asked } else { Asked::Truth }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
