//! `shown_as` names a field.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct T {
    #[term(shown_as = itm)]
    item_id: String,
    #[term(shown_as = replacement)]
    sku: String,
    #[term(shown_only)]
    item: Shown,
}

fn main() {}
