//! Whole seconds.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, expires_in = "15 minutes")]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator, expires_in = "0s")]
async fn b(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator, expires_in = "1.5h")]
async fn c(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator, expires_in = "3000d")]
async fn d(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
