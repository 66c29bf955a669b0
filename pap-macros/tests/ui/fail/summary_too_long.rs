//! A summary ends before the User stops reading.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved the well-known and much-loved {item}.")]
struct ExchangeTerms {
    item: String,
}

fn main() {}
