//! What a named function takes, by name.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, propose = work_out(request, op), request = ExchangeRequest)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

async fn work_out(_shop: &Shop, request: ExchangeRequest) -> Result<ReturnTerms, NotOffered> {
    Ok(ReturnTerms { order_id: request.order_id })
}

fn main() {}
