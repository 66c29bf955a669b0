//! The company side, driven as its users drive it: HTTP in, HTTP out, or by the bench.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "anything unexpected ends the test"
)]
#![expect(clippy::clone_on_ref_ptr, unreachable_pub, reason = "one binary that nothing else uses")]

mod depot;
mod faulty;
mod fleet;
mod lab;
mod shop;
mod town;

mod access;
mod addresses;
mod at_most_once;
mod bad_input;
mod bench;
mod cancelling;
mod changes;
mod checks;
mod confirming;
mod deferring;
mod describing;
mod draining;
mod edge;
mod holding_back;
mod late;
mod limits;
mod lives;
mod logging;
mod operating;
mod proofs;
mod proposing;
mod recovery;
mod remembered;
mod repeated;
mod revisions;
mod stopping;
mod sweeping;
mod too_slow;
mod unavailable;
mod under_faults;
mod unknown_terms;
mod upgrades;
