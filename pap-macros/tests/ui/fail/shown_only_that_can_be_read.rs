//! OPS-3-13: what the handler can read is in `terms`.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item_id}, {item}.")]
struct ExchangeTerms {
    item_id: String,
    #[term(shown_only)]
    item: String,
}

fn main() {}
