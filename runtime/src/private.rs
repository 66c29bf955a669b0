//! The only names that generated code may use. Not an interface: they change with every version.

use std::future::Future;
use std::pin::Pin;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::confirmed::Confirmed;
pub use crate::declaration::{
    Facts, Field, OperationDeclaration, Piece, Record, Route, Schema, Seen, Segment,
    TermsDeclaration, Variant, Word,
};
use crate::finding::{Finding, Retry, StopAnswer};
use crate::outcome::Outcome;
use crate::proposal::{NotOffered, Proposal, Proposing, Recheck};
use crate::session::Session;
pub use crate::terms::{Reader, Said, Shape, Term, Terms, problem_in, render};
pub use pap_protocol::catalogue::{Reconcile, Role, UserApproval, WithoutExtension};

/// A future that generated code boxes once per call.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An operation as declared with `#[operation]`: a marker type and its functions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operation",
    label = "no `#[operation]` here",
    note = "put `#[operation(..)]` on an `impl {Self}` block with `propose` and `perform`, or on the function"
)]
pub trait Declared: Send + Sync + 'static {
    /// The company's own state, the first `&T` of each function.
    type State: Send + Sync + 'static;
    /// What a caller sends.
    type Request: Shape + Serialize + DeserializeOwned + Send + 'static;
    /// What the User approves.
    type Terms: Terms;
    /// `result.data`.
    type Result: Shape + Serialize + Send + 'static;

    /// What the author declared.
    const OPERATION: &'static OperationDeclaration;

    /// Works out the terms. Performs nothing.
    fn propose<'a>(
        state: &'a Self::State,
        session: &'a Session,
        proposing: &'a Proposing,
        request: Self::Request,
    ) -> Pending<'a, Result<Proposal<Self::Terms>, NotOffered>>;

    /// Performs the action, at most once.
    fn perform(
        state: &Self::State,
        op: Confirmed<Self::Terms>,
    ) -> Pending<'_, Outcome<Self::Result>>;

    /// Finds out whether it happened; `reconcile = operator` leaves it to a person.
    fn reconcile<'a>(
        _state: &'a Self::State,
        _op: &'a Confirmed<Self::Terms>,
    ) -> Pending<'a, Result<Finding<Self::Result>, Retry>> {
        Box::pin(std::future::ready(crate::finding::not_seen_yet()))
    }

    /// Asks the systems behind to stop.
    fn stop<'a>(
        _state: &'a Self::State,
        _op: &'a Confirmed<Self::Terms>,
    ) -> Pending<'a, Result<StopAnswer, Retry>> {
        Box::pin(std::future::ready(Ok(StopAnswer::asked())))
    }

    /// Looks again before a confirmation takes effect.
    fn recheck<'a>(
        _state: &'a Self::State,
        _session: &'a Session,
        _terms: &'a Self::Terms,
    ) -> Pending<'a, Result<Recheck<Self::Terms>, NotOffered>> {
        Box::pin(std::future::ready(Ok(Recheck::Same)))
    }
}
