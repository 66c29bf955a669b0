//! An action that a permission given earlier may cover: every term is one that a machine can check.

use pap_runtime::value::Money;
use pap_runtime::{
    Confirmed, Fence, Finding, NotOffered, OrSay, Outcome, Retry, Session, Shape, Term, Terms,
    did_not_and_cannot, failed_unchanged, happened, operation, succeeded,
};
use serde::{Deserialize, Serialize};

use super::order_of;
use crate::shop::{CardError, Job, Order, OrderId, PaymentId, PaymentState, Shop, usd};

/// The paper to wrap it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Term)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Paper {
    /// Recycled brown paper.
    #[term(say = "brown paper")]
    Brown,
    /// Blue paper with stars.
    #[term(say = "paper with stars")]
    Stars,
}

/// What the agent sends; `order_id` is in the path.
#[derive(Debug, Clone, Serialize, Deserialize, Shape)]
pub(crate) struct GiftWrapRequest {
    /// The order, before it ships.
    pub(crate) order_id: OrderId,
    /// The paper.
    pub(crate) paper: Paper,
}

/// What the User approves, or gave a permission for.
#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(
    summary = "Gift-wrap order {order_id} in {paper}, for {fee}, charged to the card used for the order."
)]
pub(crate) struct GiftWrapTerms {
    /// The order.
    #[term(subject)]
    pub(crate) order_id: OrderId,
    /// The paper.
    pub(crate) paper: Paper,
    /// What it costs.
    #[term(charge)]
    pub(crate) fee: Money,
}

/// Works the fee out.
async fn propose(
    shop: &Shop,
    session: &Session,
    request: GiftWrapRequest,
) -> Result<GiftWrapTerms, NotOffered> {
    let order = order_of(shop, session, &request.order_id).await?;
    if order.delivered {
        return Err(NotOffered::new(409, "already_shipped", "the order has shipped"));
    }
    let cents = match request.paper {
        Paper::Brown => 300,
        Paper::Stars => 500,
    };
    Ok(GiftWrapTerms { order_id: request.order_id, paper: request.paper, fee: usd(cents)? })
}

/// Gift-wraps an order before it ships.
#[operation(
    action = "orders.gift_wrap",
    route = "POST /orders/{order_id}/gift-wrap",
    scopes = ["orders:write"],
    identity(order_id),
    propose = propose,
    request = GiftWrapRequest,
    reconcile = reconcile,
    id_prefix = "gft"
)]
pub(crate) async fn gift_wrap(shop: &Shop, op: Confirmed<GiftWrapTerms>) -> Outcome {
    let order = shop.order(op.account(), &op.terms.order_id).await.or_unknown("shop")?;
    let Some(order) = order else { return failed_unchanged("The order is gone") };
    let payment = prepare(shop, &op, &order).await.or_unknown("card system")?;
    op.remember("payment", &payment).await?;
    match shop.capture(&payment).await {
        Err(no) if no.declined() => return failed_unchanged("The card was declined"),
        other => other.or_unknown("card system")?,
    }
    op.note_change(charged(&op, &order)).await;
    wrap(shop, &op).await.or_unknown("wrapping table")?;
    succeeded("The order will be gift-wrapped.", ())
}

/// The same steps by the same keys: what was not done is done now, or can no longer be.
async fn reconcile(shop: &Shop, op: &Confirmed<GiftWrapTerms>) -> Result<Finding, Retry> {
    let Some(payment) = op.recalled::<PaymentId>("payment")? else {
        return did_not_and_cannot(Fence::checkpoint("payment"));
    };
    if shop.void(&payment).await? == PaymentState::Voided {
        return did_not_and_cannot(Fence::downstream("the payment is voided"));
    }
    let order = shop.order(op.account(), &op.terms.order_id).await?;
    let order = order.ok_or_else(|| Retry::because("the order is gone"))?;
    op.note_change(charged(op, &order)).await;
    wrap(shop, op).await?;
    happened("The order will be gift-wrapped.", ())
}

async fn prepare(
    shop: &Shop,
    op: &Confirmed<GiftWrapTerms>,
    order: &Order,
) -> Result<PaymentId, CardError> {
    let (fee, reference) = (&op.terms.fee, &op.terms.order_id.0);
    shop.prepare_payment(order, fee, reference, op.idempotency_key("pay")).await
}

async fn wrap(shop: &Shop, op: &Confirmed<GiftWrapTerms>) -> Result<Job, crate::shop::Fault> {
    let reference = op.terms.order_id.0.as_str();
    shop.have_done("gift wrapped", reference, op.idempotency_key("wrap")).await
}

fn charged(op: &Confirmed<GiftWrapTerms>, order: &Order) -> String {
    format!("{} was charged to the card ending in {}", op.terms.fee, order.last4)
}
