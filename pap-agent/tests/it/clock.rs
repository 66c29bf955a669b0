//! A clock that the test moves. Sleeping moves it, and takes no time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pap_agent::{Clock, Wait};
use pap_protocol::value::Instant;
use tokio::sync::watch;

/// When every test begins.
pub(crate) const START: &str = "2026-10-08T19:04:00Z";

#[derive(Debug, Clone)]
pub(crate) struct SimClock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    now: Mutex<Instant>,
    slept: Mutex<Vec<Duration>>,
    /// Counts the requests that were given up.
    given_up: watch::Sender<u64>,
    /// While true, who sleeps goes on sleeping.
    held: watch::Sender<bool>,
    sleepers: watch::Sender<u32>,
}

impl SimClock {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Inner {
            now: Mutex::new(START.parse().unwrap()),
            slept: Mutex::default(),
            given_up: watch::Sender::new(0),
            held: watch::Sender::new(false),
            sleepers: watch::Sender::new(0),
        }))
    }

    pub(crate) fn advance(&self, duration: Duration) {
        let mut now = self.0.now.lock().unwrap();
        *now = now.saturating_add(duration);
    }

    /// Every sleep since the start, in seconds.
    pub(crate) fn slept_s(&self) -> Vec<u64> {
        self.0.slept.lock().unwrap().iter().map(Duration::as_secs).collect()
    }

    /// Lets every request that is waited for at this moment run out of time.
    pub(crate) fn give_up_requests(&self) {
        self.0.given_up.send_modify(|count| *count += 1);
    }

    /// From now on, nobody who sleeps wakes up.
    pub(crate) fn hold_sleepers(&self) {
        self.0.held.send_replace(true);
    }

    /// Is over when somebody sleeps.
    pub(crate) async fn somebody_sleeps(&self) {
        self.0.sleepers.subscribe().wait_for(|sleepers| *sleepers > 0).await.unwrap();
    }
}

impl Clock for SimClock {
    fn now(&self) -> Instant {
        *self.0.now.lock().unwrap()
    }

    fn sleep(&self, duration: Duration) -> Wait<'_> {
        Box::pin(async move {
            self.0.slept.lock().unwrap().push(duration);
            self.0.sleepers.send_modify(|sleepers| *sleepers += 1);
            self.0.held.subscribe().wait_for(|held| !held).await.unwrap();
            self.0.sleepers.send_modify(|sleepers| *sleepers -= 1);
            self.advance(duration);
        })
    }

    fn deadline(&self, _allowed: Duration) -> Wait<'_> {
        let mut given_up = self.0.given_up.subscribe();
        let before = *given_up.borrow();
        Box::pin(async move {
            given_up.wait_for(|count| *count > before).await.unwrap();
        })
    }
}
