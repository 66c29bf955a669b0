//! What was approved with older terms is performed with the same terms in the code's own shape.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pap_runtime::testing::assert_shapes;
use pap_runtime::value::Money;
use pap_runtime::{
    Confirmed, Finding, NotOffered, Operations, Outcome, Recheck, Retry, Terms, happened,
    operation, operations, succeeded,
};
use serde::{Deserialize, Serialize};

use crate::shop::{
    Act, EXCHANGES, Exchange, ExchangeRequest, ExchangeTerms, JACKET, OPERATIONS, Shop, Street,
};
use crate::unknown_terms::next;

/// The terms of an exchange as the next form of the code has them.
#[derive(Serialize, Deserialize, Terms)]
#[terms(version = 2, upgrades = [ExchangeTerms],
        summary = "Exchange {item} of {order} for {sku}, with {cost} charged, {wrapped}.")]
pub struct NextTerms {
    pub order: String,
    pub item: String,
    pub sku: String,
    #[term(charge)]
    pub cost: Money,
    #[term(if_none = "unwrapped")]
    pub wrapped: Option<String>,
}

impl TryFrom<ExchangeTerms> for NextTerms {
    type Error = &'static str;

    fn try_from(older: ExchangeTerms) -> Result<Self, Self::Error> {
        let mut cost = older.price_difference;
        match older.item_id.as_str() {
            "itm_gone" => return Err("it is not sold any more"),
            "itm_panics" => panic!("the company's own"),
            "itm_negative" => cost = Money::usd("-70.00").map_err(|_not| "no amount")?,
            _ => {}
        }
        let (order, item, sku) = (older.order_id, older.item_id, older.replacement_sku);
        Ok(Self { order, item, sku, cost, wrapped: None })
    }
}

pub enum NextExchange {}

/// Exchanges one item of a delivered order.
#[operation(action = "orders.exchange", route = "POST /orders/{order_id}/exchanges",
            scopes = ["orders:write"], identity(order_id, item_id))]
impl NextExchange {
    async fn propose(request: ExchangeRequest) -> Result<NextTerms, NotOffered> {
        let ExchangeRequest { order_id: order, item_id: item, replacement_sku: sku } = request;
        Ok(NextTerms { order, item, sku, cost: Money::usd("75.00")?, wrapped: None })
    }

    async fn recheck(terms: &NextTerms) -> Result<Recheck<NextTerms>, NotOffered> {
        assert_eq!(terms.cost, Money::usd("70.00")?, "what was approved");
        Ok(Recheck::Same)
    }

    async fn perform(shop: &Arc<Shop>, op: Confirmed<NextTerms>) -> Outcome {
        shop.effects.fetch_add(1, Ordering::SeqCst);
        succeeded(format!("Sent {} for {}.", op.terms.sku, op.terms.cost), ())
    }

    async fn reconcile(shop: &Arc<Shop>, op: &Confirmed<NextTerms>) -> Result<Finding, Retry> {
        shop.asks.fetch_add(1, Ordering::SeqCst);
        happened(format!("Had sent {} for {}.", op.terms.sku, op.terms.cost), ())
    }
}

/// OPS-3-14 OPS-3.1-1: what is stored and shown is what was approved, in whatever shape it is performed.
/// Row E18.
#[tokio::test]
async fn older_terms_are_performed_as_they_were_approved() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let shown = street.read(&ada, &id).await;
    let next = next(street, operations![NextExchange]).await;
    assert_eq!(next.read(&ada, &id).await.text, shown.text);
    let key = id.parse().unwrap();
    let stored = |history: pap_runtime::store::History| history.stored.latest;
    let before = stored(next.company.history(&key).await.unwrap());
    let done = next.confirm(&ada, &id).await;
    done.state("succeeded");
    assert_eq!(done.json["revision"], 1);
    assert_eq!(done.json["summary"], shown.json["summary"]);
    let result = &done.json["result"]["summary"];
    assert_eq!(result, "Sent stormline-insulated-m for $70.00.");
    assert_eq!(stored(next.company.history(&key).await.unwrap()), before);
    assert_eq!(next.shop.effects(), 1);
}

/// The terms of the shop's exchange, which have another shape and the same version.
#[derive(Serialize, Deserialize, Terms)]
#[terms(summary = "Exchange {item_id} of {order_id}.")]
pub struct DriftedTerms {
    pub item_id: String,
    pub order_id: String,
}

/// Exchanges one item of a delivered order.
#[operation(action = "orders.exchange", scopes = ["orders:write"], reconcile = operator)]
async fn drifted(_shop: &Arc<Shop>, op: Confirmed<DriftedTerms>) -> Outcome {
    succeeded(format!("Exchanged {}.", op.terms.item_id), ())
}

fn failure(operations: &Operations<Arc<Shop>>, recorded: &str) -> String {
    let failed = std::panic::catch_unwind(|| assert_shapes(operations, recorded)).unwrap_err();
    failed.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn a_shape_that_changed_without_a_new_version_fails_the_companys_own_test() {
    let first = failure(&operations![Exchange], "");
    let recorded = first.split_once("\n\n").unwrap().1;
    assert_shapes(&operations![Exchange], recorded);
    let told = failure(&operations![drifted], recorded);
    assert!(told.contains("`orders.exchange` changed, and are still version 1"), "{told}");
    assert!(told.contains("write `version = 2`"), "{told}");
    // raised, it only has to be recorded; what it is upgraded from is as it was recorded
    let raised = failure(&operations![NextExchange], recorded);
    let both = raised.split_once("\n\n").unwrap().1;
    assert!(both.starts_with(recorded), "{both}");
    assert_shapes(&operations![NextExchange], both);
    let back = failure(&operations![Exchange], both);
    assert!(back.contains("went back from version 2 to 1"), "{back}");
}

/// OPS-6-6: the next form of the code finds out about what the one before it had begun.
#[tokio::test]
async fn older_terms_are_asked_about() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::HandOver);
    street.confirm(&ada, &id).await.state("in_progress");
    let next = next(street, operations![NextExchange]).await;
    next.clock.advance(Duration::from_secs(3601));
    let done = next.until(&ada, &id, "succeeded").await;
    let result = &done.json["result"]["summary"];
    assert_eq!(result, "Had sent stormline-insulated-m for $70.00.");
    assert_eq!((next.shop.effects(), next.shop.asks.load(Ordering::SeqCst)), (0, 1));
}

/// OPS-3-14: an upgrade that fails, that panics, or that gives what must not be offered, fails before the
/// claim, and nothing is performed. Row E18.
#[tokio::test]
async fn an_upgrade_that_fails_leaves_the_operation_alone() {
    for item in ["itm_gone", "itm_panics", "itm_negative"] {
        let street = Street::in_memory().await;
        let ada = street.ada();
        let request = JACKET.replace("itm_4Qa", item);
        assert!(request.contains(item));
        let proposed = street.post(&ada, EXCHANGES, &request).await;
        let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
        let next = next(street, operations![NextExchange]).await;
        next.confirm(&ada, id).await.is(503, "temporarily_unavailable");
        next.read(&ada, id).await.state("proposed");
        assert_eq!(next.shop.effects(), 0);
        // asked for again, it is the next revision of the code's own shape
        let again = next.post(&ada, EXCHANGES, &request).await;
        assert_eq!(again.json["operation"]["operation_id"], *id);
        assert_eq!(again.json["operation"]["revision"], 2);
        next.get(&ada, &format!("{OPERATIONS}/{id}")).await.state("proposed");
    }
}
