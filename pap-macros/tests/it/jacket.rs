//! The specification's own example, and the shortest form.

use pap_runtime::terms::{Reader, Shown, Terms as _};
use pap_runtime::value::Money;
use pap_runtime::{
    Confirmed, Fence, Finding, NotOffered, Operations, OrSay as _, Outcome, Proposal, Retry,
    Session, Shape, Term, Terms, did_not_and_cannot, operation, operations, succeeded,
};
use serde::{Deserialize, Serialize};

#[derive(Debug)]
pub struct Shop;

/// An order.
#[derive(Debug, Clone, PartialEq, Eq, Term, Serialize, Deserialize)]
pub struct OrderId(pub String);

#[derive(Debug, Clone, PartialEq, Eq, Term, Serialize, Deserialize)]
pub struct ItemId(pub String);

/// What the User approves.
#[derive(Debug, Terms, Serialize, Deserialize)]
#[terms(
    summary = "Exchange the {item} on order {order_id} for the {replacement}, for {price_difference} \
               more, charged to the card used for the order."
)]
pub struct ExchangeTerms {
    pub order_id: OrderId,
    #[term(shown_as = item)]
    pub item_id: ItemId,
    #[term(shown_as = replacement)]
    pub replacement_sku: String,
    #[term(charge)]
    pub price_difference: Money,
    #[term(private = "which stock hold to use; changes nothing the User decides")]
    pub hold: String,
    #[term(shown_only)]
    pub item: Shown,
    #[term(shown_only)]
    pub replacement: Shown,
}

#[derive(Debug, Shape, Serialize, Deserialize)]
pub struct ExchangeRequest {
    pub order_id: OrderId,
    pub item_id: ItemId,
    pub replacement_sku: String,
}

#[derive(Debug, Shape, Serialize)]
pub struct Exchanged {
    pub exchange_id: String,
}

#[derive(Debug)]
pub enum Exchange {}

/// Exchanges one item of a delivered order.
#[operation(
    action = "orders.exchange",
    route = "POST /orders/{order_id}/exchanges",
    scopes = ["orders:write"],
    identity(order_id, item_id),
    expires_in = "15m",
    user_approval = required
)]
impl Exchange {
    async fn propose(
        _shop: &Shop,
        session: &Session,
        request: ExchangeRequest,
    ) -> Result<Proposal<ExchangeTerms>, NotOffered> {
        let _ = session;
        let money: Money = serde_json(r#"{"amount":"70.00","currency":"USD"}"#)?;
        Ok(Proposal::new(ExchangeTerms {
            order_id: request.order_id,
            item_id: request.item_id,
            replacement_sku: request.replacement_sku,
            price_difference: money,
            hold: "h1".into(),
            item: "Stormline Jacket (M)".into(),
            replacement: "Stormline Insulated Jacket (M)".into(),
        }))
    }

    async fn perform(shop: &Shop, op: Confirmed<ExchangeTerms>) -> Outcome<Exchanged> {
        let placed = shop.place(&op.terms).or_unknown("warehouse")?;
        succeeded("Exchange placed.", placed)
    }

    async fn reconcile(
        _shop: &Shop,
        op: &Confirmed<ExchangeTerms>,
    ) -> Result<Finding<Exchanged>, Retry> {
        let Some(_payment) = op.recalled::<String>("payment")? else {
            return did_not_and_cannot(Fence::checkpoint("payment"));
        };
        did_not_and_cannot(Fence::checkpoint("payment"))
    }
}

fn serde_json(text: &str) -> Result<Money, std::fmt::Error> {
    pap_runtime_json(text).ok_or(std::fmt::Error)
}

fn pap_runtime_json(_text: &str) -> Option<Money> {
    None
}

impl Shop {
    fn place(&self, terms: &ExchangeTerms) -> Result<Exchanged, std::fmt::Error> {
        let _ = self;
        Ok(Exchanged { exchange_id: terms.order_id.0.clone() })
    }
}

/// Adds a gift note to an order before it ships.
#[operation(action = "orders.gift_note", route = "POST /orders/{order_id}/gift-note", scopes = ["orders:write"],
            summary = "Put the note “{note}” into order {order_id}.", terms = { order_id: OrderId, note: String },
            reconcile = operator)]
pub(crate) async fn gift_note(_shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
    succeeded(format!("Noted {}.", op.terms.note), ())
}

pub(crate) fn all() -> Operations<Shop> {
    operations![Exchange, gift_note]
}

#[test]
fn lists_what_was_declared() {
    let actions: Vec<_> = all().declarations().map(|declared| declared.action).collect();
    assert_eq!(actions, ["orders.exchange", "orders.gift_note"]);
    let terms = GiftNoteTerms { order_id: OrderId("ord_7Hk2".into()), note: "Happy".into() };
    assert_eq!(terms.summary(&Reader::default()), "Put the note “Happy” into order ord_7Hk2.");
}
