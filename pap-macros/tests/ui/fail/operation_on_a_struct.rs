//! The attribute is for what performs.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
pub struct Return;

fn main() {}
