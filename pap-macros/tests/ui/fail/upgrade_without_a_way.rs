//! What is listed can be made into the terms.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(version = 2, upgrades = [ReturnTerms], summary = "Return {a}.")]
struct NoFrom {
    a: String,
}

#[derive(Terms, Serialize, Deserialize)]
#[terms(version = 2, upgrades = [OrderId], summary = "Return {a}.")]
struct FromNoTerms {
    a: String,
}

impl From<OrderId> for FromNoTerms {
    fn from(older: OrderId) -> Self {
        Self { a: older.0 }
    }
}

fn main() {}
