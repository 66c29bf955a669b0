//! OPS-3-5: the summary of an operation is a sentence.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "return order {order_id}")]
struct LooseTerms {
    order_id: OrderId,
}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<LooseTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![return_order]
}

fn main() {}
