//! A key is given once.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, scopes = ["orders:write"])]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
