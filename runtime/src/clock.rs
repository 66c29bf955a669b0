//! The only place that reads the time.

use std::fmt::Debug;
use std::sync::Arc;
#[cfg(feature = "postgres")]
use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use pap_protocol::value::Instant;

/// What time it is. Clocks decide when a proposal has expired and when to ask again, never whether an
/// action may be performed.
pub trait Clock: Send + Sync + Debug + 'static {
    /// The moment, in milliseconds.
    fn now(&self) -> Instant;

    /// The moment as the machine's clock is set, which can be before one that [`Clock::now`] has told: what
    /// was made by another machine's clock, such as a proof, is compared with this.
    fn as_set(&self) -> Instant {
        self.now()
    }
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else takes")]
    fn now(&self) -> Instant {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let millis = since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
        Instant::from_millis(millis)
    }
}

/// The machine's clock as it was set when this process looked first, and on evenly from there: whoever sets the
/// machine's clock does not move it.
#[cfg(feature = "postgres")]
pub(crate) fn steady() -> Instant {
    static FIRST: LazyLock<(Instant, std::time::Instant)> =
        LazyLock::new(|| (SystemClock.now(), std::time::Instant::now()));
    let (set, looked) = *FIRST;
    set.saturating_add(looked.elapsed())
}

/// A clock that a test moves.
#[derive(Debug, Clone)]
pub struct SetClock(Arc<AtomicI64>);

impl SetClock {
    /// Stands at this moment until it is moved.
    pub fn at(now: Instant) -> Self {
        Self(Arc::new(AtomicI64::new(now.as_millis())))
    }

    /// Moves it forward.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.0.fetch_add(by, Ordering::SeqCst);
    }

    /// Sets it, also back.
    pub fn set(&self, to: Instant) {
        self.0.store(to.as_millis(), Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Instant {
        Instant::from_millis(self.0.load(Ordering::SeqCst))
    }
}
