//! The User reads what an absent term means.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}, {note}.")]
struct ExchangeTerms {
    item: String,
    note: Option<String>,
}

fn main() {}
