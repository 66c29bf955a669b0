//! OPS-3-12: an agent compares a charge as money.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Charge {price} on {day}, {count} times.")]
struct T {
    #[term(charge)]
    price: u32,
    #[term(date)]
    day: String,
    #[term(quantity)]
    count: String,
}

fn main() {}
