//! OPS-3-13: no hidden input reaches the handler.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange {item_id}, {item}.")]
pub struct T {
    item_id: String,
    #[term(shown_only)]
    item: Shown,
}

fn read(op: Confirmed<T>) -> String {
    op.terms.item.to_string()
}

fn main() {}
