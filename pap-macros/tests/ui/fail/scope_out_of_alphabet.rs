//! One scope per text.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = ["orders:read orders:write", "", "a", "a"], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
