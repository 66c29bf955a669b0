//! Strict JSON: what two readers could understand differently is refused before anything is decoded.
//!
//! [`strict`] accepts UTF-8 text that is one JSON value, within limits of size and depth, in which no
//! object has two members of one name, however the names are escaped. [`strict_as`] decodes it. What is
//! refused says where and why, and never repeats a value: values are terms and tokens.

mod canonical;
mod decode;
mod refused;
mod strict;
mod token;

pub use canonical::{canonical, project};
pub(crate) use decode::{OnlyObject, not_null, object_or_null, only_object};
pub use decode::{decode, strict_as};
pub use refused::Refused;
pub use strict::{Limits, strict};
