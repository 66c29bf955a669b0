//! A company and its values, for the other modules.

use pap_runtime::value::Money;
use pap_runtime::{Shape, Term};
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub(crate) struct Shop;

/// An order.
#[derive(Debug, Clone, PartialEq, Eq, Term, Serialize, Deserialize)]
pub(crate) struct OrderId(pub(crate) String);

/// One thing in an order.
#[derive(Debug, Clone, PartialEq, Eq, Term, Serialize, Deserialize)]
pub(crate) struct ItemId(pub(crate) String);

#[derive(Debug, Shape, Serialize, Deserialize)]
pub(crate) struct ExchangeRequest {
    pub(crate) order_id: OrderId,
    pub(crate) item_id: ItemId,
    pub(crate) replacement_sku: String,
}

#[derive(Debug, Shape, Serialize)]
pub(crate) struct Exchanged {
    pub(crate) exchange_id: String,
}

/// 70.00 USD and the like.
#[expect(clippy::unwrap_used, reason = "a test's own constants")]
pub(crate) fn money(amount: &str, currency: &str) -> Money {
    serde_json::from_value(serde_json::json!({ "amount": amount, "currency": currency })).unwrap()
}
