//! An attribute is known below its derive.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[terms(summary = "Exchange {item}.")]
#[derive(Terms, Serialize, Deserialize)]
struct ExchangeTerms {
    item: String,
}

fn main() {}
