//! OPS-6-6: a foreign error does not say whether the action took effect.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    std::fs::write("/dev/null", "")?;
    succeeded("Returned.", ())
}

fn main() {}
