//! The same, where the terms are declared elsewhere.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn exchange(_shop: &Shop, _op: Confirmed<ExchangeTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![exchange]
}

fn main() {}
