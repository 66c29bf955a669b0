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

#[operation(action = "orders.return", scopes = [], reconcile = operator, retain_for = "90")]
async fn e(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator, retain_for = "15m")]
async fn f(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator, retain_for = "9999d")]
async fn g(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
