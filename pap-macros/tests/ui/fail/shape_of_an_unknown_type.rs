//! A request that nobody could document.

use pap_runtime::Shape;

struct Sku(String);

#[derive(Shape)]
struct ExchangeRequest {
    sku: Sku,
    parts: (u8, u8),
}

fn main() {}
