//! How long to wait before the store is asked again.

use std::time::Duration;

/// Doubling waits from 20 ms to 5 s.
#[derive(Debug)]
pub(crate) struct Backoff {
    next: Duration,
}

impl Backoff {
    pub(crate) fn new() -> Self {
        Self { next: Duration::from_millis(20) }
    }

    pub(crate) async fn pause(&mut self) {
        tokio::time::sleep(self.next).await;
        self.next = self.next.saturating_mul(2).min(Duration::from_secs(5));
    }
}
