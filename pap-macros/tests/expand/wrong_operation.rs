#[operation(action = "orders.gift_note", scopes = [], expires_in = "soon", reconcile = operator,
            summary = "Put {note}.", terms = { order_id: OrderId, note: String })]
pub(crate) async fn gift_note(shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {}
