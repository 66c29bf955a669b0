//! What is in the path is always there.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.return", scopes = [], reconcile = operator, route = "POST /orders/{order_id}/{note}")]
impl Exchange {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }
}

fn all() -> Operations<Shop> {
    operations![Exchange]
}

fn main() {}
