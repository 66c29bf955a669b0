//! `shown_as` names shown-only text.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms {
    #[term(shown_as = item)]
    item_id: String,
    item: String,
}

fn main() {}
