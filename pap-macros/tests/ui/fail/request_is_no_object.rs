//! A caller sends an object.

mod shop;
use shop::*;

#[derive(Shape, Serialize, Deserialize)]
struct Sku(String);

enum Exchange {}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
impl Exchange {
    async fn propose(_shop: &Shop, request: Sku) -> Result<Proposal<ReturnTerms>, NotOffered> {
        Ok(ReturnTerms { order_id: OrderId(request.0) }.into())
    }

    async fn perform(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
        succeeded("Done.", ())
    }
}

fn all() -> Operations<Shop> {
    operations![Exchange]
}

fn main() {}
