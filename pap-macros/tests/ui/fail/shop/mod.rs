//! A company, for cases about operations.
#![allow(dead_code, unused_imports)]

pub use pap_runtime::terms::Shown;
pub use pap_runtime::value::{Date, Decimal, Money};
pub use pap_runtime::{
    Confirmed, Finding, NotOffered, Operations, OrSay, Outcome, Proposal, Proposing, Recheck, Released, Retry, Session,
    Shape, StopAnswer, Term, Terms, failed_after, failed_unchanged, not_seen_yet, operation, operations,
    succeeded,
};
pub use serde::{Deserialize, Serialize};

pub struct Shop;

#[derive(Term, Serialize, Deserialize)]
pub struct OrderId(pub String);

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange an item of order {order_id} for {price} more.")]
pub struct ExchangeTerms {
    pub order_id: OrderId,
    #[term(charge)]
    pub price: Money,
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Return order {order_id}.")]
pub struct ReturnTerms {
    pub order_id: OrderId,
}

#[derive(Shape, Serialize, Deserialize)]
pub struct ExchangeRequest {
    pub order_id: OrderId,
    pub note: Option<String>,
}

#[derive(Shape, Serialize)]
pub struct Exchanged {
    pub exchange_id: String,
}
