//! A company, for cases that are right.
#![allow(dead_code, unused_imports)]

pub use pap_runtime::value::Money;
pub use pap_runtime::{
    Confirmed, NotOffered, Operations, Outcome, Proposal, Shape, Term, Terms, operation, operations,
    succeeded,
};
pub use serde::{Deserialize, Serialize};

pub struct Shop;

#[derive(Term, Serialize, Deserialize)]
pub struct OrderId(pub String);
