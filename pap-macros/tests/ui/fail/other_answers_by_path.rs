//! The same, for functions that the attribute names.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], propose = work_out, request = ExchangeRequest, reconcile = find_out)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

async fn work_out(_shop: &Shop, _session: &Session, _request: ExchangeRequest) -> Result<ExchangeTerms, NotOffered> {
    Err(NotOffered::not_found("no_order", "there is no such order"))
}

async fn find_out(_shop: &Shop, _op: &Confirmed<ReturnTerms>) -> bool {
    true
}

fn main() {}
