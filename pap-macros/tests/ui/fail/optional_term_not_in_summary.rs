//! An optional term that the summary does not say is told once, not for its `if_none` too.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Terms)]
#[terms(summary = "Return order {order_id}.")]
struct ReturnTerms {
    order_id: String,
    #[term(if_none = "no note")]
    note: Option<String>,
}

fn main() {}
