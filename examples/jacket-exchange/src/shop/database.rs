//! The shop's SQLite file: one connection, used off the asynchronous threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::tables::{GOODS, TABLES};

/// One of the systems behind the shop could not do what it was asked, or did not say whether it did.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Whether the system did what it was asked is not known.
    #[error("`{0}` does not answer")]
    NoAnswer(&'static str),
    /// The database refused.
    #[error("the shop's database refused")]
    Database(#[from] rusqlite::Error),
    /// The thread that used the database ended.
    #[error("the shop's database was not asked to the end")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// The file. Clones are handles of the same connection.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    connection: Arc<Mutex<Connection>>,
    dies_after_effect: Arc<AtomicBool>,
}

impl Database {
    /// Opens the file, or makes it and fills it.
    pub(crate) fn open(path: &Path) -> Result<Self, Fault> {
        let connection = Connection::open(path)?;
        // the story reads the ledger while the shop runs in a process of its own
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "full")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.execute_batch(TABLES)?;
        connection.execute_batch(GOODS)?;
        let connection = Arc::new(Mutex::new(connection));
        Ok(Self { connection, dies_after_effect: Arc::default() })
    }

    /// From now on the process dies right after the first effect, before anybody is told.
    pub(crate) fn die_after_effect(&self) {
        self.dies_after_effect.store(true, Ordering::SeqCst);
    }

    /// Runs `work` in one transaction, which is committed if it answers `Ok`.
    pub(crate) async fn transaction<T, E>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Fault> + Send + 'static,
    {
        let this = self.clone();
        let done = tokio::task::spawn_blocking(move || this.run(work)).await;
        done.map_err(Fault::from)?
    }

    fn run<T, E: From<Fault>>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let refused = |error| E::from(Fault::Database(error));
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(refused)?;
        let before = entries(&transaction).map_err(refused)?;
        let done = work(&transaction)?;
        let after = entries(&transaction).map_err(refused)?;
        transaction.commit().map_err(refused)?;
        if after > before && self.dies_after_effect.load(Ordering::SeqCst) {
            tracing::error!("dying on purpose, right after an effect");
            std::process::abort();
        }
        Ok(done)
    }
}

fn entries(transaction: &Transaction<'_>) -> Result<i64, rusqlite::Error> {
    transaction.query_row("SELECT count(*) FROM ledger", [], |row| row.get(0))
}

/// Writes an effect into the ledger, in the transaction in which it happens.
pub(super) fn enter(
    transaction: &Transaction<'_>,
    effect: &str,
    reference: &str,
) -> Result<(), rusqlite::Error> {
    let entry = "INSERT INTO ledger (effect, reference) VALUES (?1, ?2)";
    transaction.execute(entry, (effect, reference)).map(drop)
}
