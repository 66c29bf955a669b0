//! One process of a node, as the store and its handlers see it: it can be held up and killed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

/// Whether a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    Yes,
    HeldUp,
    Killed,
}

/// One process. Whatever it does passes here, so that it can be cut short between any two of its effects on
/// the world: a call of the store, its answer, a request, its answer. What it still does inside reaches nobody.
#[derive(Debug)]
pub(super) struct Process {
    runs: Mutex<Runs>,
    disturbed: AtomicBool,
    changed: Notify,
}

impl Process {
    pub(super) fn new() -> Self {
        Self {
            runs: Mutex::new(Runs::Yes),
            disturbed: AtomicBool::new(false),
            changed: Notify::new(),
        }
    }

    pub(super) fn runs(&self) -> Runs {
        *self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it was ever held up, killed or closed.
    pub(super) fn was_disturbed(&self) -> bool {
        self.disturbed.load(Ordering::Relaxed)
    }

    pub(super) fn disturb(&self) {
        self.disturbed.store(true, Ordering::Relaxed);
    }

    /// Nothing brings a killed one back.
    pub(super) fn set(&self, to: Runs) {
        if to != Runs::Yes {
            self.disturb();
        }
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        if *runs != Runs::Killed {
            *runs = to;
        }
        drop(runs);
        // first come, first served: the order is the same in every run
        self.changed.notify_waiters();
    }

    /// Goes on while the process runs; never again once it was killed.
    pub(super) async fn goes_on(&self) {
        loop {
            let changed = self.changed.notified();
            match self.runs() {
                Runs::Yes => return,
                Runs::HeldUp => changed.await,
                Runs::Killed => std::future::pending().await,
            }
        }
    }
}
