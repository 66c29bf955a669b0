//! Two proofs of "performed at most once" that need no database and no process.
//!
//! [`model`] is the protocol of the store, small enough that every order of events is tried. [`history`] runs
//! the engine itself, on several nodes, through random histories with faults.

pub mod history;
pub mod model;
