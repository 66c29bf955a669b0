//! Words for an absence that can't be.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    #[term(if_none = "nothing")]
    item: String,
}

fn main() {}
