//! OPS-3-12, OPS-3-5: everything that affects the action is in the summary.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    item: String,
    price_difference: String,
}

fn main() {}
