//! The command and the router over real operations in every state, and the built program over a real file.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "anything unexpected ends the test"
)]
#![expect(clippy::clone_on_ref_ptr, unreachable_pub, reason = "one binary that nothing else uses")]

mod console;
mod shop;
mod terminal;

mod alerts;
mod changing;
mod file;
mod keeping;
mod looking;
mod metrics;
mod over_http;
mod restoring;
