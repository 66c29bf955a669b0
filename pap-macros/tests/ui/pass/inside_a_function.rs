//! Declarations in a function body, in a macro, and behind cfg.

mod shop;
use shop::*;

macro_rules! declare {
    ($name:ident $action:literal $terms:ident $summary:literal) => {
        #[derive(Terms, Serialize, Deserialize)]
        #[terms(summary = $summary)]
        struct $terms {
            order_id: OrderId,
        }

        #[operation(action = $action, scopes = [], reconcile = operator)]
        async fn $name(_shop: &Shop, op: Confirmed<$terms>) -> Outcome {
            succeeded(op.terms.order_id.0, ())
        }
    };
}

declare!(keep "orders.keep" KeepTerms "Keep {order_id}.");

fn main() {
    declare!(hold "orders.hold" HoldTerms "Hold {order_id}.");
    let list: Operations<Shop> = operations![keep, hold];
    let origins: Vec<&str> = list.declarations().map(|declared| declared.action).collect();
    assert_eq!(origins, ["orders.keep", "orders.hold"]);
}
