//! Trials: nothing is done twice, over real processes, real files and real kills.
//!
//! A [`downstream`] of its own counts effects and knows nothing of operations but their keys. A
//! [`node`] is a company as a process, over a store named on its command line. The [`driver`] starts,
//! kills and pauses nodes, plays the agent, and in the end compares ledger and store operation by
//! operation. [`kills`] and [`soak`] do that in great number; `tests/matrix` proves each row of
//! `docs/failure-matrix.md`.

#![expect(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "nothing outside of the trials uses these"
)]

pub mod cluster;
pub mod dice;
pub mod downstream;
pub mod driver;
pub mod kills;
pub mod machine_clock;
pub mod node;
pub mod place;
pub mod port;
pub mod soak;

/// Anything that keeps a trial from being run. It is never what a trial is about.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;

/// A trial that is broken off leaves no processes behind.
///
/// # Errors
///
/// If the system does not do that.
pub fn die_with_whoever_started_this() -> Result<(), Fault> {
    use rustix::process::{Signal, set_parent_process_death_signal};
    Ok(set_parent_process_death_signal(Some(Signal::KILL))?)
}
