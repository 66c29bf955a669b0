//! Trials: nothing is done twice, over real processes, real files and real kills.

#![expect(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "nothing outside of the trials uses these"
)]

pub mod cluster;

/// Anything that keeps a trial from being run. It is never what a trial is about.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;
