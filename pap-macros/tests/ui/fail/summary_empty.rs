//! A summary says something.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "")]
struct ExchangeTerms {
    #[term(unstated = "a test of its own")]
    item: String,
}

fn main() {}
