//! A private term is never on the wire.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item} by {hold}.")]
struct ExchangeTerms {
    item: String,
    #[term(private = "which stock hold to use")]
    hold: String,
}

fn main() {}
