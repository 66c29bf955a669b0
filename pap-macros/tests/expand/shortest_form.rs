/// Adds a gift note to an order before it ships.
#[operation(action = "orders.gift_note", route = "POST /orders/{order_id}/gift-note", scopes = ["orders:write"],
            summary = "Put the note “{note}” into order {order_id}.", terms = { order_id: OrderId, note: String },
            reconcile = operator)]
pub(crate) async fn gift_note(shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {}
