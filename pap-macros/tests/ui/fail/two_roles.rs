//! A machine reads one role per term.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Charge {price}.")]
struct ExchangeTerms {
    #[term(charge, refund)]
    price: String,
}

fn main() {}
