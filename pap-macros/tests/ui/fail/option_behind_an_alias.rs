//! The same, behind an alias.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

type Note = Option<String>;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}, {note}.")]
struct ExchangeTerms {
    item: String,
    note: Note,
}

fn main() {}
