//! OPS-6-6: after a crash somebody finds out whether it happened.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [])]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}
enum Exchange {}

#[operation(action = "orders.exchange", scopes = [])]
impl Exchange {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }
}

fn main() {}
