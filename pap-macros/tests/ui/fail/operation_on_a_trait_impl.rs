//! An operation is one type.

mod shop;
use shop::*;

struct Return<T>(T);

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
impl Drop for Shop {
    fn drop(&mut self) {}
}

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
impl<T> Return<T> {}

fn main() {}
