//! The same, for terms.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Return {order}.")]
struct LooseTerms {
    order_id: OrderId,
}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, op: Confirmed<LooseTerms>) -> Outcome {
    succeeded(format!("Returned {}.", op.terms.order_id.0), ())
}

fn all() -> Operations<Shop> {
    operations![return_order]
}

fn main() {}
