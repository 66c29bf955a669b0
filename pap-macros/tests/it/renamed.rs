//! The runtime under another name.

mod facade {
    pub(crate) use pap_runtime as ops;
}

use facade::ops::{Confirmed, Operations, Outcome, Shape, Term, Terms, operation, succeeded};
use serde::{Deserialize, Serialize};

use crate::shop::Shop;

#[derive(Term, Serialize, Deserialize)]
#[term(crate = facade::ops)]
struct OrderId(String);

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Return {order_id}.", crate = facade::ops)]
struct ReturnTerms {
    order_id: OrderId,
}

#[derive(Shape, Serialize)]
#[shape(crate = facade::ops)]
struct Returned {
    at: String,
}

#[operation(action = "orders.return", scopes = [], reconcile = operator, crate = facade::ops)]
async fn return_order(_shop: &Shop, op: Confirmed<ReturnTerms>) -> Outcome<Returned> {
    succeeded("Returned.", Returned { at: op.terms.order_id.0 })
}

#[operation(action = "orders.keep", scopes = [], reconcile = operator, crate = crate::renamed::facade::ops,
            summary = "Keep {order_id}.", terms = { order_id: OrderId })]
async fn keep_order(_shop: &Shop, op: Confirmed<KeepOrderTerms>) -> Outcome {
    succeeded(format!("Kept {}.", op.terms.order_id.0), ())
}

#[test]
fn everything_is_found_under_the_name_given() {
    let list = Operations::<Shop>::new().with::<return_order>().with::<keep_order>();
    assert_eq!(list.declarations().count(), 2);
}
