//! What the connections of a store know together: which server it is, how far it had got, and whether what
//! is seen there lasts.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::bound::Bound;
use super::failure::Failure;
use super::identity::{Server, listed, refused};
use super::link::Link;
use super::sql::on;

/// So long a write of this part waits for its row.
const LOCK_WITHIN: &str = "3s";

/// What all connections of a store know together.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// The server that is expected, once it is known.
    expected: OnceLock<Expected>,
    /// So often an answer was lost, or a commit reported without its standby.
    incidents: AtomicU64,
    /// What is seen has been proved to last since this many of them.
    mended: AtomicU64,
    /// One proves it for all.
    one_mends: tokio::sync::Mutex<()>,
    /// The newest transaction of this process that the server acknowledged.
    newest: AtomicI64,
    /// It was put on record that the store has gone back.
    told: AtomicBool,
    mend: String,
    record: String,
}

#[derive(Debug)]
struct Expected {
    server: Option<Mutex<Server>>,
    promotes: bool,
}

impl Standing {
    pub(super) fn on(schema: &str) -> Self {
        let mend = on(schema, include_str!("sql/mend.sql"));
        let record = on(schema, include_str!("sql/set_recorded.sql"));
        Self { mend, record, ..Self::default() }
    }

    /// From now on this server is expected, and what is seen is proved after each incident.
    pub(super) fn set_expected(&self, server: Option<Server>, promotes: bool) {
        // set twice by nobody: a store is opened once
        drop(self.expected.set(Expected { server: server.map(Mutex::new), promotes }));
    }

    /// Refuses a new connection to another server than before.
    pub(super) async fn check_server(&self, link: &Link) -> Result<(), Failure> {
        let Some(Expected { server: Some(expected), promotes }) = self.expected.get() else {
            return Ok(());
        };
        let here = Server::at(link).await?;
        let here = here.ok_or_else(|| {
            Failure::NotSent("the server does not tell which one it is".to_owned())
        })?;
        let mut expected = expected.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(what) = here.differs(&expected, *promotes) {
            return Err(Failure::NotSent(refused(&what).to_string()));
        }
        *expected = here;
        Ok(())
    }

    /// Something may be seen from now on that does not last.
    pub(super) fn incident(&self) {
        self.incidents.fetch_add(1, Ordering::SeqCst);
    }

    /// The server acknowledged this transaction of ours.
    pub(super) fn acknowledged(&self, number: Option<i64>) {
        if let Some(number) = number {
            self.newest.fetch_max(number, Ordering::SeqCst);
        }
    }

    /// After an incident: a write of our own, acknowledged before anything else is asked. Whatever was to be seen
    /// when it was sent is then as durable as it is. It tells also whether the server has gone back, since
    /// numbers of transactions only grow.
    pub(super) async fn make_sure(&self, link: &Link) -> Result<(), Failure> {
        // whoever waits longer than for an answer would wait for others' answers too
        let _one = link.within(self.one_mends.lock()).await?;
        if self.is_sure() {
            return Ok(());
        }
        let incidents = self.incidents.load(Ordering::SeqCst);
        let bound = Bound::default().text(LOCK_WITHIN);
        let rows = link.ask(&self.mend, &bound).await.map_err(Failure::before_anything)?;
        let number = rows.first().and_then(|row| row.try_get::<_, i64>(0).ok());
        let number = number.ok_or_else(|| {
            Failure::NotSent("the server's answer cannot be understood".to_owned())
        })?;
        let newest = self.newest.load(Ordering::SeqCst);
        if number <= newest {
            return Err(self.has_gone_back(link, number, newest).await);
        }
        self.acknowledged(Some(number));
        self.mended.fetch_max(incidents, Ordering::SeqCst);
        Ok(())
    }

    /// Whether nothing happened since it was last made sure.
    pub(super) fn is_sure(&self) -> bool {
        self.expected.get().is_none()
            || self.mended.load(Ordering::SeqCst) >= self.incidents.load(Ordering::SeqCst)
    }

    /// Puts on record that the store has gone back, so that no other process takes it for whole.
    async fn has_gone_back(&self, link: &Link, number: i64, newest: i64) -> Failure {
        let what = format!(
            "a process that was there has seen the server at transaction {newest}, and it is at {number}"
        );
        let error = refused(&what);
        if !self.told.swap(true, Ordering::SeqCst) {
            tracing::error!("{error}");
        }
        let record = [("behind", what)];
        let bound = listed(Bound::default().text(LOCK_WITHIN), &record);
        if let Err(failure) = link.ask(&self.record, &bound).await {
            tracing::error!(?failure, "that could not be put on record");
        }
        Failure::NotSent(error.to_string())
    }
}
