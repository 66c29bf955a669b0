//! A handler runs in a task of its own.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
