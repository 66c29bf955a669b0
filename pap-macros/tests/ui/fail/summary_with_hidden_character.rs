//! A summary hides nothing.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange \u{202e}{item}.")]
struct ExchangeTerms {
    item: String,
}

fn main() {}
