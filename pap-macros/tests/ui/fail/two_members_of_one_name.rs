//! A member has a name of its own.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item} for {other}.")]
struct ExchangeTerms {
    item: String,
    #[serde(rename = "item")]
    other: String,
}

fn main() {}
