//! The shop as it was before: orders, a card system, a warehouse and a workshop over one SQLite file.
//!
//! Nothing here knows of operations. Each system behind the shop takes an idempotency key, as real ones
//! do, and enters what it did into the ledger.

mod cards;
mod database;
mod jobs;
mod orders;
mod tables;
mod values;
mod warehouse;

use std::path::Path;

use rusqlite::OptionalExtension as _;

pub(crate) use cards::{CardError, PaymentState};
pub(crate) use database::Database;
pub use database::Fault;
pub(crate) use jobs::Job;
pub(crate) use orders::{Item, Order, usd};
pub use values::{HoldId, ItemId, OrderId, PaymentId, ReturnId, Sku};
pub(crate) use warehouse::PlaceError;

/// The shop. Clones are handles of the same one.
#[derive(Debug, Clone)]
pub struct Shop {
    pub(crate) database: Database,
}

impl Shop {
    /// The workshop, as [`Shop::silence`] knows it.
    pub const WORKSHOP: &str = "workshop";
    /// The card system, as [`Shop::silence`] knows it.
    pub const CARDS: &str = "card system";

    /// Opens the shop whose database is in this folder, or a new one.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the database cannot be opened.
    pub fn open(folder: &Path) -> Result<Self, Fault> {
        Ok(Self { database: Database::open(&folder.join("shop.db"))? })
    }

    /// How often an effect happened, such as `card charged` for `ord_7Hk2`.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the database does not answer.
    pub async fn times(&self, effect: &str, reference: &str) -> Result<u32, Fault> {
        let of = (effect.to_owned(), reference.to_owned());
        let count = "SELECT count(*) FROM ledger WHERE effect = ?1 AND reference = ?2";
        self.database.transaction(|tx| Ok(tx.query_row(count, of, |row| row.get(0))?)).await
    }

    /// How many effects of any kind have happened.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the database does not answer.
    pub async fn effects(&self) -> Result<u32, Fault> {
        let count = "SELECT count(*) FROM ledger";
        self.database.transaction(|tx| Ok(tx.query_row(count, [], |row| row.get(0))?)).await
    }

    /// From now on this system answers nothing, although it may do what it is asked.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the database does not answer.
    pub async fn silence(&self, system: &'static str) -> Result<(), Fault> {
        let silence = "INSERT OR IGNORE INTO silent_systems (system) VALUES (?1)";
        self.database.transaction(move |tx| Ok(tx.execute(silence, [system]).map(drop)?)).await
    }

    /// This system answers again.
    ///
    /// # Errors
    ///
    /// [`Fault`] if the database does not answer.
    pub async fn let_answer(&self, system: &'static str) -> Result<(), Fault> {
        let answer = "DELETE FROM silent_systems WHERE system = ?1";
        self.database.transaction(move |tx| Ok(tx.execute(answer, [system]).map(drop)?)).await
    }

    /// From now on the process dies right after the first effect, before anybody is told.
    pub(crate) fn die_after_effect(&self) {
        self.database.die_after_effect();
    }

    /// Whether this system answers now: asked after it has done its work, as its answer is what is lost.
    async fn answers(&self, system: &'static str) -> Result<(), Fault> {
        let silent = "SELECT 1 FROM silent_systems WHERE system = ?1";
        let silent = self.database.transaction(move |tx| {
            let row: Option<i64> = tx.query_row(silent, [system], |row| row.get(0)).optional()?;
            Ok::<_, Fault>(row.is_some())
        });
        if silent.await? { Err(Fault::NoAnswer(system)) } else { Ok(()) }
    }
}
