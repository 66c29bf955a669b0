//! Two texts about one thing differ one day.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, summary = "Return {order_id}.")]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
