//! A path parameter is a member of the request.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, route = "POST /orders/{id}/return")]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

#[operation(action = "orders.gift_note", route = "POST /orders/{oder_id}/gift-note", scopes = [], reconcile = operator,
            summary = "Put the note {note} into {order_id}.", terms = { order_id: OrderId, note: String })]
async fn gift_note(_shop: &Shop, _op: Confirmed<GiftNoteTerms>) -> Outcome {
    succeeded("Noted.", ())
}

fn all() -> Operations<Shop> {
    operations![return_order]
}

fn main() {}
