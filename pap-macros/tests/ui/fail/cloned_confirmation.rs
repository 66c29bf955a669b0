//! OPS-3-14: the right to perform is spent once.

mod shop;
use shop::*;

fn twice(op: Confirmed<ReturnTerms>) -> (Confirmed<ReturnTerms>, Confirmed<ReturnTerms>) {
    (op.clone(), op)
}

fn main() {}
