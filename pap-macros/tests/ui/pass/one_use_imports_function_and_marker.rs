//! The function form's marker goes by the function's own name, so that one `use` imports both.

mod notes {
    use super::shop::*;

    #[operation(action = "orders.note", scopes = [], reconcile = operator, summary = "Note {note}.",
                terms = { note: String })]
    pub(crate) async fn note(_shop: &Shop, op: Confirmed<NoteTerms>) -> Outcome {
        succeeded(op.terms.note, ())
    }
}

mod shop;
use notes::note;
use shop::*;

async fn by_hand(shop: &Shop, op: Confirmed<notes::NoteTerms>) -> Outcome {
    note(shop, op).await
}

fn main() {
    let list: Operations<Shop> = operations![note];
    assert_eq!(list.declarations().count(), 1);
    let _unused = by_hand;
}
