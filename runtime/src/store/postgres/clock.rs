//! The server's clock, as this process can tell it without asking.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use pap_protocol::value::Instant;

use crate::clock::{Clock, SystemClock, steady};

/// Tells about what time it is at the server. Every condition of a write is judged by the server itself;
/// this is for planning when to ask, and never goes back.
#[derive(Debug)]
pub(super) struct ServerClock {
    /// What the server is told instead, in a test.
    told: Option<Arc<dyn Clock>>,
    /// The server's clock is so far ahead of this process's own, which nobody sets.
    offset: AtomicI64,
    /// The newest moment that the server told.
    seen: AtomicI64,
    /// The newest moment that was told here.
    highest: AtomicI64,
}

impl ServerClock {
    /// A clock that is measured by what the server answers.
    pub(super) fn new(told: Option<Arc<dyn Clock>>) -> Self {
        let (offset, seen, highest) = (AtomicI64::new(0), AtomicI64::new(0), AtomicI64::new(0));
        Self { told, offset, seen, highest }
    }

    /// The moment that a test tells the server.
    pub(super) fn told(&self) -> Option<i64> {
        self.told.is_some().then(|| self.now().as_millis())
    }

    /// What [`ServerClock::told`] is set to now.
    pub(super) fn told_as_set(&self) -> Option<i64> {
        self.told.as_ref().map(|told| told.as_set().as_millis())
    }

    /// This machine's clock as it is set, or what a test tells: for what has to be over by every clock at hand.
    pub(super) fn here_as_set(&self) -> i64 {
        self.told_as_set().unwrap_or_else(|| SystemClock.now().as_millis())
    }

    /// The newest moment that the server told: it decides by none before.
    pub(super) fn seen(&self) -> i64 {
        self.seen.load(Ordering::SeqCst)
    }

    /// This process's clock, for [`ServerClock::heard`].
    pub(super) fn sending() -> Instant {
        steady()
    }

    /// The server told this moment, in an answer to what was sent then. It decides by none before the newest
    /// that was seen: only a newer one says how its clock is set.
    pub(super) fn heard(&self, sent: Instant, at_server: Instant) {
        let at_server = at_server.as_millis();
        if self.seen.fetch_max(at_server, Ordering::SeqCst) < at_server {
            self.follow(sent, at_server);
        }
    }

    /// The server told how its clock is set, which can be before a moment that was seen.
    pub(super) fn measured(&self, sent: Instant, as_set: Instant) {
        if self.told.is_none() {
            self.seen.fetch_max(as_set.as_millis(), Ordering::SeqCst);
        }
        self.follow(sent, as_set.as_millis());
    }

    /// Between sending and now it was this late at the server. The offset is moved only when it cannot be
    /// right, and no further than that.
    fn follow(&self, sent: Instant, at_server: i64) {
        if self.told.is_some() {
            return;
        }
        let received = Self::sending().as_millis().max(sent.as_millis());
        let (least, most) = (at_server - received, at_server - sent.as_millis());
        let offset = self.offset.load(Ordering::SeqCst);
        self.offset.store(offset.clamp(least, most), Ordering::SeqCst);
    }

    /// No moment before this one is told: it is on record.
    pub(super) fn go_on_from(&self, newest: Instant) {
        self.seen.fetch_max(newest.as_millis(), Ordering::SeqCst);
        self.highest.fetch_max(newest.as_millis(), Ordering::SeqCst);
    }
}

impl Clock for ServerClock {
    fn now(&self) -> Instant {
        let now = self.as_set().as_millis().max(self.seen());
        Instant::from_millis(self.highest.fetch_max(now, Ordering::SeqCst).max(now))
    }

    fn as_set(&self) -> Instant {
        if let Some(told) = &self.told {
            return told.as_set();
        }
        let here = Self::sending().as_millis();
        Instant::from_millis(here.saturating_add(self.offset.load(Ordering::SeqCst)))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::SetClock;

    #[test]
    fn a_server_that_is_ahead_is_followed() {
        let clock = ServerClock::new(None);
        let sent = ServerClock::sending();
        let ahead = sent.saturating_add(Duration::from_secs(3_600));
        clock.heard(sent, ahead);
        assert!(clock.now() >= ahead);
        assert!(clock.now() < ahead.saturating_add(Duration::from_secs(60)));
        assert_eq!(clock.seen(), ahead.as_millis());
    }

    #[test]
    fn a_server_that_is_set_back_does_not_take_a_store_back() {
        let clock = ServerClock::new(None);
        let sent = ServerClock::sending();
        let ahead = sent.saturating_add(Duration::from_secs(3_600));
        clock.heard(sent, ahead);
        let told = clock.now();
        clock.measured(ServerClock::sending(), sent);
        assert!(clock.now() >= told, "what was told stays told");
        assert_eq!(clock.seen(), ahead.as_millis(), "and the server decides by none before");
        assert!(clock.as_set() < ahead, "proofs are compared with the clock as it is set");
        clock.heard(ServerClock::sending(), ahead);
        assert!(
            clock.as_set() < ahead,
            "a moment that was seen before says nothing of how it is set"
        );
    }

    #[test]
    fn a_test_tells_the_server_a_moment_that_never_goes_back() {
        let set = SetClock::at(Instant::from_millis(5_000));
        let clock = ServerClock::new(Some(Arc::new(set.clone())));
        assert_eq!(clock.told(), Some(5_000));
        set.set(Instant::from_millis(1_000));
        assert_eq!(clock.told(), Some(5_000));
        assert_eq!(clock.as_set(), Instant::from_millis(1_000));
    }
}
