/// Exchanges one item of a delivered order.
#[operation(
    action = "orders.exchange",
    route = "POST /orders/{order_id}/exchanges",
    scopes = ["orders:write"],
    identity(order_id, item_id),
    reference = "order:{order_id}",
    expires_in = "15m",
    user_approval = required
)]
impl Exchange {
    async fn propose(shop: &Shop, session: &Session, request: ExchangeRequest) -> Result<Proposal<ExchangeTerms>, NotOffered> {}
    async fn perform(shop: &Shop, op: Confirmed<ExchangeTerms>) -> Outcome<Exchanged> {}
    async fn reconcile(shop: &Shop, op: &Confirmed<ExchangeTerms>) -> Result<Finding<Exchanged>, Retry> {}
}
