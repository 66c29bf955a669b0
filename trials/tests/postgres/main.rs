//! What the PostgreSQL store promises, tried on a real server.
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
mod crashing;
mod draft;
mod dropping;
mod fleet;
mod keeping;
mod migrating;
mod operating;
mod planning;
mod pooled;
mod private;
mod promises;
mod proofs;
mod racing;
mod removing;
mod restoring;
mod server;

mod standby;
mod trust;
