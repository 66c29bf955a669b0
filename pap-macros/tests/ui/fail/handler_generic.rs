//! Generated code calls the handler by its name and nothing else.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order<S>(_shop: &S, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async unsafe fn b(_shop: &(impl Sized + Sync), _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
