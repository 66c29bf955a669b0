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
