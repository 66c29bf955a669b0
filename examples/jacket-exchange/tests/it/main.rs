//! The shop from its start to its exit: real processes, real files, HTTP.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on fails"
)]

mod command;
mod crashes;
mod endings;
mod readme;
mod shop;
mod story;
mod website;
