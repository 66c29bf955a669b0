//! A function, a person or the store, not two of them.

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

    async fn reconcile(_shop: &Shop, _op: &Confirmed<ReturnTerms>) -> Result<Finding, Retry> {
        not_seen_yet()
    }
}

enum Return {}

#[operation(action = "orders.take_back", scopes = [], reconcile = same_store)]
impl Return {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }

    async fn reconcile(_shop: &Shop, _op: &Confirmed<ReturnTerms>) -> Result<Finding, Retry> {
        not_seen_yet()
    }
}

fn main() {}
