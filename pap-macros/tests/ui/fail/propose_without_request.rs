//! The attribute does not see another function's signature.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, propose = work_out)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

async fn work_out(_shop: &Shop, _session: &Session, request: ExchangeRequest) -> Result<ReturnTerms, NotOffered> {
    Ok(ReturnTerms { order_id: request.order_id })
}

fn main() {}
