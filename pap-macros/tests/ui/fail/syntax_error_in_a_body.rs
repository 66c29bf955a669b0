//! The compiler tells it; the item is kept as it was written.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    let x = ;
    succeeded("Returned.", ())
}

fn main() {}
