//! A type of the author that declares no form.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Sku(String);

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {sku}.")]
struct ExchangeTerms {
    sku: Sku,
}

fn main() {}
