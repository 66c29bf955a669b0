//! The specification's own example, from the request to the result.

use pap_runtime::terms::{Reader, Shown};
use pap_runtime::testing::Bench;
use pap_runtime::value::Money;
use pap_runtime::{
    Confirmed, Fence, Finding, NotOffered, OrSay as _, Outcome, Proposal, Retry, Session, State,
    Terms, did_not_and_cannot, operation, succeeded,
};
use serde::{Deserialize, Serialize};

use crate::shop::{ExchangeRequest, Exchanged, ItemId, OrderId, Shop, money};

/// What the User approves.
#[derive(Debug, Terms, Serialize, Deserialize)]
#[terms(
    summary = "Exchange the {item} on order {order_id} for the {replacement}, for {price_difference} \
               more, charged to the card used for the order."
)]
pub(crate) struct ExchangeTerms {
    order_id: OrderId,
    #[term(shown_as = item)]
    item_id: ItemId,
    #[term(shown_as = replacement)]
    replacement_sku: String,
    #[term(charge)]
    price_difference: Money,
    #[term(private = "which stock hold to use; changes nothing the User decides")]
    hold: String,
    #[term(shown_only)]
    item: Shown,
    #[term(shown_only)]
    replacement: Shown,
}

pub(crate) enum Exchange {}

/// Exchanges one item of a delivered order.
#[operation(
    action = "orders.exchange",
    route = "POST /orders/{order_id}/exchanges",
    scopes = ["orders:write"],
    identity(order_id, item_id),
    reference = "order:{order_id}",
    expires_in = "15m",
    user_approval = required,
    id_prefix = "exc"
)]
impl Exchange {
    async fn propose(
        _shop: &Shop,
        session: &Session,
        request: ExchangeRequest,
    ) -> Result<Proposal<ExchangeTerms>, NotOffered> {
        if session.account().is_none() {
            return Err(NotOffered::not_found("no_order", "there is no such order"));
        }
        Ok(Proposal::new(ExchangeTerms {
            order_id: request.order_id,
            item_id: request.item_id,
            replacement_sku: request.replacement_sku,
            price_difference: money("70.00", "USD"),
            hold: "hold_9".into(),
            item: "Stormline Jacket (M)".into(),
            replacement: "Stormline Insulated Jacket (M)".into(),
        }))
    }

    async fn perform(shop: &Shop, op: Confirmed<ExchangeTerms>) -> Outcome<Exchanged> {
        let placed = shop.place(&op.terms, op.id().as_str()).or_unknown("warehouse")?;
        succeeded("Exchange placed. The insulated jacket ships today.", placed)
    }

    async fn reconcile(
        _shop: &Shop,
        op: &Confirmed<ExchangeTerms>,
    ) -> Result<Finding<Exchanged>, Retry> {
        op.recalled::<String>("placed")?;
        did_not_and_cannot(Fence::checkpoint("placed"))
    }
}

impl Shop {
    fn place(&self, terms: &ExchangeTerms, id: &str) -> Result<Exchanged, &'static str> {
        let hold = matches!(self, Self) && terms.hold == "hold_9";
        hold.then(|| Exchanged { exchange_id: id.to_owned() }).ok_or("no such hold")
    }
}

fn request() -> ExchangeRequest {
    ExchangeRequest {
        order_id: OrderId("ord_7Hk2".into()),
        item_id: ItemId("itm_4Qa".into()),
        replacement_sku: "stormline-insulated-m".into(),
    }
}

/// OPS-3-5, OPS-3-12: the summary is the specification's own, word for word, from the declared template.
#[tokio::test]
async fn the_summary_states_the_terms_as_the_specification_does() {
    let bench = Bench::<Exchange>::new(Shop).await.unwrap();
    let operation = bench.propose(request()).await.unwrap();
    assert_eq!(
        operation.summary,
        "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the Stormline Insulated Jacket (M), for \
         $70.00 more, charged to the card used for the order."
    );
    assert!(operation.user_approval_required);
    assert!(operation.operation_id.as_str().starts_with("exc_"));
}

/// OPS-3-13: what the handler gets is what `terms` say; what is private or only shown is not in them.
#[tokio::test]
async fn the_wire_holds_the_terms_and_nothing_else() {
    let bench = Bench::<Exchange>::new(Shop).await.unwrap();
    let operation = bench.propose(request()).await.unwrap();
    let terms: serde_json::Value = serde_json::from_str(operation.terms.unwrap().get()).unwrap();
    let expected = serde_json::json!({
        "order_id": "ord_7Hk2",
        "item_id": "itm_4Qa",
        "replacement_sku": "stormline-insulated-m",
        "price_difference": { "amount": "70.00", "currency": "USD" },
    });
    assert_eq!(terms, expected);
}

/// OPS-3-14: the handler runs with the stored terms, the private one included.
#[tokio::test]
async fn a_confirmed_operation_is_performed_with_its_terms() {
    let bench = Bench::<Exchange>::new(Shop).await.unwrap();
    let proposed = bench.propose(request()).await.unwrap();
    let done = bench.confirm(&proposed).await.unwrap();
    assert_eq!(done.state, State::Succeeded);
    let result = done.result.unwrap();
    assert!(result.summary.starts_with("Exchange placed."), "{}", result.summary);
    let data: serde_json::Value = serde_json::from_str(result.data.unwrap().get()).unwrap();
    assert_eq!(data["exchange_id"], proposed.operation_id.as_str());
}

#[test]
fn terms_are_said_without_an_operation_too() {
    let terms = ExchangeTerms {
        order_id: OrderId("ord_1".into()),
        item_id: ItemId("itm_1".into()),
        replacement_sku: "sku".into(),
        price_difference: money("5.00", "EUR"),
        hold: String::new(),
        item: "Hat".into(),
        replacement: "Cap".into(),
    };
    let said = terms.summary(&Reader::default());
    assert!(
        said.starts_with("Exchange the Hat on order ord_1 for the Cap, for €5.00 more"),
        "{said}"
    );
}
