//! A reference is made of values that are always there.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.exchange", scopes = [], reconcile = operator, reference = "note:{note}")]
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
