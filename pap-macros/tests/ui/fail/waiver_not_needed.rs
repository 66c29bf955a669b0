//! A waiver that is not needed.

use pap_runtime::Terms;
use serde::{Deserialize, Serialize};

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item} of {order_id}.")]
struct ExchangeTerms {
    item: String,
    #[term(unstated = "the User knows which order")]
    order_id: String,
}

fn main() {}
