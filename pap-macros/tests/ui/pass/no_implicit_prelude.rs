//! A crate without the prelude.
#![no_implicit_prelude]

use ::pap_runtime::{Confirmed, Outcome, Shape, Term, Terms, operation, operations};
use ::serde::{Deserialize, Serialize};
use ::std::prelude::v1::derive;

struct Shop;

#[derive(Term, Serialize, Deserialize)]
struct OrderId(::std::string::String);

#[derive(Term, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Cost {
    #[term(summary = "for {amount}")]
    More { amount: u32 },
    #[term(say = "free")]
    Same,
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Return {order_id} {cost}.")]
struct ReturnTerms {
    order_id: OrderId,
    cost: Cost,
}

#[derive(Shape, Serialize)]
struct Returned {
    order_id: OrderId,
}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, op: Confirmed<ReturnTerms>) -> Outcome<Returned> {
    ::pap_runtime::succeeded("Returned.", Returned { order_id: op.terms.order_id })
}

#[operation(action = "orders.note", scopes = [], reconcile = operator, summary = "Note {note}.",
            terms = { note: ::std::string::String })]
async fn note(_shop: &Shop, op: Confirmed<NoteTerms>) -> Outcome {
    ::pap_runtime::succeeded(op.terms.note, ())
}

fn main() {
    let list: ::pap_runtime::Operations<Shop> = operations![return_order, note];
    ::std::assert_eq!(::std::iter::Iterator::count(list.declarations()), 2);
}
