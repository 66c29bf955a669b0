//! A summary is one line.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange\n{item}.")]
struct ExchangeTerms {
    item: String,
}

fn main() {}
