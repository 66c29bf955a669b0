//! One request is one operation, whatever the parameters are called.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Return {id}.")]
struct OtherTerms {
    id: OrderId,
}

#[operation(action = "orders.return", route = "POST /orders/{order_id}/return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    succeeded("Returned.", ())
}

#[operation(action = "orders.send_back", route = "POST /orders/{id}/return", scopes = [], reconcile = operator)]
async fn second(_shop: &Shop, _op: Confirmed<OtherTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn all() -> Operations<Shop> {
    operations![return_order, second]
}

fn main() {}
