//! Terms have an end.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item} and {rest}.")]
struct ExchangeTerms {
    item: String,
    #[term(if_none = "nothing", max = 3)]
    rest: Option<Vec<ExchangeTerms>>,
}

fn main() {}
