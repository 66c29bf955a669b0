//! The User reads the summary as plain text.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange **{item}**.")]
struct ExchangeTerms {
    item: String,
}

fn main() {}
