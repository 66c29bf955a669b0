//! A waiver has a reason that a reviewer can judge.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    item: String,
    #[term(unstated = "ok")]
    batch: String,
    #[term(private = "")]
    hold: String,
}

fn main() {}
