//! The Personal Agent's side of the Operations extension: ask, show, approve, confirm, follow.
//!
//! An operation's path, in the order of the files:
//!
//! | step | what | where |
//! | --- | --- | --- |
//! | 1 | who the Company is, and where its operations are | [`Agent::negotiate`], [`Company`] |
//! | 2 | the agent asks for an action, the Company proposes | [`OperationsClient::ask`], [`Request`] |
//! | 3 | what the User is shown | [`Proposal::shown`], [`Shown`], [`CompanyText`] |
//! | 4 | the User approves exactly this revision | [`Approver`], [`Approval`], [`StandingPermission`] |
//! | 5 | the agent confirms it | [`OperationsClient::confirm`] |
//! | 6 | the agent reads it until it is final | [`OperationsClient::follow`], [`Outcome`] |
//!
//! What it promises:
//!
//! * Nothing is confirmed without an [`Approval`], and an [`Approval`] comes from the host's own
//!   interface or from a [`StandingPermission`] that covers every term. It is for one revision.
//! * A lost answer is found out about by the same operation id. An action is not asked for again while
//!   its operation is open, also after a restart ([`InFile`]).
//! * A Company that contradicts itself is caught: other terms under the same revision, a state that goes
//!   back, a result that changes.
//! * Tokens, proofs, terms and summaries appear in no `Debug`, no error and no trace.
//!
//! # Examples
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use pap_agent::{
//!     Agent, Answer, Approver, Asked, Decision, Followed, InFile, NoToken, Request, SessionToken,
//!     Shown, Tokens,
//! };
//!
//! struct Terminal;
//!
//! impl Approver for Terminal {
//!     async fn approve(&self, shown: &Shown) -> Answer {
//!         println!("{shown}");
//!         // … and the User's own answer
//! #       Answer::Undecided
//!     }
//! }
//!
//! # async fn exchange(discovery: &[u8], tokens: impl Tokens + 'static) -> Result<(), Box<dyn std::error::Error>> {
//! let agent = Agent::builder(Terminal).open_operations(InFile::open("open-operations.json")?).build()?;
//! let client = agent.negotiate("example.com", discovery, tokens)?;
//!
//! let request = Request::post("https://api.example.com/orders/ord_7Hk2/exchanges")?
//!     .json(&serde_json::json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" }));
//! let Asked::Proposed(proposal) = client.ask(&request).await? else { return Ok(()) };
//!
//! match client.seek_approval(&proposal).await? {
//!     Decision::Approved(approval) => {
//!         let mut followed = client.confirm(approval).await?;
//!         if let Followed::InProgress(_) = followed {
//!             followed = client.follow(proposal.operation_id(), Duration::from_secs(600)).await?;
//!         }
//!         if let Followed::Final(outcome) = followed {
//!             println!("{outcome}");
//!         }
//!     }
//!     Decision::Declined => drop(client.cancel(proposal.operation_id()).await?),
//!     Decision::Undecided => {}
//! }
//! # Ok(())
//! # }
//! ```

mod agent;
mod approval;
mod client;
mod clock;
mod company;
mod digest;
mod error;
mod history;
mod http;
mod open;
mod outcome;
mod request;
mod session;
mod shown;
mod standing;
mod terms;

pub use agent::{Agent, AgentBuilder};
pub use approval::{Answer, Approval, Approver, Decision, Withdrawal};
pub use client::{Asked, OperationsClient, Reply, WebConfirmation};
pub use clock::{Clock, SystemClock, Wait};
pub use company::{Company, NotNegotiated};
pub use digest::{Digest, NotADigest};
pub use error::{Error, NotSent, Refusal, TermsChanged};
pub use history::Contradiction;
pub use http::{Unanswered, Unreadable};
pub use open::{BegunConfirm, InFile, InMemory, NotKept, OpenOperation, OpenOperations};
pub use outcome::{Followed, InProgress, Outcome};
pub use request::{ActionKey, NotARequest, Request};
/// The method of a [`Request`].
pub use reqwest::Method;
pub use session::{NoToken, SessionToken, Tokens};
pub use shown::{CompanyText, Proposal, Shown};
pub use standing::{Condition, NotCovered, StandingPermission, StandingPermissions};
pub use terms::{ChangedTerm, Term, TermValue};
