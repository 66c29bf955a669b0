//! Without `propose` the request is the terms.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, request = ExchangeRequest)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
