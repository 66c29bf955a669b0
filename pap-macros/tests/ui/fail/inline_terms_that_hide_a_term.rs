//! OPS-3-12, in the shortest form.

mod shop;
use shop::*;

#[operation(action = "orders.gift_note", scopes = [], reconcile = operator, summary = "Put a note into {order_id}.",
            terms = { order_id: OrderId, note: String })]
async fn gift_note(_shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
    succeeded(format!("Noted {}.", op.terms.note), ())
}

fn all() -> Operations<Shop> {
    operations![gift_note]
}

fn main() {}
