//! Parameters are known by their names.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
impl Exchange {
    async fn propose(_shop: &Shop, reqest: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: reqest.order_id }.into())
    }

    async fn perform(_shop: &Shop, _operation: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }
}

fn main() {}
