//! What the shop names things by.

use std::fmt::{Display, Formatter};

use pap_runtime::Term;
use serde::{Deserialize, Serialize};

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Term)]
        #[expect(clippy::exhaustive_structs, reason = "a name is its text")]
        pub struct $name(pub String);

        impl Display for $name {
            fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

names! {
    /// Identifies an order, such as `ord_7Hk2`.
    OrderId,
    /// Identifies one item of an order, such as `itm_4Qa`.
    ItemId,
    /// Identifies a product, such as `stormline-insulated-m`.
    Sku,
    /// Identifies a hold on stock.
    HoldId,
    /// Identifies a payment in the card system.
    PaymentId,
    /// Identifies a return, such as `rtn_8Lp3`.
    ReturnId,
}
