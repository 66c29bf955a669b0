//! The specification's own example: another jacket for the one that was delivered, for $70.00 more.

use std::time::Duration;

use pap_runtime::value::Money;
use pap_runtime::{
    Confirmed, Fence, Finding, NotOffered, OrSay, Outcome, Proposal, Proposing, Recheck, Retry,
    Session, Shape, Shown, StopAnswer, Terms, did_not_and_cannot, failed_after, failed_unchanged,
    happened, not_seen_yet, operation, partly, stopped_unchanged, succeeded, unknown,
};
use serde::{Deserialize, Serialize};

use super::{item_of, order_of};
use crate::shop::{
    CardError, Fault, HoldId, ItemId, Order, OrderId, PaymentId, PaymentState, PlaceError,
    ReturnId, Shop, Sku, usd,
};

/// How long the replacement is held for the User, and the proposal with it.
const HELD_FOR: Duration = Duration::from_secs(15 * 60);

/// What the agent sends; `order_id` is in the path.
#[derive(Debug, Clone, Serialize, Deserialize, Shape)]
pub(crate) struct ExchangeRequest {
    /// The order it came in.
    pub(crate) order_id: OrderId,
    /// The item to send back.
    pub(crate) item_id: ItemId,
    /// What to send instead.
    pub(crate) replacement_sku: Sku,
}

/// What the User approves.
#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(
    summary = "Exchange the {item} on order {order_id} for the {replacement}, for {price_difference} more, charged to the card used for the order."
)]
pub(crate) struct ExchangeTerms {
    /// The order it came in.
    pub(crate) order_id: OrderId,
    /// The item to send back.
    #[term(subject, shown_as = item)]
    pub(crate) item_id: ItemId,
    /// What is sent instead.
    #[term(shown_as = replacement)]
    pub(crate) replacement_sku: Sku,
    /// What the User pays on top.
    #[term(charge)]
    pub(crate) price_difference: Money,
    /// The piece that waits in the warehouse.
    #[term(private = "which stock hold to use; changes nothing the User decides")]
    pub(crate) hold: HoldId,
    /// The item by its name.
    #[term(shown_only)]
    pub(crate) item: Shown,
    /// The replacement by its name.
    #[term(shown_only)]
    pub(crate) replacement: Shown,
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize, Shape)]
pub(crate) struct Exchanged {
    /// The operation's id is the shop's number for the exchange.
    pub(crate) exchange_id: String,
    /// The shop's number for the item's way back.
    pub(crate) return_id: ReturnId,
}

/// The exchange, as a marker for `operations![…]`.
#[derive(Debug)]
pub(crate) enum Exchange {}

/// Exchanges one item of a delivered order for something dearer.
///
/// The difference is charged to the card that paid for the order.
#[operation(
    action = "orders.exchange",
    route = "POST /orders/{order_id}/exchanges",
    scopes = ["orders:write"],
    identity(order_id, item_id),
    user_approval = required,
    id_prefix = "exc"
)]
impl Exchange {
    /// Looks the price up and holds the replacement. The hold ends by itself.
    async fn propose(
        shop: &Shop,
        session: &Session,
        proposing: &Proposing,
        request: ExchangeRequest,
    ) -> Result<Proposal<ExchangeTerms>, NotOffered> {
        let order = order_of(shop, session, &request.order_id).await?;
        let item = item_of(shop, &order, &request.item_id).await?;
        let product = shop.product(&request.replacement_sku).await?;
        let product = product
            .ok_or_else(|| NotOffered::unacceptable("unknown_sku", "we do not sell that"))?;
        let difference = product.price_cents.saturating_sub(item.price_cents);
        if difference <= 0 {
            let why = "an exchange for the same price or less is made on our website";
            return Err(NotOffered::unacceptable("not_dearer", why));
        }
        let hold = HoldId(format!("hold_{}", proposing.id()));
        let until = proposing.now().saturating_add(HELD_FOR);
        if !shop.hold(&hold, &request.replacement_sku, until, proposing.now()).await? {
            return Err(NotOffered::new(409, "sold_out", "the replacement is sold out"));
        }
        let terms = ExchangeTerms {
            order_id: request.order_id,
            item_id: request.item_id,
            replacement_sku: request.replacement_sku,
            price_difference: usd(difference)?,
            hold,
            item: item.title.into(),
            replacement: product.title.into(),
        };
        Ok(Proposal::new(terms).expires_at(until))
    }

    /// On the website the item may have been exchanged meanwhile.
    async fn recheck(
        shop: &Shop,
        terms: &ExchangeTerms,
    ) -> Result<Recheck<ExchangeTerms>, NotOffered> {
        let item = shop.item(&terms.order_id, &terms.item_id).await?;
        Ok(match item {
            Some(item) if !item.gone => Recheck::Same,
            _ => Recheck::Gone("The item was exchanged or returned meanwhile".to_owned()),
        })
    }

    /// Charges the card and sends the replacement.
    async fn perform(shop: &Shop, op: Confirmed<ExchangeTerms>) -> Outcome<Exchanged> {
        let Some(order) = order(shop, &op).await.or_unknown("shop")? else {
            return failed_unchanged("The order is gone");
        };
        let payment = prepare(shop, &op, &order).await.or_unknown("card system")?;
        // a fence: it is refused once recovery has begun, and no effect comes before it
        op.remember("payment", &payment).await?;
        if op.stop_requested() {
            shop.void(&payment).await.or_unknown("card system")?;
        }
        match shop.capture(&payment).await {
            Err(no) if no.declined() && op.stop_requested() => {
                return stopped_unchanged("Stopped as you asked, before the card was charged");
            }
            Err(no) if no.declined() => return failed_unchanged("The card was declined"),
            other => other.or_unknown("card system")?,
        }
        op.note_change(charged(&op, &order)).await;
        match place(shop, &op).await {
            Ok(return_id) => succeeded(sent(shop, &op).await, exchanged(&op, return_id)),
            Err(PlaceError::Refused(why)) => {
                shop.give_back(&payment).await.or_unknown("card system")?;
                failed_after([&given_back(&op)], format!("Nothing was sent: {why}"))
            }
            Err(PlaceError::Fault(fault)) => unknown(format!("warehouse: {fault}")),
        }
    }

    /// After a crash the payment says how far it came. What can be finished by its key is finished.
    async fn reconcile(
        shop: &Shop,
        op: &Confirmed<ExchangeTerms>,
    ) -> Result<Finding<Exchanged>, Retry> {
        let Some(payment) = op.recalled::<PaymentId>("payment")? else {
            return did_not_and_cannot(Fence::checkpoint("payment"));
        };
        let stands = shop.void(&payment).await?;
        if stands == PaymentState::Voided {
            // nothing is sent before the card is charged, and now it never is
            return did_not_and_cannot(Fence::downstream("the payment is voided"));
        }
        let Some(order) = order(shop, op).await? else { return not_seen_yet() };
        // told once, also if `perform` had noted it
        op.note_change(charged(op, &order)).await;
        if stands == PaymentState::Refunded {
            return partly([&given_back(op)], "Nothing was sent");
        }
        match place(shop, op).await {
            Ok(return_id) => happened(sent(shop, op).await, exchanged(op, return_id)),
            Err(PlaceError::Refused(why)) => {
                shop.give_back(&payment).await?;
                partly([&given_back(op)], format!("Nothing was sent: {why}"))
            }
            Err(PlaceError::Fault(fault)) => Err(fault.into()),
        }
    }

    /// Stops it if the card was not charged yet.
    async fn stop(shop: &Shop, op: &Confirmed<ExchangeTerms>) -> Result<StopAnswer, Retry> {
        let Some(payment) = op.recalled::<PaymentId>("payment")? else {
            return Ok(StopAnswer::asked());
        };
        if shop.void(&payment).await? == PaymentState::Voided {
            Ok(StopAnswer::stopped(Fence::downstream("the payment is voided")))
        } else {
            Ok(StopAnswer::cannot())
        }
    }
}

type Op = Confirmed<ExchangeTerms>;

async fn order(shop: &Shop, op: &Op) -> Result<Option<Order>, Fault> {
    shop.order(op.account(), &op.terms.order_id).await
}

async fn prepare(shop: &Shop, op: &Op, order: &Order) -> Result<PaymentId, CardError> {
    let (amount, item) = (&op.terms.price_difference, &op.terms.item_id.0);
    shop.prepare_payment(order, amount, item, op.idempotency_key("pay")).await
}

async fn place(shop: &Shop, op: &Op) -> Result<ReturnId, PlaceError> {
    let terms = &op.terms;
    let key = op.idempotency_key("warehouse");
    shop.place_exchange(&terms.item_id, &terms.replacement_sku, Some(&terms.hold), key).await
}

async fn sent(shop: &Shop, op: &Op) -> String {
    let product = shop.product(&op.terms.replacement_sku).await.ok().flatten();
    let replacement = product.map_or_else(|| "replacement".to_owned(), |product| product.title);
    format!(
        "Exchange placed. The {replacement} ships today, and a return label for the original was emailed."
    )
}

fn charged(op: &Op, order: &Order) -> String {
    format!("{} was charged to the card ending in {}", op.terms.price_difference, order.last4)
}

fn given_back(op: &Op) -> String {
    format!("{} was given back", op.terms.price_difference)
}

fn exchanged(op: &Op, return_id: ReturnId) -> Exchanged {
    Exchanged { exchange_id: op.id().to_string(), return_id }
}
