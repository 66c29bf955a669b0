//! OPS-3-12: also a summary in the attribute says every term.

mod shop;
use shop::*;

#[derive(Terms, Serialize, Deserialize)]
struct NoteTerms {
    order_id: OrderId,
    note: String,
    #[term(private = "where the note is printed")]
    printer: String,
}

#[operation(action = "orders.return", scopes = [], reconcile = operator, propose = work_out, request = ExchangeRequest, summary = "Put a note.")]
async fn return_order(_shop: &Shop, _op: Confirmed<NoteTerms>) -> Outcome {
    succeeded("Returned.", ())
}

async fn work_out(_shop: &Shop, _session: &Session, request: ExchangeRequest) -> Result<NoteTerms, NotOffered> {
    Ok(NoteTerms { order_id: request.order_id, note: String::new(), printer: String::new() })
}

fn main() {}
