//! The warehouse: it holds stock for somebody, and sends one parcel for each idempotency key.

use pap_runtime::value::Instant;
use rusqlite::{OptionalExtension as _, Transaction};

use super::database::enter;
use super::jobs::{burn, burned};
use super::{Fault, HoldId, ItemId, ReturnId, Shop, Sku};

/// The warehouse did not send anything.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaceError {
    /// It says no: nothing was sent.
    #[error("refused: {0}")]
    Refused(&'static str),
    /// Nobody knows.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl Shop {
    /// Holds one piece under this name until then, if there is one. It releases itself.
    pub(crate) async fn hold(
        &self,
        hold: &HoldId,
        sku: &Sku,
        until: Instant,
        now: Instant,
    ) -> Result<bool, Fault> {
        let (hold, sku) = (hold.0.clone(), sku.0.clone());
        self.database
            .transaction(move |tx| {
                let held = "SELECT count(*) FROM holds
                            WHERE sku = ?1 AND hold_id <> ?2 AND until_ms >= ?3";
                let by_others = (&sku, &hold, now.as_millis());
                let held: i64 = tx.query_row(held, by_others, |row| row.get(0))?;
                if stock(tx, &sku)? <= held {
                    return Ok(false);
                }
                let insert =
                    "INSERT OR REPLACE INTO holds (hold_id, sku, until_ms) VALUES (?1, ?2, ?3)";
                tx.execute(insert, (hold, sku, until.as_millis()))?;
                Ok(true)
            })
            .await
    }

    /// Sends the replacement and a label for the item's way back, once for each key. A key that was
    /// refused once is refused for ever.
    pub(crate) async fn place_exchange(
        &self,
        item: &ItemId,
        replacement: &Sku,
        hold: Option<&HoldId>,
        key: String,
    ) -> Result<ReturnId, PlaceError> {
        let (item, sku) = (item.0.clone(), replacement.0.clone());
        let hold = hold.map(|hold| hold.0.clone()).unwrap_or_default();
        let placed = self.database.transaction(move |tx| {
            let sent = "SELECT return_id FROM shipments WHERE idempotency_key = ?1";
            let sent: Option<String> = tx.query_row(sent, [&key], |row| row.get(0)).optional()?;
            if let Some(return_id) = sent {
                return Ok::<_, Fault>(Ok(ReturnId(return_id)));
            }
            if burned(tx, &key)? || stock(tx, &sku)? == 0 {
                burn(tx, &key, "parcel sent")?;
                return Ok(Err("sold out"));
            }
            if !take_item(tx, &item, &key)? {
                burn(tx, &key, "parcel sent")?;
                return Ok(Err("the item was exchanged or returned meanwhile"));
            }
            tx.execute("UPDATE products SET stock = stock - 1 WHERE sku = ?1", [&sku])?;
            tx.execute("DELETE FROM holds WHERE hold_id = ?1", [&hold])?;
            let return_id = format!("rtn_{}", item.trim_start_matches("itm_"));
            let insert = "INSERT INTO shipments VALUES (?1, ?2, ?3, ?4)";
            tx.execute(insert, (&key, &item, &sku, &return_id))?;
            enter(tx, "parcel sent", &item)?;
            Ok(Ok(ReturnId(return_id)))
        });
        placed.await?.map_err(PlaceError::Refused)
    }
}

/// The item goes back under this key, unless it does so under another.
pub(super) fn take_item(
    tx: &Transaction<'_>,
    item: &str,
    key: &str,
) -> Result<bool, rusqlite::Error> {
    let take = "UPDATE items SET gone_by = ?2 WHERE item_id = ?1 AND gone_by IS NULL";
    Ok(tx.execute(take, (item, key))? == 1)
}

fn stock(tx: &Transaction<'_>, sku: &str) -> Result<i64, rusqlite::Error> {
    let stock = "SELECT stock FROM products WHERE sku = ?1";
    let stock: Option<i64> = tx.query_row(stock, [sku], |row| row.get(0)).optional()?;
    Ok(stock.unwrap_or(0))
}
