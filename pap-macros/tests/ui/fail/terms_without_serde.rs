//! Terms are stored, so serde writes and reads them.

use pap_runtime::Terms;

#[derive(Terms)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    item: String,
}

fn main() {}
