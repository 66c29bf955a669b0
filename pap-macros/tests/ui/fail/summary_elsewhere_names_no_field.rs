//! A placeholder that the terms do not have.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
struct NoteTerms {
    order_id: OrderId,
    note: String,
}

#[operation(action = "orders.return", scopes = [], reconcile = operator, summary = "Put {note} into {order}.")]
async fn return_order(_shop: &Shop, _op: Confirmed<NoteTerms>) -> Outcome {
    succeeded("Returned.", ())
}

fn main() {}
