//! What identifies the action is in the request.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, identity(order_id, item_id))]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator, identity())]
async fn b(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator, identity(order_id, order_id))]
async fn c(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![return_order]
}

fn main() {}
