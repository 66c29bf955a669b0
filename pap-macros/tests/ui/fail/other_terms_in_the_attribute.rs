//! The attribute and the handler speak of the same terms.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator, terms = ExchangeTerms)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
