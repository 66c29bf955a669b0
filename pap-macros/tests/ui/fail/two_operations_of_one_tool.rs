//! A tool name is one operation.

mod shop;
use shop::*;

#[operation(action = "orders.return.now", route = "POST /orders/{order_id}/return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

#[operation(action = "orders.return_now", scopes = [], reconcile = operator)]
async fn second(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![return_order, second]
}

fn main() {}
