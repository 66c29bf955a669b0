//! A type without the attribute.

mod shop;
use shop::*;

#[operation(action = "orders.return", route = "POST /orders/{order_id}/return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

enum Exchange {}

fn all() -> Operations<Shop> {
    operations![return_order, Exchange]
}

fn main() {}
