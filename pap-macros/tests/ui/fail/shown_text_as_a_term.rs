//! Shown-only text is no term.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct T {
    item: Shown,
}

fn main() {}
