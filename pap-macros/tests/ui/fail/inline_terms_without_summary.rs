//! OPS-3-5: somebody says the terms in plain language.

mod shop;
use shop::*;

#[operation(action = "orders.gift_note", scopes = [], reconcile = operator, terms = { note: String })]
async fn gift_note(_shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
    succeeded(format!("Noted {}.", op.terms.note), ())
}

fn main() {}
