//! The engine itself, several nodes of it on one store, through random histories.
//!
//! [`History::of`] makes one from a seed, [`play`] runs it on a clock that goes on by itself, and [`shrunk`]
//! makes a short one from one that fails.
#![expect(clippy::wildcard_enum_match_arm, reason = "what is not named goes the ordinary way")]

mod agent;
mod downstream;
mod orders;
mod play;
mod process;
mod random;
mod shrink;
mod steps;
mod store;
mod town;
mod trace;

pub use play::{Failed, Played, play, traced};
pub use shrink::shrunk;
pub use steps::{Act, Asked, Call, Fault, Fence, History, NODES, Nodes, Step, Way, What};
pub use store::Broken;
