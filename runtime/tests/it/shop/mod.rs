//! A shop whose exchange does what a test says, and counts its effects.

mod answer;
mod log;
mod operations;
mod street;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

pub use answer::Answer;
pub use log::Log;
pub use operations::{Exchange, ExchangeRequest, ExchangeTerms, GiftNoteTerms, gift_note};
pub use street::{LOOKS, Street, clock, open_when_free};

pub const ORIGIN: &str = "https://api.example.com";
pub const EXCHANGES: &str = "https://api.example.com/orders/ord_7Hk2/exchanges";
pub const OPERATIONS: &str = "https://api.example.com/poppy/operations";
pub const JACKET: &str = r#"{ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" }"#;
pub const BY_USER: &str = r#"{ "revision": 1, "approved_by": "user" }"#;
pub const BY_PERMISSION: &str = r#"{ "revision": 1, "approved_by": "standing_permission" }"#;

/// What `perform` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Succeed,
    Decline,
    FailPartway,
    Unknown,
    HandOver,
    Panic,
    /// Waits until the test lets it go, then succeeds.
    Wait,
    /// Waits until the User asks to stop, then stops.
    WaitForStop,
    /// Puts a checkpoint on record, then effects.
    Remember,
    /// Notes a change, then says that nothing was changed.
    Contradict,
    /// Puts a checkpoint on record, then hands over.
    RememberAndHandOver,
    /// Waits until the test lets it go, then puts a checkpoint on record, then effects.
    WaitThenRemember,
}

/// What `reconcile` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Find {
    Happened,
    Partly,
    FencedDownstream,
    FencedByCheckpoint,
    /// Answers the checkpoint's fence without looking.
    Mistaken,
    NotSeenYet,
    Error,
    Panic,
    /// Never answers.
    Hang,
}

/// What `recheck` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Same,
    Dearer,
    Gone,
    NotOffered,
    Error,
    Panic,
}

/// What `stop` answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stops {
    Asked,
    Cannot,
    FencedDownstream,
    FencedByCheckpoint,
    Error,
    Panic,
}

#[derive(Debug)]
pub struct Shop {
    pub effects: AtomicU32,
    pub proposals: AtomicU32,
    pub asks: AtomicU32,
    pub stops: AtomicU32,
    pub act: Mutex<Act>,
    pub finds: Mutex<VecDeque<Find>>,
    pub look: Mutex<Look>,
    pub stop: Mutex<Stops>,
    /// The ids that `propose` was given, one for each call.
    pub proposing: Mutex<Vec<String>>,
    pub price: Mutex<&'static str>,
    pub performed: Mutex<Vec<String>>,
    pub let_go: Notify,
    pub started: Notify,
}

impl Shop {
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            effects: AtomicU32::new(0),
            proposals: AtomicU32::new(0),
            asks: AtomicU32::new(0),
            stops: AtomicU32::new(0),
            act: Mutex::new(Act::Succeed),
            finds: Mutex::default(),
            look: Mutex::new(Look::Same),
            stop: Mutex::new(Stops::Asked),
            proposing: Mutex::default(),
            price: Mutex::new("70.00"),
            performed: Mutex::default(),
            let_go: Notify::new(),
            started: Notify::new(),
        })
    }

    pub fn act(&self, act: Act) {
        *self.act.lock().unwrap() = act;
    }

    pub fn find(&self, finds: &[Find]) {
        *self.finds.lock().unwrap() = finds.iter().copied().collect();
    }

    pub fn look(&self, look: Look) {
        *self.look.lock().unwrap() = look;
    }

    pub fn stop(&self, stop: Stops) {
        *self.stop.lock().unwrap() = stop;
    }

    pub fn stops(&self) -> u32 {
        self.stops.load(Ordering::SeqCst)
    }

    pub fn effects(&self) -> u32 {
        self.effects.load(Ordering::SeqCst)
    }

    pub fn proposals(&self) -> u32 {
        self.proposals.load(Ordering::SeqCst)
    }

    fn effect(&self, terms: &ExchangeTerms) {
        self.effects.fetch_add(1, Ordering::SeqCst);
        self.performed.lock().unwrap().push(terms.replacement_sku.clone());
    }
}
