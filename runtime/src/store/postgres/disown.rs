//! Claims that are, or may become, on record as performed, and that nobody may perform.

use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use super::base::Base;
use super::bound::Bound;
use super::failure::Failure;
use crate::store::{Key, Ticket};

/// A claim whose statement may still run at the server is looked for so long. After that it is found as
/// after a crash, when this life has ended.
const MAY_STILL_COME: Duration = Duration::from_secs(3_600);
/// So many proofs are forgotten with one statement.
const FORGET_MAX: i64 = 1_000;
/// So often there is something to forget.
const FORGET_EVERY: Duration = Duration::from_secs(10);
/// After what could not be written it is tried again so soon.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// A claim that nobody may perform.
#[derive(Debug, Clone)]
pub(super) struct Disowned {
    key: Key,
    ticket: Ticket,
    /// Until when it may still come on record, if it is not there yet.
    until: Option<Instant>,
}

impl Disowned {
    /// One that is on record.
    pub(super) fn recorded(key: Key, ticket: Ticket) -> Self {
        Self { key, ticket, until: None }
    }

    /// One that may be on record, or come there.
    pub(super) fn doubtful(key: Key, ticket: Ticket) -> Self {
        Self { key, ticket, until: Some(Instant::now() + MAY_STILL_COME) }
    }
}

impl Base {
    /// Writes down that nobody performs them, so that they can be asked about. What could not be written, and
    /// what may still come, is kept in mind.
    pub(super) async fn write_disowned(&self) -> Result<(), Failure> {
        let disowned = std::mem::take(&mut *self.lock_disowned());
        if disowned.is_empty() {
            return Ok(());
        }
        let bound = self
            .write()
            .texts(disowned.iter().map(|one| one.key.company.as_str()))
            .texts(disowned.iter().map(|one| one.key.id.as_str()))
            .byte_strings(disowned.iter().map(|one| one.ticket.0.as_slice()));
        let answer = self.rows(&self.sql.disown, &bound).await;
        drop(bound);
        match answer {
            Ok(rows) => {
                let now = Instant::now();
                let may_come = rows.iter().map(|row| row.try_get::<_, Option<bool>>(0));
                let kept = disowned.into_iter().zip(may_come).filter_map(|(one, may_come)| {
                    let may_come = matches!(may_come, Ok(Some(true)) | Err(_));
                    (may_come && one.until.is_some_and(|until| until > now)).then_some(one)
                });
                self.lock_disowned().extend(kept);
                Ok(())
            }
            Err(failure) => {
                self.lock_disowned().extend(disowned);
                Err(failure)
            }
        }
    }

    fn lock_disowned(&self) -> std::sync::MutexGuard<'_, Vec<Disowned>> {
        self.disowned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets proofs whose time is over, by the server's clock and by this machine's.
    async fn forget_proofs(&self) -> Result<(), Failure> {
        loop {
            let clock = &self.clock;
            let bound = Bound::default()
                .number_if_any(clock.told_as_set())
                .number(clock.here_as_set())
                .number(FORGET_MAX);
            let forgotten = self.rows(&self.sql.forget_proofs, &bound).await?.len();
            if i64::try_from(forgotten).unwrap_or(0) < FORGET_MAX {
                return Ok(());
            }
        }
    }
}

/// Looks after what is not asked for by anybody, until the store is gone.
pub(super) async fn keep(base: Weak<Base>, soon: Arc<Notify>) {
    let mut forget_next = Instant::now() + FORGET_EVERY;
    let mut pause = FORGET_EVERY;
    loop {
        // an error is that nobody woke it
        let woken = timeout(pause, soon.notified()).await.is_ok();
        let Some(base) = base.upgrade() else { return };
        let written = base.write_disowned().await;
        if let Err(failure) = &written {
            tracing::warn!(?failure, "claims that nobody performs could not be written down");
        }
        let waits = !base.lock_disowned().is_empty();
        pause = if waits { AGAIN_AFTER } else { FORGET_EVERY };
        if Instant::now() >= forget_next {
            forget_next = Instant::now() + FORGET_EVERY;
            if let Err(failure) = base.forget_proofs().await {
                tracing::warn!(?failure, "old proofs could not be forgotten");
            }
        }
        drop(base);
        if woken && written.is_err() {
            sleep(AGAIN_AFTER).await;
        }
    }
}
