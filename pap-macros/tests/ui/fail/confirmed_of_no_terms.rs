//! What is confirmed has a declaration.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<String>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
