//! From tokens to what was written, with the place of every value.

pub(crate) mod case;
pub(crate) mod data;
pub(crate) mod given;
pub(crate) mod item;
pub(crate) mod serde;
pub(crate) mod spelled;
