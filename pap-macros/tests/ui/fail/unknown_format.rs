//! A format that the type does not have.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Charge {price:long}, {item:short}.")]
struct T {
    price: Money,
    item: String,
}

fn main() {}
