//! The shortest form, the function form with all its keys, and summaries that are written elsewhere.
#![expect(clippy::unused_async, reason = "these functions wait for nothing")]

use pap_runtime::private::Declared;
use pap_runtime::testing::{Bench, released};
use pap_runtime::{
    Confirmed, Finding, NotOffered, Operations, Outcome, Proposing, Recheck, Released,
    ReleasedBecause, Retry, Session, State, StopAnswer, Terms, happened, operation, operations,
    succeeded,
};
use serde::{Deserialize, Serialize};

use crate::shop::{ExchangeRequest, OrderId, Shop};

/// Adds a gift note to an order before it ships.
#[operation(action = "orders.gift_note", route = "POST /orders/{order_id}/gift-note", scopes = ["orders:write"],
            summary = "Put the note “{note}” into order {order_id}{wrap}.",
            terms = {
                order_id: OrderId,
                /// What the card says.
                note: String,
                #[term(if_none = ", unwrapped")] #[serde(rename = "gift_wrap")] wrap: Option<String>,
            },
            reconcile = operator)]
pub(crate) async fn gift_note(_shop: &Shop, op: Confirmed<GiftNoteTerms>) -> Outcome {
    succeeded(format!("Noted “{}”.", op.terms.note), ())
}

/// OPS-4.1-2: the request of the shortest form is what was asked for, and nothing beside it.
#[tokio::test]
async fn what_was_asked_for_is_what_is_approved() {
    let bench = Bench::<gift_note>::new(Shop).await.unwrap();
    let (order_id, note) = (OrderId("ord_1".into()), "Happy birthday".into());
    let proposed = bench.propose(GiftNoteTerms { order_id, note, wrap: None }).await.unwrap();
    assert_eq!(proposed.summary, "Put the note “Happy birthday” into order ord_1, unwrapped.");
    let terms: serde_json::Value =
        serde_json::from_str(proposed.terms.as_ref().unwrap().get()).unwrap();
    assert_eq!(terms, serde_json::json!({ "order_id": "ord_1", "note": "Happy birthday" }));
    let done = bench.confirm(&proposed).await.unwrap();
    assert_eq!(done.result.unwrap().summary, "Noted “Happy birthday”.");
}

/// Terms whose summary the operation writes.
#[derive(Debug, Terms, Serialize, Deserialize)]
pub(crate) struct SendBackTerms {
    order_id: OrderId,
    #[term(if_none = "no reason")]
    reason: Option<String>,
    #[term(private = "which carrier picks it up")]
    carrier: String,
}

type Op = Confirmed<SendBackTerms>;
type Answer = Outcome<String>;

#[operation(
    action = "orders.send_back",
    scopes = [],
    terms = SendBackTerms,
    summary = "Send order {order_id} back, for {reason}.",
    propose = quotes::work_out(proposing, request),
    request = ExchangeRequest,
    reconcile = find_out,
    stop = halt,
    recheck = still_holds(terms),
    released = let_go,
    retain_for = "90d",
)]
pub(crate) async fn send_back(_shop: &Shop, op: Op) -> Answer {
    succeeded("Sent back.", op.terms.carrier)
}

mod quotes {
    use super::{ExchangeRequest, NotOffered, Proposing, SendBackTerms, Shop};

    pub(super) async fn work_out(
        _shop: &Shop,
        proposing: &Proposing,
        request: ExchangeRequest,
    ) -> Result<SendBackTerms, NotOffered> {
        let carrier = format!("carrier for {}", proposing.id());
        Ok(SendBackTerms { order_id: request.order_id, reason: None, carrier })
    }
}

async fn find_out(_shop: &Shop, op: &Op) -> Result<Finding<String>, Retry> {
    happened("Sent back.", op.terms.carrier.clone())
}

async fn halt(_shop: &Shop, _op: &Op) -> StopAnswer {
    StopAnswer::cannot()
}

async fn still_holds(
    _shop: &Shop,
    terms: &SendBackTerms,
) -> Result<Recheck<SendBackTerms>, NotOffered> {
    if terms.order_id.0 == "ord_gone" {
        return Ok(Recheck::Gone("The order is gone.".into()));
    }
    Ok(Recheck::Same)
}

async fn let_go(_shop: &Shop, op: &Released<SendBackTerms>) -> Result<(), Retry> {
    if op.why() == ReleasedBecause::Revised {
        return Ok(());
    }
    let (id, revision, key) = (op.id(), op.revision(), op.idempotency_key("carrier"));
    let what = format!("{} for {id} revision {revision}, by {key}", op.terms.carrier);
    Err(Retry::because(format!("the carrier does not answer: {what}")))
}

fn request(order: &str) -> ExchangeRequest {
    ExchangeRequest {
        order_id: OrderId(order.into()),
        item_id: crate::shop::ItemId("itm_1".into()),
        replacement_sku: "sku".into(),
    }
}

#[tokio::test]
async fn named_functions_do_what_the_impl_form_does() {
    let bench = Bench::<send_back>::new(Shop).await.unwrap();
    let proposed = bench.propose(request("ord_1")).await.unwrap();
    assert_eq!(proposed.summary, "Send order ord_1 back, for no reason.");
    let done = bench.confirm(&proposed).await.unwrap();
    assert_eq!(done.state, State::Succeeded);
    let data = done.result.unwrap().data.unwrap();
    assert_eq!(data.get(), format!("\"carrier for {}\"", proposed.operation_id));
}

#[tokio::test]
async fn what_hung_on_a_revision_is_let_go_by_its_own_terms() {
    let terms = || SendBackTerms {
        order_id: OrderId("ord_1".into()),
        reason: None,
        carrier: "carrier 7".into(),
    };
    let told = |why| async move {
        <send_back as Declared>::released(&Shop, &released(terms(), why)).await
    };
    assert!(told(ReleasedBecause::Revised).await.is_ok());
    let again = format!("{:?}", told(ReleasedBecause::Expired).await.unwrap_err());
    assert!(again.contains("carrier 7 for op_test revision 1, by op_test:1:carrier"), "{again}");
    assert!(!format!("{:?}", released(terms(), ReleasedBecause::Expired)).contains("carrier"));
}

#[tokio::test]
async fn a_recheck_is_asked_before_the_confirmation_takes_effect() {
    let bench = Bench::<send_back>::new(Shop).await.unwrap();
    let proposed = bench.propose(request("ord_gone")).await.unwrap();
    let done = bench.confirm(&proposed).await.unwrap();
    assert_eq!(done.state, State::Cancelled);
}

pub(crate) enum Ping {}

/// An operation without a request: the impl form of the smallest kind.
#[operation(action = "ping", scopes = [], route = "POST /ping", reconcile = operator)]
impl Ping {
    async fn propose(_shop: &Shop, _session: &Session) -> Result<PingTerms, NotOffered> {
        Ok(PingTerms {})
    }

    async fn perform(_shop: &Shop, _op: Confirmed<PingTerms>) -> Outcome {
        succeeded("Pong.", ())
    }
}

/// The store knows whether it happened.
#[operation(action = "shop.count", scopes = [], reconcile = same_store, terms = { count: u32 },
            summary = "Count to {count}.")]
pub(crate) async fn count(_shop: &Shop, op: Confirmed<CountTerms>) -> Outcome {
    succeeded(format!("Counted to {}.", op.terms.count), ())
}

#[derive(Debug, Terms, Serialize, Deserialize)]
#[terms(summary = "Ping the shop.")]
pub(crate) struct PingTerms {}

#[test]
fn the_list_is_what_is_served_in_its_order() {
    let list: Operations<Shop> =
        operations![gift_note, send_back, Ping, count, crate::jacket::Exchange];
    let actions: Vec<_> = list.declarations().map(|declared| declared.action).collect();
    assert_eq!(
        actions,
        ["orders.gift_note", "orders.send_back", "ping", "shop.count", "orders.exchange"]
    );
    let none: Operations<Shop> = operations![];
    assert_eq!(none.declarations().count(), 0);
}
