//! A placeholder that is no field.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item} on {order}.")]
struct ExchangeTerms {
    item: String,
}

fn main() {}
