//! OPS-3-1: an action is one operation.

mod shop;
use shop::*;

#[operation(action = "orders.return", route = "POST /orders/{order_id}/return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn second(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![return_order, second]
}

fn main() {}
