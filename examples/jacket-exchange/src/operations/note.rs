//! The shortest form: what is asked for is what is done, so the request is the terms.

use pap_runtime::{Confirmed, OrSay, Outcome, failed_unchanged, operation, succeeded};

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
    let GiftNoteTerms { order_id, note } = &op.terms;
    if !shop.put_gift_note(op.account(), order_id, note).await.or_unknown("packing table")? {
        return failed_unchanged("You have no such order that is still here");
    }
    succeeded("The note is in the parcel.", ())
}
