//! OPS-3-14: the handler performs what was confirmed.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
