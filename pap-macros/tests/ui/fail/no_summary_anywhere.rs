//! OPS-3-5: somebody says the terms in plain language.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
struct ExchangeTerms {
    item: String,
}

fn main() {}
