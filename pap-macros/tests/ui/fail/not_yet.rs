//! Words that are kept for a later version.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, without_extension = perform)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
