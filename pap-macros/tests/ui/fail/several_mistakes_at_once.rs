//! All independent mistakes are told at once, each at its own token.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {itm}, {note}.")]
struct ExchangeTerms {
    item: String,
    price: f64,
    #[term(private = "no")]
    hold: String,
    note: Option<String>,
    skus: Vec<String>,
}

fn main() {}
