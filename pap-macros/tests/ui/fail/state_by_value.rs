//! Every task shares the company's state.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn b(_shop: &mut Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
