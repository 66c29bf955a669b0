//! For a company's own tests: confirmed terms, Session Tokens and proofs, and a bench on which one
//! operation is proposed, confirmed, crashed and reconciled without HTTP, on a clock the test moves.
//!
//! Feature `testing`.

mod bench;
mod confirmed;
mod crashing;
#[cfg(feature = "http")]
mod sessions;

pub use bench::Bench;
pub use confirmed::{Observed, confirmed, confirmed_observed, released};
pub use crashing::{Crash, Crashing};
#[cfg(feature = "http")]
pub use sessions::{TestAgent, TestSessions};
