//! Ids begin with a short word.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, id_prefix = "exc_")]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
