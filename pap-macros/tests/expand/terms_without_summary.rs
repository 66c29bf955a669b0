#[derive(Terms)]
struct NoteTerms {
    order_id: OrderId,
    #[term(if_none = "no note")]
    note: Option<String>,
}
