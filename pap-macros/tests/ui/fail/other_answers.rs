//! The other functions answer what the runtime asks.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.exchange", scopes = [])]
impl Exchange {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }

    async fn reconcile(_shop: &Shop, _op: &Confirmed<ReturnTerms>) -> Result<bool, Retry> {
        Ok(true)
    }

    async fn stop(_shop: &Shop, _op: &Confirmed<ReturnTerms>) -> bool {
        true
    }

    async fn recheck(_shop: &Shop, _terms: &ReturnTerms) -> Result<(), NotOffered> {
        Ok(())
    }

    async fn released(_shop: &Shop, _op: &Released<ReturnTerms>) -> Result<bool, Retry> {
        Ok(true)
    }
}

fn main() {}
