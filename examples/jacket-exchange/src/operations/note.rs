//! The shortest form: what is asked for is what is done, so the request is the terms.

use pap_runtime::{Confirmed, OrSay, Outcome, operation, succeeded};

use crate::shop::{OrderId, Shop};

/// Puts a note into an order before it ships.
#[operation(
    action = "orders.gift_note",
    route = "POST /orders/{order_id}/gift-note",
    scopes = ["orders:write"],
    summary = "Put the note “{note}” into order {order_id}.",
    terms = { order_id: OrderId, note: String },
    reconcile = operator
)]
pub(crate) async fn gift_note(shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
    shop.put_gift_note(&op.terms.order_id, &op.terms.note).await.or_unknown("packing table")?;
    succeeded("The note is in the parcel.", ())
}
