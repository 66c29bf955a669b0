//! A term that is said by its own name needs no other.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item_id}, {item}.")]
struct T {
    #[term(shown_as = item)]
    item_id: String,
    #[term(shown_only)]
    item: Shown,
}

fn main() {}
