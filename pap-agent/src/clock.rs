//! Where the time comes from: nothing else in this crate reads a clock or sleeps.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pap_protocol::value::Instant;

/// A wait that a [`Clock`] hands out.
pub type Wait<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// What tells the time and waits.
///
/// Tests implement it with a clock that they move; everything else uses [`SystemClock`].
pub trait Clock: Debug + Send + Sync {
    /// The moment it is.
    fn now(&self) -> Instant;

    /// Is over when `duration` has passed, never earlier.
    fn sleep(&self, duration: Duration) -> Wait<'_>;

    /// Is over when a request has had the time it is allowed: then it is given up.
    fn deadline(&self, allowed: Duration) -> Wait<'_> {
        self.sleep(allowed)
    }
}

/// The computer's clock, and tokio's timer.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else takes")]
    fn now(&self) -> Instant {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Instant::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn sleep(&self, duration: Duration) -> Wait<'_> {
        Box::pin(tokio::time::sleep(duration))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_system_clock_never_wakes_too_early() {
        let began = tokio::time::Instant::now();
        SystemClock.sleep(Duration::from_secs(3600)).await;
        assert!(began.elapsed() >= Duration::from_secs(3600));
        SystemClock.deadline(Duration::from_secs(30)).await;
        assert!(began.elapsed() >= Duration::from_secs(3630));
    }

    #[test]
    fn the_system_clock_tells_the_time() {
        let written: Instant = "2026-01-01T00:00:00Z".parse().unwrap();
        assert!(SystemClock.now() > written.saturating_sub(Duration::from_secs(2 * 365 * 86400)));
    }
}
