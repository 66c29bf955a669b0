//! An action that can end halfway: the label is mailed, then the refund is refused.

use pap_runtime::value::Money;
use pap_runtime::{
    Confirmed, Fence, Finding, NotOffered, OrSay, Outcome, Retry, Session, Shape, Shown, Terms,
    did_not_and_cannot, failed_after, failed_unchanged, happened, operation, partly, succeeded,
};
use serde::{Deserialize, Serialize};

use super::{item_of, order_of};
use crate::shop::{CardError, ItemId, Job, Order, OrderId, Shop, usd};

/// What the agent sends; both ids are in the path.
#[derive(Debug, Clone, Serialize, Deserialize, Shape)]
pub(crate) struct ReturnRequest {
    /// The order it came in.
    pub(crate) order_id: OrderId,
    /// The item to send back.
    pub(crate) item_id: ItemId,
}

/// What the User approves.
#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(
    summary = "Return the {item} of order {order_id}: a label is emailed, and {refund} is refunded to the card used for the order."
)]
pub(crate) struct ReturnTerms {
    /// The order it came in.
    pub(crate) order_id: OrderId,
    /// The item to send back.
    #[term(subject, shown_as = item)]
    pub(crate) item_id: ItemId,
    /// What the User gets back.
    #[term(refund)]
    pub(crate) refund: Money,
    /// The item by its name.
    #[term(shown_only)]
    pub(crate) item: Shown,
}

/// The return, as a marker for `operations![…]`.
#[derive(Debug)]
pub(crate) enum Return {}

/// Returns one item of a delivered order.
#[operation(
    action = "orders.return",
    route = "POST /orders/{order_id}/items/{item_id}/return",
    scopes = ["orders:write"],
    id_prefix = "rtn"
)]
impl Return {
    /// The refund is what was paid.
    async fn propose(
        shop: &Shop,
        session: &Session,
        request: ReturnRequest,
    ) -> Result<ReturnTerms, NotOffered> {
        let order = order_of(shop, session, &request.order_id).await?;
        let item = item_of(shop, &order, &request.item_id).await?;
        Ok(ReturnTerms {
            order_id: request.order_id,
            item_id: request.item_id,
            refund: usd(item.price_cents)?,
            item: item.title.into(),
        })
    }

    /// Mails the label, then refunds. What was done when the second is refused, is told.
    async fn perform(shop: &Shop, op: Confirmed<ReturnTerms>) -> Outcome {
        let order = shop.order(op.account(), &op.terms.order_id).await.or_unknown("shop")?;
        let Some(order) = order else { return failed_unchanged("The order is gone") };
        op.remember("label", &order.email).await?;
        let label = shop.mail_label(&op.terms.item_id, op.idempotency_key("label")).await;
        if label.or_unknown("post")? == Job::Burned {
            return failed_unchanged("The item was exchanged or returned meanwhile");
        }
        op.note_change(mailed(&order)).await;
        match refund(shop, &op, &order).await {
            Err(no) if no.declined() => failed_after([&mailed(&order)], refused(&no)),
            other => {
                other.or_unknown("card system")?;
                succeeded(refunded(&op, &order), ())
            }
        }
    }

    /// A label that was not mailed is never mailed from here on; a mailed one is refunded by its key.
    async fn reconcile(shop: &Shop, op: &Confirmed<ReturnTerms>) -> Result<Finding, Retry> {
        if op.recalled::<String>("label")?.is_none() {
            return did_not_and_cannot(Fence::checkpoint("label"));
        }
        if shop.burn("label mailed", op.idempotency_key("label")).await? == Job::Burned {
            return did_not_and_cannot(Fence::downstream("the label's key is burned"));
        }
        let order = shop.order(op.account(), &op.terms.order_id).await?;
        let order = order.ok_or_else(|| Retry::because("the order is gone"))?;
        op.note_change(mailed(&order)).await;
        match refund(shop, op, &order).await {
            Ok(()) => happened(refunded(op, &order), ()),
            Err(no) if no.declined() => partly([&mailed(&order)], refused(&no)),
            Err(error) => Err(error.into()),
        }
    }
}

async fn refund(shop: &Shop, op: &Confirmed<ReturnTerms>, order: &Order) -> Result<(), CardError> {
    let (amount, item) = (&op.terms.refund, &op.terms.item_id.0);
    shop.refund(order, amount, item, op.idempotency_key("refund")).await
}

fn mailed(order: &Order) -> String {
    format!("A return label was emailed to {}", order.email)
}

fn refused(no: &CardError) -> String {
    format!("The refund was refused by the card system ({no}); please call us")
}

fn refunded(op: &Confirmed<ReturnTerms>, order: &Order) -> String {
    format!("{} was refunded to the card ending in {}.", op.terms.refund, order.last4)
}
