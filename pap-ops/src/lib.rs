//! For the people on call: an admin router, metrics, and the command `pap-ops`.
//!
//! * [`router`]: what operators do, as JSON, behind the company's own sign-in. [`form`] is that JSON.
//! * [`prometheus`]: a `Meter` and the page that Prometheus reads.
//! * [`cli`]: the command. It asks the same router, over a store that it opens or over HTTP.
//!
//! None of them tells terms, summaries or results unless it is asked for them.

pub mod admin;
mod causes;
#[cfg(feature = "cli")]
pub mod cli;
pub mod form;
#[cfg(feature = "prometheus")]
pub mod prometheus;

pub use admin::{Guard, Operator, router};
