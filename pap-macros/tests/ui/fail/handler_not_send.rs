//! A handler may move between threads.

mod shop;
use shop::*;

#[operation(action = "orders.return", scopes = [], reconcile = operator)]
async fn return_order(_shop: &Shop, _op: Confirmed<ReturnTerms>) -> Outcome {
    let note = std::rc::Rc::new(1);
    std::future::ready(()).await;
    succeeded(format!("Returned {note}."), ())
}

fn main() {}
