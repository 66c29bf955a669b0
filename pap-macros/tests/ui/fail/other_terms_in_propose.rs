//! OPS-3-14: the User approves what `propose` returned, and `perform` gets exactly that.

mod shop;
use shop::*;

enum Exchange {}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
impl Exchange {
    async fn propose(_shop: &Shop, request: ExchangeRequest) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: request.order_id }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ExchangeTerms>) -> Outcome {
        succeeded("Done.", ())
    }
}

fn main() {}
