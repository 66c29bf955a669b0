//! OPS-3-12: what costs is always stated.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item}.")]
struct T {
    item: String,
    #[term(charge, unstated = "everybody knows the price")]
    price: Money,
}

fn main() {}
