//! OPS-6-6: an error that leaves the result in doubt is unknown, never failed.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Result<(), String> {
    Ok(())
}

fn main() {}
