//! The members of terms are known.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

mod serde_json {
    #[derive(super::Serialize, super::Deserialize)]
    pub struct Value;
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Set {options}.")]
struct ExchangeTerms {
    options: serde_json::Value,
}

fn main() {}
