//! Each row of `docs/failure-matrix.md` over real processes: its only acceptable outcome, and what must never be.
//!
//! A test's name begins with its row. Each runs on every store that is there.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "anything unexpected ends the test"
)]

mod a_claim;
mod b_races;
mod beside;
mod c_performing;
mod d_recovery;
mod e_clock;
mod e_rolling;
mod e_server;
mod e_store;
mod fleet;
mod full_disk;
mod table;
mod trial;
mod wrong;
