//! What ended without being performed was never confirmed.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.exchange", scopes = [], reconcile = operator)]
impl Exchange {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }

    async fn released(_shop: &Shop, _op: &Confirmed<ReturnTerms>) -> Result<(), Retry> {
        Ok(())
    }
}

fn main() {}
