//! Orders and their items.

use pap_runtime::value::{Money, NotAValue};
use rusqlite::OptionalExtension as _;

use super::{Fault, ItemId, OrderId, Shop, Sku};

/// An order of somebody's.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) id: OrderId,
    pub(crate) email: String,
    pub(crate) card: String,
    /// The last four digits of the card that paid for it.
    pub(crate) last4: String,
    pub(crate) delivered: bool,
}

/// One item of an order.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) id: ItemId,
    pub(crate) title: String,
    pub(crate) price_cents: i64,
    /// Exchanged or returned already.
    pub(crate) gone: bool,
}

/// What the shop sells.
#[derive(Debug, Clone)]
pub(crate) struct Product {
    pub(crate) title: String,
    pub(crate) price_cents: i64,
}

impl Shop {
    /// The order, if it is this account's.
    pub(crate) async fn order(
        &self,
        account: Option<&str>,
        order_id: &OrderId,
    ) -> Result<Option<Order>, Fault> {
        let of = (order_id.0.clone(), account.map(str::to_owned));
        let select = "SELECT order_id, email, card, last4, delivered
                      FROM orders JOIN cards USING (card) WHERE order_id = ?1 AND account = ?2";
        self.database
            .transaction(move |tx| {
                let order = tx.query_row(select, of, |row| {
                    Ok(Order {
                        id: OrderId(row.get(0)?),
                        email: row.get(1)?,
                        card: row.get(2)?,
                        last4: row.get(3)?,
                        delivered: row.get(4)?,
                    })
                });
                Ok(order.optional()?)
            })
            .await
    }

    /// The item, if it is in this order.
    pub(crate) async fn item(
        &self,
        order_id: &OrderId,
        item_id: &ItemId,
    ) -> Result<Option<Item>, Fault> {
        let of = (item_id.0.clone(), order_id.0.clone());
        let select = "SELECT item_id, title, price_cents, gone_by IS NOT NULL
                      FROM items JOIN products USING (sku) WHERE item_id = ?1 AND order_id = ?2";
        self.database
            .transaction(move |tx| {
                let item = tx.query_row(select, of, |row| {
                    Ok(Item {
                        id: ItemId(row.get(0)?),
                        title: row.get(1)?,
                        price_cents: row.get(2)?,
                        gone: row.get(3)?,
                    })
                });
                Ok(item.optional()?)
            })
            .await
    }

    /// The product, if there is one.
    pub(crate) async fn product(&self, sku: &Sku) -> Result<Option<Product>, Fault> {
        let sku = sku.0.clone();
        let select = "SELECT title, price_cents FROM products WHERE sku = ?1";
        self.database
            .transaction(move |tx| {
                let product = tx.query_row(select, [sku], |row| {
                    Ok(Product { title: row.get(0)?, price_cents: row.get(1)? })
                });
                Ok(product.optional()?)
            })
            .await
    }
}

/// That many cents, in the shop's currency.
pub(crate) fn usd(cents: i64) -> Result<Money, NotAValue> {
    Money::usd(&format!("{}.{:02}", cents / 100, cents.rem_euclid(100)))
}
