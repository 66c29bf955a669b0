//! OPS-3-14: only what was confirmed is performed.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: ReturnTerms) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
