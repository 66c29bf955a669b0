//! What nobody can guess is written.

mod shop;
use shop::*;

#[operation()]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
