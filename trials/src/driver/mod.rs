//! Starts, kills and pauses processes, plays the agent, and compares what is on record.

pub mod agent;
pub mod compare;
pub mod errand;
mod order;
pub mod process;
pub mod record;
pub mod settle;
pub mod street;
