//! The same, behind an alias.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

type Items = Vec<String>;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {items}.")]
struct ExchangeTerms {
    items: Items,
}

fn main() {}
