//! One mistake is one error: the rest of the crate is checked as if there were none.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, expires_in = "soon")]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![return_order]
}

async fn by_hand(op: Confirmed<ReturnTerms>) -> Outcome {
    return_order(&Shop, op).await
}

fn main() {}
