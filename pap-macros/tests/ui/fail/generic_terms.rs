//! Terms have one form.

use pap_runtime::Terms;

#[derive(Terms)]
#[terms(summary = "Exchange {item}.")]
struct ExchangeTerms<T> {
    item: T,
}

fn main() {}
