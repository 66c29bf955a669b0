//! `result.data` has a form that documents tell.

mod shop;
use shop::*;

#[derive(Serialize)]
struct Receipt(u8);

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome<Receipt> {
    succeeded("Returned.", Receipt(1))
}

fn main() {}
