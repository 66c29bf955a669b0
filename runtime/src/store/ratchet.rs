//! Time as a store tells it: never before a moment that it has told.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use pap_protocol::value::Instant;

use crate::clock::Clock;

/// A clock that does not go back, so that what has expired stays expired.
#[derive(Debug)]
pub(super) struct Ratchet {
    clock: Arc<dyn Clock>,
    highest: AtomicI64,
}

impl Ratchet {
    /// Tells no moment before `floor`, the newest one on record.
    pub(super) fn above(floor: Instant, clock: Arc<dyn Clock>) -> Self {
        Self { clock, highest: AtomicI64::new(floor.as_millis()) }
    }
}

impl Clock for Ratchet {
    fn now(&self) -> Instant {
        let now = self.clock.now().as_millis();
        Instant::from_millis(self.highest.fetch_max(now, Ordering::SeqCst).max(now))
    }

    fn as_set(&self) -> Instant {
        self.clock.as_set()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::SetClock;

    /// Row E14
    #[test]
    fn a_clock_that_is_set_back_does_not_take_a_store_back() {
        let clock = SetClock::at(Instant::from_millis(5_000));
        let ratchet = Ratchet::above(Instant::from_millis(1_000), Arc::new(clock.clone()));
        assert_eq!(ratchet.now(), Instant::from_millis(5_000));
        clock.set(Instant::from_millis(2_000));
        assert_eq!(ratchet.now(), Instant::from_millis(5_000));
        assert_eq!(ratchet.as_set(), Instant::from_millis(2_000));
        clock.advance(Duration::from_secs(4));
        assert_eq!(ratchet.now(), Instant::from_millis(6_000));
    }

    #[test]
    fn a_store_that_is_opened_again_goes_on_from_the_newest_moment_on_record() {
        let clock = SetClock::at(Instant::from_millis(5_000));
        let ratchet = Ratchet::above(Instant::from_millis(9_000), Arc::new(clock));
        assert_eq!(ratchet.now(), Instant::from_millis(9_000));
    }
}
