//! A function that nothing would call.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.exchange", scopes = [])]
impl Exchange {
    async fn propse(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }

    async fn reconcille(_shop: &Shop, _op: &Confirmed<ReturnTerms>) -> Result<Finding, Retry> {
        not_seen_yet()
    }
}

fn main() {}
