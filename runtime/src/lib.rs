//! Declare an operation once: it is proposed, confirmed, and performed at most once.
//!
//! One operation's path, in the order of the files:
//!
//! | step | file | yields |
//! | --- | --- | --- |
//! | 1 a company proposes | `propose` | a revision |
//! | 2 it is kept | [`store`] | |
//! | 3 the agent confirms | `confirm`, or `deferred` where there is no room | the right to perform, once |
//! | 4 the company performs | `perform`, or `recover` after a crash | an [`Outcome`] |
//! | 5 the agent reads | `track` | |
//!
//! Off the path: `cancel`, `revise`, `settle`, `heart`, `sweep`. [`Company`] is the only place where the steps meet.

#[cfg(feature = "failpoints")]
#[macro_use]
pub mod failpoint;
#[cfg(not(feature = "failpoints"))]
#[macro_use]
mod failpoint;

// words, read once before step 1
mod access;
mod action;
mod attention;
mod backoff;
mod caught;
mod claimed;
pub mod clock;
mod confirmed;
#[doc(hidden)]
pub mod declaration;
mod describe;
mod ending;
mod engine;
mod finding;
mod issue;
mod late;
mod lifecycle;
pub mod meter;
mod offered;
mod operations;
mod outcome;
mod present;
mod proposal;
mod recorder;
mod reference;
mod refusal;
mod released;
mod role;
mod rooms;
mod session;
#[cfg(feature = "http")]
mod sessions;
mod stops;
pub mod terms;
mod wait;

// the path
pub mod company;
mod confirm;
mod deferred;
mod perform;
mod propose;
mod recover;
pub mod store;
mod track;

// off the path
mod cancel;
mod heart;
pub mod operators;
mod revise;
mod settle;
mod sweep;

// edges
#[cfg(feature = "http")]
pub mod http;
#[doc(hidden)]
pub mod private;

#[doc = include_str!("docs/shape.md")]
pub use pap_macros::Shape;
#[doc = include_str!("docs/term.md")]
pub use pap_macros::Term;
#[doc = include_str!("docs/terms.md")]
pub use pap_macros::Terms;
#[doc = include_str!("docs/operation.md")]
pub use pap_macros::operation;
#[doc = include_str!("docs/operations.md")]
pub use pap_macros::operations;
#[cfg(feature = "http")]
pub use pap_protocol::dpop;
pub use pap_protocol::extensions::ExtensionDescriptor;
pub use pap_protocol::operation::{
    ApprovedBy, ConfirmRequest, Operation, OperationId, Revision, State,
};
pub use pap_protocol::{catalogue, value};

pub use attention::Attention;
pub use company::Company;
pub use confirmed::{Confirmed, NotRemembered, NotSettled};
pub use describe::{ASKED_BY, catalogue as describe, describe_if_asked};
pub use finding::{
    Fence, Finding, Retry, StopAnswer, did_not_and_cannot, happened, not_seen_yet, partly,
};
pub use lifecycle::{Move, after};
pub use operations::Operations;
pub use outcome::{
    FailedUnchanged, NotSucceeded, OrSay, Outcome, SaysIfItHappened, Settled, Succeeded, Unknown,
    failed_after, failed_unchanged, handed_over, stopped_after, stopped_unchanged, succeeded,
    unknown,
};
pub use proposal::{NotOffered, Proposal, Proposing, Recheck};
pub use refusal::Refusal;
pub use released::{Released, ReleasedBecause};
pub use role::Role;
pub use rooms::Limits;
pub use session::Session;
pub use settle::SettledBy;
pub use terms::{Shape, Shown, Term, Terms};

#[cfg(feature = "testing")]
pub mod testing;

/// The front page's Rust compiles and runs as it stands there.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;

/// So does that of the guides.
#[cfg(all(doctest, feature = "http", feature = "postgres", feature = "sqlite"))]
mod guides {
    #[doc = include_str!("../../docs/deployment.md")]
    struct Deployment;
    #[doc = include_str!("../../docs/reconcile.md")]
    struct Reconcile;
}
