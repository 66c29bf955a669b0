//! Versions start at 1.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.", version = 0)]
struct ExchangeTerms {
    item: String,
}

fn main() {}
