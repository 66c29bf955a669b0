//! What is not listed is not served.

#![deny(dead_code)]

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
impl Exchange {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }
}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
