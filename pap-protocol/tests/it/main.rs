//! What this crate promises about the wire, one module per promise.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what prepares a test fails the test"
)]

mod confirm_request;
#[cfg(feature = "dpop")]
mod dpop;
mod extensions;
mod golden;
mod json;
mod listing;
mod operation;
mod refusal;
mod value;
