//! OPS-3-14: nobody makes a confirmed operation but the runtime.

mod shop;
use shop::*;

fn forge(terms: ReturnTerms) -> Confirmed<ReturnTerms> {
    Confirmed { terms }
}

fn steal(op: Confirmed<ReturnTerms>, terms: ExchangeTerms) -> Confirmed<ExchangeTerms> {
    Confirmed { terms, ..op }
}

fn main() {}
