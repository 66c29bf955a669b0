//! Standing permissions name the action.

mod shop;
use shop::*;

#[operation(action = "Orders.Return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
