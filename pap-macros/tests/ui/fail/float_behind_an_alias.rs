//! The same, behind an alias.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

type Price = f64;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Charge {price}.")]
struct ExchangeTerms {
    price: Price,
}

fn main() {}
