//! Nobody would expand them.

mod shop;
use shop::*;

#[operation(action = "orders.gift_note", scopes = [], reconcile = operator, summary = "Put the note {note}.",
            terms = { #[cfg(test)] note: String })]
async fn gift_note(_shop: &Shop, _op: Confirmed<GiftNoteTerms>) -> Outcome {
    succeeded("Noted.", ())
}

fn main() {}
