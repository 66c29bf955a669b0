//! Each value that does not fit its key.

mod shop;
use shop::*;

#[operation(action = orders, scopes = "orders:write", route = 3, user_approval = always, identity = order_id, reconcile = "operator", terms = 7)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
