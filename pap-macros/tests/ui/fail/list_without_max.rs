//! A list that the summary states has an end.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {items}.")]
struct ExchangeTerms {
    items: Vec<String>,
}

fn main() {}
