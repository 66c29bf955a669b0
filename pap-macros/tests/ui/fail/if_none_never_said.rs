//! Words for an absence that the summary does not state.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    item: String,
    #[term(if_none = "none", unstated = "internal tracking only")]
    batch: Option<String>,
}

fn main() {}
