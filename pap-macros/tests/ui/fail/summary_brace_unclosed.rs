//! Braces in a summary stand for fields.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item for {other} at 5}.")]
struct ExchangeTerms {
    item: String,
}

fn main() {}
