//! What the shop's Personal Agents can have proposed. An operation is one function or `impl` and one
//! word in this list.

mod exchange;
mod note;
mod repair;
mod returns;
#[cfg(test)]
mod tests;
mod wrapping;

use pap_runtime::{NotOffered, Operations, Session, operations};

use crate::shop::{Item, ItemId, Order, OrderId, Shop};
use exchange::Exchange;
use note::gift_note;
use repair::Repair;
use returns::Return;
use wrapping::gift_wrap;

/// All of them.
pub fn operations() -> Operations<Shop> {
    operations![Exchange, gift_wrap, gift_note, Return, Repair]
}

/// The order, if it is the Session's account's.
async fn order_of(shop: &Shop, session: &Session, order: &OrderId) -> Result<Order, NotOffered> {
    let found = shop.order(session.account(), order).await?;
    found.ok_or_else(|| NotOffered::not_found("order_not_found", "you have no such order"))
}

/// An item of a delivered order that is still with the User.
async fn item_of(shop: &Shop, order: &Order, item: &ItemId) -> Result<Item, NotOffered> {
    let found = shop.item(&order.id, item).await?;
    let found = found
        .ok_or_else(|| NotOffered::not_found("item_not_found", "there is no such item in it"))?;
    if !order.delivered || found.gone {
        let why = "the item is not with you: it is on its way, or was exchanged or returned";
        return Err(NotOffered::new(409, "item_not_there", why));
    }
    Ok(found)
}
