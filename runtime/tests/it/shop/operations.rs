//! The operations of the shop.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pap_runtime::value::Money;
use pap_runtime::{
    Confirmed, Fence, Finding, NotOffered, OrSay, Outcome, Proposal, Proposing, Recheck, Retry,
    Session, Shape, Shown, StopAnswer, Terms, did_not_and_cannot, failed_after, failed_unchanged,
    handed_over, happened, not_seen_yet, operation, partly, stopped_unchanged, succeeded, unknown,
};
use serde::{Deserialize, Serialize};

use super::{Act, Find, Look, Shop, Stops};

#[derive(Debug, Serialize, Deserialize, Shape)]
pub struct ExchangeRequest {
    pub order_id: String,
    pub item_id: String,
    pub replacement_sku: String,
}

#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(
    summary = "Exchange the {item} on order {order_id} for the {replacement}, for {price_difference} more, \
                   charged to the card used for the order."
)]
pub struct ExchangeTerms {
    pub order_id: String,
    #[term(shown_as = item)]
    pub item_id: String,
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

#[derive(Debug, Serialize, Deserialize, Shape)]
pub struct Exchanged {
    pub exchange_id: String,
    pub return_id: String,
}

pub enum Exchange {}

/// Exchanges one item of a delivered order.
#[operation(action = "orders.exchange", route = "POST /orders/{order_id}/exchanges", scopes = ["orders:write"],
            identity(order_id, item_id), expires_in = "15m", id_prefix = "exc")]
impl Exchange {
    async fn propose(
        shop: &Arc<Shop>,
        session: &Session,
        proposing: &Proposing,
        request: ExchangeRequest,
    ) -> Result<Proposal<ExchangeTerms>, NotOffered> {
        shop.proposals.fetch_add(1, Ordering::SeqCst);
        shop.proposing.lock().unwrap().push(proposing.id().to_string());
        tokio::task::yield_now().await;
        if request.order_id != "ord_7Hk2" {
            return Err(NotOffered::not_found("order_not_found", "there is no such order"));
        }
        if request.replacement_sku == "broken" {
            "not a number".parse::<u8>()?;
        }
        assert_ne!(request.replacement_sku, "panics", "a function of the company's panics");
        let price = *shop.price.lock().unwrap();
        let price = session.context::<&'static str>().copied().unwrap_or(price);
        let required = request.replacement_sku == "needs-user";
        let page = format!("https://example.com/exchanges/{}", proposing.id());
        let sku = request.replacement_sku.clone();
        let proposal = Proposal::new(ExchangeTerms {
            order_id: request.order_id,
            item_id: request.item_id,
            price_difference: Money::parse(price, "USD")?,
            hold: format!("hold-{}", request.replacement_sku),
            item: "Stormline Jacket (M)".into(),
            replacement: format!("Replacement {}", request.replacement_sku).into(),
            replacement_sku: request.replacement_sku,
        })
        .url(page);
        let proposal = match sku.as_str() {
            "held" => proposal.expires_in(Duration::from_secs(60)),
            "held-until" => proposal.expires_at("2026-10-08T12:02:00-07:00".parse()?),
            "gone" => proposal.expires_at("2026-10-08T18:59:59Z".parse()?),
            _ => proposal,
        };
        Ok(if required { proposal.user_approval_required() } else { proposal })
    }

    pub(crate) async fn perform(
        shop: &Arc<Shop>,
        op: Confirmed<ExchangeTerms>,
    ) -> Outcome<Exchanged> {
        shop.started.notify_one();
        let act = *shop.act.lock().unwrap();
        match act {
            Act::Decline => return failed_unchanged("The card was declined; nothing was charged."),
            Act::FailPartway => {
                op.note_change("$70.00 was charged to the card ending in 4242").await;
                shop.effect(&op.terms);
                return failed_after(
                    ["The refund of $70.00 is under way"],
                    "The warehouse is out of it",
                );
            }
            Act::Unknown => {
                return Err::<(), _>("connection reset")
                    .or_unknown("warehouse")
                    .map(|()| unreachable!())?;
            }
            Act::HandOver => return handed_over("warehouse", Duration::from_secs(3600)),
            Act::Panic => panic!("a secret that no agent may read"),
            Act::Wait => shop.let_go.notified().await,
            Act::WaitForStop => {
                op.until_stop_requested().await;
                assert!(op.stop_requested());
                return stopped_unchanged("Stopped as you asked");
            }
            Act::RememberAndHandOver => {
                op.remember("payment", &"pay_1").await?;
                return handed_over("warehouse", Duration::from_secs(3600));
            }
            Act::Remember => op.remember("payment", &"pay_1").await?,
            Act::WaitThenRemember => {
                shop.let_go.notified().await;
                op.remember("payment", &"pay_1").await?;
            }
            Act::Contradict => {
                op.note_change("$70.00 was charged").await;
                return failed_unchanged("The card was declined");
            }
            Act::Succeed => {}
        }
        shop.effect(&op.terms);
        let exchanged =
            Exchanged { exchange_id: op.id().to_string(), return_id: "rtn_8Lp3".into() };
        succeeded("Exchange placed. The insulated jacket ships today.", exchanged)
    }

    async fn reconcile(
        shop: &Arc<Shop>,
        op: &Confirmed<ExchangeTerms>,
    ) -> Result<Finding<Exchanged>, Retry> {
        shop.asks.fetch_add(1, Ordering::SeqCst);
        let find = shop.finds.lock().unwrap().pop_front().unwrap_or(Find::NotSeenYet);
        match find {
            Find::Happened => happened(
                "The exchange had been placed.",
                Exchanged { exchange_id: op.id().to_string(), return_id: "rtn_8Lp3".into() },
            ),
            Find::Partly => partly(["$70.00 was charged"], "The jacket could not be sent"),
            Find::FencedDownstream => did_not_and_cannot(Fence::downstream("payment voided")),
            Find::FencedByCheckpoint => {
                assert_eq!(op.recalled::<String>("payment")?, None, "the fence rests on it");
                did_not_and_cannot(Fence::checkpoint("payment"))
            }
            Find::Mistaken => did_not_and_cannot(Fence::checkpoint("payment")),
            Find::NotSeenYet => not_seen_yet(),
            Find::Error => Err(Retry::because("the warehouse does not answer")),
            Find::Hang => std::future::pending().await,
            Find::Panic => panic!("the question panics"),
        }
    }

    async fn stop(shop: &Arc<Shop>, op: &Confirmed<ExchangeTerms>) -> Result<StopAnswer, Retry> {
        shop.stops.fetch_add(1, Ordering::SeqCst);
        assert!(!op.id().as_str().is_empty());
        let stop = *shop.stop.lock().unwrap();
        Ok(match stop {
            Stops::Asked => StopAnswer::asked(),
            Stops::Cannot => StopAnswer::cannot(),
            Stops::FencedDownstream => StopAnswer::stopped(Fence::downstream("parcel held")),
            Stops::FencedByCheckpoint => StopAnswer::stopped(Fence::checkpoint("payment")),
            Stops::Error => return Err(Retry::because("the warehouse does not answer")),
            Stops::Panic => panic!("the request to stop panics"),
        })
    }

    async fn recheck(
        shop: &Arc<Shop>,
        terms: &ExchangeTerms,
    ) -> Result<Recheck<ExchangeTerms>, NotOffered> {
        let look = *shop.look.lock().unwrap();
        Ok(match look {
            Look::Same => Recheck::Same,
            Look::NotOffered => {
                return Err(NotOffered::new(409, "sold_out", "the jacket is sold out today"));
            }
            Look::Error => return Err("no number".parse::<u8>().unwrap_err().into()),
            Look::Panic => panic!("looking again panics"),
            Look::Gone => Recheck::Gone("The jacket is sold out".to_owned()),
            Look::Dearer => Recheck::Changed(Proposal::new(ExchangeTerms {
                order_id: terms.order_id.clone(),
                item_id: terms.item_id.clone(),
                replacement_sku: terms.replacement_sku.clone(),
                price_difference: Money::parse("75.00", "USD")?,
                hold: terms.hold.clone(),
                item: "Stormline Jacket (M)".into(),
                replacement: "Replacement".into(),
            })),
        })
    }
}

/// Puts a gift note on an order.
#[operation(action = "orders.gift_note", route = "POST /orders/{order_id}/gift-note", scopes = [],
            summary = "Put the note “{note}” into order {order_id}.",
            terms = { order_id: String, note: String }, reconcile = operator)]
pub async fn gift_note(shop: &Arc<Shop>, op: Confirmed<GiftNoteTerms>) -> Outcome {
    shop.effects.fetch_add(1, Ordering::SeqCst);
    if op.terms.note == "lost" {
        return unknown("nobody saw it arrive");
    }
    succeeded(format!("“{}” is in the parcel.", op.terms.note), ())
}
