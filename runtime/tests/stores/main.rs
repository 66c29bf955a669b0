//! What the stores promise, tried on the stores themselves.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on ends"
)]

mod acting;
mod copies;
mod counting;
mod damage;
mod draft;
mod erasing;
mod full_disk;
mod histories;
mod model;
mod processes;
mod promises;
mod reopening;
