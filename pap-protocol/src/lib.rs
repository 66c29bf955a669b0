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
//! | [`catalogue`] | what a Company declared, as data for the command line |

pub mod catalogue;
pub mod extensions;
pub mod json;
pub mod operation;
pub mod refusal;
mod text;
pub mod value;
