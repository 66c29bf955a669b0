//! The words and the wire of the Operations extension (version 1) of the Personal Agent Protocol.
//!
//! No I/O and no clock: bytes and moments come in as arguments.
//!
//! | module | what it has |
//! | --- | --- |
//! | [`operation`] | the operation with its parts, and what a confirm says (sections 3 to 5) |
//! | [`refusal`] | the error codes, their statuses, bodies and challenges (section 9) |
//! | [`value`] | what terms are made of: moments, days, decimals, money, addresses |
//! | [`json`] | strict reading, canonical text |
//! | [`extensions`] | which extensions two sides use with each other |
//! | [`discovery`], [`client_metadata`] | where each side lists them (section 2) |
//! | `dpop` (feature `dpop`) | proofs of possession: make them, verify them |
//! | [`catalogue`] | what a Company declared, as data for the command line |
//! | [`shapes`] | whether the stored form of terms changed without a new version |

pub mod catalogue;
pub mod client_metadata;
pub mod discovery;
#[cfg(feature = "dpop")]
pub mod dpop;
pub mod extensions;
pub mod json;
pub mod operation;
pub mod refusal;
pub mod shapes;
mod text;
pub mod value;
