//! A list of lists can't be said.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {items}.")]
struct ExchangeTerms {
    #[term(max = 3)]
    items: Vec<Vec<String>>,
}

fn main() {}
