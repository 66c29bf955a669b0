//! What an operation is found by never changes.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, reference = "order:{order}")]
async fn a(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![a]
}

#[operation(action = "orders.note", scopes = [], reconcile = operator, reference = "order:{order}",
            summary = "Note {note} on {order_id}.", terms = { order_id: String, note: String })]
async fn b(_shop: &Shop, _op: Confirmed<BTerms>) -> Outcome {
    succeeded("Noted.", ())
}

#[operation(action = "orders.note", scopes = [], reconcile = operator, reference = "order:{note}",
            identity(order_id), summary = "Note {note} on {order_id}.",
            terms = { order_id: String, note: String })]
async fn c(_shop: &Shop, _op: Confirmed<CTerms>) -> Outcome {
    succeeded("Noted.", ())
}

#[operation(action = "orders.note", scopes = [], reconcile = operator, reference = "order:{order}",
            identity(order_id), summary = "Note {note} on {order_id}.",
            terms = { order_id: String, note: String })]
async fn d(_shop: &Shop, _op: Confirmed<DTerms>) -> Outcome {
    succeeded("Noted.", ())
}

#[operation(action = "orders.return", scopes = [], reconcile = operator, reference = "orders")]
async fn e(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

#[operation(action = "orders.return", scopes = [], reconcile = operator, reference = "order {order_id}")]
async fn f(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
