//! An action whose outcome is not known at first: the workshop takes it and does not say so.

use pap_runtime::{
    Confirmed, Finding, NotOffered, OrSay, Outcome, Retry, Session, Shape, Shown, Terms, happened,
    not_seen_yet, operation, succeeded,
};
use serde::{Deserialize, Serialize};

use super::{item_of, order_of};
use crate::shop::{ItemId, OrderId, Shop};

/// What the agent sends; both ids are in the path.
#[derive(Debug, Clone, Serialize, Deserialize, Shape)]
pub(crate) struct RepairRequest {
    /// The order it came in.
    pub(crate) order_id: OrderId,
    /// The item to repair.
    pub(crate) item_id: ItemId,
    /// What is broken.
    pub(crate) what: String,
}

/// What the User approves.
#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(summary = "Repair the {item} of order {order_id} under warranty, at no cost: {what}.")]
pub(crate) struct RepairTerms {
    /// The order it came in.
    pub(crate) order_id: OrderId,
    /// The item to repair.
    #[term(subject, shown_as = item)]
    pub(crate) item_id: ItemId,
    /// What is broken.
    pub(crate) what: String,
    /// The item by its name.
    #[term(shown_only)]
    pub(crate) item: Shown,
}

/// The repair, as a marker for `operations![…]`.
#[derive(Debug)]
pub(crate) enum Repair {}

/// Books a repair with the workshop.
#[operation(
    action = "orders.repair",
    route = "POST /orders/{order_id}/items/{item_id}/repairs",
    scopes = ["orders:write"],
    identity(order_id, item_id),
    id_prefix = "rep"
)]
impl Repair {
    /// The warranty covers everything that was delivered.
    async fn propose(
        shop: &Shop,
        session: &Session,
        request: RepairRequest,
    ) -> Result<RepairTerms, NotOffered> {
        let order = order_of(shop, session, &request.order_id).await?;
        let item = item_of(shop, &order, &request.item_id).await?;
        Ok(RepairTerms {
            order_id: request.order_id,
            item_id: request.item_id,
            what: request.what,
            item: item.title.into(),
        })
    }

    /// Sends the booking. No answer is no failure.
    async fn perform(shop: &Shop, op: Confirmed<RepairTerms>) -> Outcome {
        let (item, key) = (&op.terms.item_id.0, op.idempotency_key("booking"));
        shop.book_repair(item, key).await.or_unknown("workshop")?;
        succeeded(BOOKED, ())
    }

    /// Asks the workshop for the booking. One that it does not have may still be on its way.
    async fn reconcile(shop: &Shop, op: &Confirmed<RepairTerms>) -> Result<Finding, Retry> {
        if shop.has_booking(op.idempotency_key("booking")).await? {
            return happened(BOOKED, ());
        }
        not_seen_yet()
    }
}

const BOOKED: &str = "The repair is booked. A box to send the item in is on its way to you.";
