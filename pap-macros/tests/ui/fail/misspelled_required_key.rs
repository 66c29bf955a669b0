//! A required key that is misspelled is not missing too.

mod shop;
use shop::*;

#[operation(acton = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
