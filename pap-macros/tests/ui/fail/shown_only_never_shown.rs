//! Shown-only text that nobody reads.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item_id}.")]
struct T {
    item_id: String,
    #[term(shown_only)]
    item: Shown,
}

fn main() {}
