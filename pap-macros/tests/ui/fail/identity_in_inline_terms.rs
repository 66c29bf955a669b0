//! The same, where the terms are written in the attribute.

mod shop;
use shop::*;

#[operation(action = "orders.gift_note", scopes = [], reconcile = operator, identity(order, note),
            summary = "Put the note {note} into {order_id}.", terms = { order_id: OrderId, note: String })]
async fn gift_note(_shop: &Shop, _op: Confirmed<GiftNoteTerms>) -> Outcome {
    succeeded("Noted.", ())
}

fn main() {}
