//! A placeholder with a letter too few.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item} on order {orderid}.")]
struct ExchangeTerms {
    item: String,
    #[term(subject)]
    order_id: String,
}

fn main() {}
