//! OPS-6-10: a failure tells what was changed.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    failed_after([], "It did not work.")
}

fn main() {
    let _ = failed_after::<(), _>([], "It did not work.");
}
