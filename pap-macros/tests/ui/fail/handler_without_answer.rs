//! OPS-6-6: a handler says whether it happened.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) {

}

fn main() {}
