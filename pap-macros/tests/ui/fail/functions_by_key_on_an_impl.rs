//! On an impl block the functions are in it.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.return", scopes = [], reconcile = find_out, propose = work_out, request = ExchangeRequest)]
impl Exchange {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }
}

async fn find_out(_shop: &Shop, _op: &Confirmed<ReturnTerms>) -> Result<Finding, Retry> {
    not_seen_yet()
}

fn main() {}
