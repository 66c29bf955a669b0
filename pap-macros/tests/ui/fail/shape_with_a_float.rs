//! Two sides read the same value.

use pap_runtime::Shape;

#[derive(Shape)]
struct ExchangeRequest {
    price: f64,
    options: std::collections::BTreeMap<String, String>,
}

fn main() {}
