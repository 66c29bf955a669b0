/// An order.
#[derive(Term)]
struct OrderId(String);

#[derive(Term)]
#[serde(rename_all = "snake_case")]
enum Size {
    /// Fits most.
    #[term(say = "medium")]
    Medium,
    #[term(say = "extra large")]
    ExtraLarge,
}

#[derive(Term)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Cost {
    #[term(summary = "for {amount} more")]
    More {
        #[term(charge)]
        amount: Money,
    },
    #[term(say = "at no extra cost")]
    Same,
}

#[derive(Shape)]
struct ExchangeRequest {
    item_id: ItemId,
    note: Option<String>,
}

#[derive(Shape)]
#[serde(tag = "kind")]
enum Way {
    Ship { to: Address },
    PickUp,
}
