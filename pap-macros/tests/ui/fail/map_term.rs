//! The members of terms are known.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

use std::collections::HashMap;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Set {options}.")]
struct ExchangeTerms {
    options: HashMap<String, String>,
}

fn main() {}
