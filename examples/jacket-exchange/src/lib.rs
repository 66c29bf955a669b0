//! Example Outfitters: the specification's jacket exchange, as a shop that was there before.
//!
//! Read it in this order.
//!
//! | file | what it shows |
//! | --- | --- |
//! | `shop` | the shop as it was: orders, cards, a warehouse, and a ledger that counts effects |
//! | `web` | its website, which goes on performing at once for a visitor with a cookie |
//! | `company` | how the toolkit is adopted: a builder, and one line in front of the router |
//! | `sessions` | which Session a Session Token stands for |
//! | `operations` | what can be proposed: five operations that end in different ways |
//! | [`serve`] | the process, and where it can be told to die |
//! | [`story`] | a Personal Agent that uses all of it |
//!
//! `cargo run -p jacket-exchange` plays all of it with a Personal Agent; `-- serve` serves.

mod company;
mod operations;
pub mod serve;
mod sessions;
mod shop;
pub mod story;
mod web;

pub use company::{ORIGIN, open};
pub use operations::operations;
pub use sessions::{NewSession, SessionTable};
pub use shop::{Fault, HoldId, ItemId, OrderId, PaymentId, ReturnId, Shop, Sku};
pub use web::router as website;
