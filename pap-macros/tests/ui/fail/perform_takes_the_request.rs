//! OPS-3-13, OPS-3-14: the handler gets the confirmed terms and nothing else.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
impl Exchange {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _session: &Session, _request: ExchangeRequest, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }
}

fn main() {}
