//! A list is of one company.

mod shop;
use shop::*;

#[operation(action = "orders.return", route = "POST /orders/{order_id}/return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

struct Bank;

#[operation(action = "bank.return", scopes = [], reconcile = operator)]
async fn second(_shop: &Bank, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![return_order, second]
}

fn main() {}
