//! Words that say nothing.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    #[term(if_none = "")]
    item: Option<String>,
}

fn main() {}
