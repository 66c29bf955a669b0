//! Trials: nothing is done twice, over real processes, real files and real kills.

pub mod cluster;

/// Anything that keeps a trial from being run. It is never what a trial is about.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;
