//! Two sides must compare terms exactly.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Charge {price}, {discount}.")]
struct ExchangeTerms {
    price: f64,
    #[term(if_none = "no discount")]
    discount: Option<f32>,
}

fn main() {}
