//! A key with a letter too few, and one that nobody knows.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, expire_in = "20m", colour = "red")]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
