//! Positions mean nothing: fields have names.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {} for {0}, {item:.2}.")]
struct ExchangeTerms {
    item: String,
}

fn main() {}
