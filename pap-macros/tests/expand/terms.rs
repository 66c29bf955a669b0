/// What the User approves.
#[derive(Terms, Serialize, Deserialize)]
#[terms(summary = "Exchange the {item} on order {order_id} for {price_difference:code} more, {gift}.", version = 2, upgrades = [old::ExchangeTerms])]
#[serde(rename_all = "camelCase")]
pub struct ExchangeTerms {
    pub order_id: OrderId,
    #[term(shown_as = item)]
    pub item_id: ItemId,
    #[term(charge)]
    pub price_difference: Money,
    #[term(private = "which stock hold to use; changes nothing the User decides")]
    pub hold: HoldId,
    #[term(unstated = "the warehouse picks it", max = 3)]
    pub batches: Vec<Batch>,
    #[term(if_none = "not a gift")]
    pub gift: Option<Wrapping>,
    #[term(shown_only)]
    pub item: Shown,
}
