//! The only names that generated code may use. Not an interface: they change with every version.

mod answers;
mod attribute;
mod checks;
mod fields;
mod words;

use std::future::Future;
use std::pin::Pin;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::answers::{
    IsConfirmedOf, IsShown, NoRequest, NotDeclared, Performs, Proposes, Rechecks, Reconciles,
    Releases, Stops, not_declared, propose_as_asked, shown,
};
pub use self::attribute::Attribute;
pub use self::checks::{
    Fingerprint, agent_may_send, fingerprints, has_format, is_distinct, is_sentence, names_member,
    path_names_member, reference_names_member, request_is_an_object,
};
pub use self::fields::{
    HasFields, HasOneSummary, NamedPiece, OfTerm, See, Summary, TermField, Unsummarised, fits,
    of_shape, of_term, placed, problem, say,
};
pub use crate::confirmed::Confirmed;
pub use crate::declaration::{
    Facts, Field, OperationDeclaration, Piece, Record, ReferencePart, Route, Schema, Seen, Segment,
    TermsDeclaration, Variant, Word,
};
use crate::finding::{Finding, Retry, StopAnswer};
pub use crate::operations::{Listed, Operations, listed};
use crate::outcome::Outcome;
pub use crate::proposal::Proposing;
use crate::proposal::{NotOffered, Proposal, Recheck};
pub use crate::released::Released;
pub use crate::session::Session;
pub use crate::terms::{Reader, Said, Shape, Term, Terms, problem_in, render};
pub use pap_protocol::catalogue::{Reconcile, Role, UserApproval, WithoutExtension};

// what generated code needs of the standard library and of serde, whatever the author's names hide
pub use serde;
pub use std::option::Option::{self, None, Some};
pub use std::primitive::{bool, str};
pub use std::string::String;
pub use std::{concat, module_path};

/// A future that generated code boxes once per call.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Boxes the future of one call: what it runs has to be sendable between threads.
pub fn pending<'a, T>(future: impl Future<Output = T> + Send + 'a) -> Pending<'a, T> {
    Box::pin(future)
}

/// What [`Declared::propose`] comes to.
pub type Proposed<T> = Result<Proposal<T>, NotOffered>;

/// What [`Declared::reconcile`] comes to.
pub type Found<T> = Result<Finding<T>, Retry>;

/// What [`Declared::stop`] comes to.
pub type Stopped = Result<StopAnswer, Retry>;

/// What [`Declared::recheck`] comes to.
pub type Rechecked<T> = Result<Recheck<T>, NotOffered>;

/// What [`Declared::released`] comes to.
pub type Told = Result<(), Retry>;

/// What [`Declared::perform`] comes to.
pub type Performed<T> = Outcome<T>;

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

    /// What the author declared in the attribute.
    const ATTRIBUTE: Attribute;

    /// What the author declared.
    const OPERATION: &'static OperationDeclaration = &Self::ATTRIBUTE.with(
        Self::Terms::DECLARATION,
        Self::Request::SCHEMA,
        Self::Result::SCHEMA,
    );

    /// The rules between the attribute and the types it speaks of: evaluated where the operation is
    /// listed, so that one that is not listed is still told as never used.
    const CHECKED: () = ();

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

    /// Lets go of what hung on a revision that ended without being performed.
    fn released<'a>(
        _state: &'a Self::State,
        _op: &'a Released<Self::Terms>,
    ) -> Pending<'a, Result<(), Retry>> {
        Box::pin(std::future::ready(Ok(())))
    }
}
