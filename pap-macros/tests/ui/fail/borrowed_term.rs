//! Terms are read back when nobody holds what they borrowed from.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    item: &'static str,
}

fn main() {}
