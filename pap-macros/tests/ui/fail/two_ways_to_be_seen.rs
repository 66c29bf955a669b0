//! A term has one reason not to be stated.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct T {
    #[term(shown_only, private = "which stock hold to use", max = 3)]
    item: Shown,
}

fn main() {}
