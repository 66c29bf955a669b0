//! What an author's functions take and answer, as traits, so that a wrong type is told in our words at
//! the author's own token.

use pap_protocol::catalogue::{Reconcile, UserApproval, WithoutExtension};
use serde::{Deserialize, Serialize};

use super::attribute::Attribute;
use crate::confirmed::Confirmed;
use crate::declaration::{Record, Schema, TermsDeclaration};
use crate::finding::{Finding, Retry, StopAnswer};
use crate::outcome::{NotSucceeded, Outcome, Succeeded};
use crate::proposal::{NotOffered, Proposal, Recheck};
use crate::terms::{Reader, Said, Shape, Shown, Term, Terms};

/// The type of `op`, when the attribute names the terms too.
#[diagnostic::on_unimplemented(
    message = "`perform` takes `Confirmed<{T}>`, as `terms` says, not `{Self}`",
    label = "not of these terms",
    note = "the User approves one form of terms, and the handler gets no other",
    note = "more: pap-codegen explain PAP0065"
)]
pub trait IsConfirmedOf<T> {
    /// The same, as the handler takes it.
    fn taken(op: Confirmed<T>) -> Self;
}

impl<T> IsConfirmedOf<T> for Confirmed<T> {
    fn taken(op: Self) -> Self {
        op
    }
}

/// What `perform` answers.
#[diagnostic::on_unimplemented(
    message = "`perform` has to return `Outcome<…>`; it returns `{Self}`",
    label = "does not say whether it happened",
    note = "an error that leaves the result in doubt, such as a time-out, is `unknown`, never `failed` (section 6)",
    note = "more: pap-codegen explain PAP0063"
)]
pub trait Performs {
    /// `result.data`.
    type Data;

    /// The same, with its types known.
    fn performed(self) -> Outcome<Self::Data>;
}

impl<T> Performs for Result<Succeeded<T>, NotSucceeded> {
    type Data = T;

    fn performed(self) -> Self {
        self
    }
}

/// What `propose` answers.
#[diagnostic::on_unimplemented(
    message = "`propose` has to return `Result<Proposal<{T}>, NotOffered>`; it returns `{Self}`",
    label = "not a proposal of the terms that `perform` takes",
    note = "the User approves what `propose` returned, and `perform` gets exactly that",
    note = "more: pap-codegen explain PAP0065"
)]
pub trait Proposes<T> {
    /// The same, with plain terms as a proposal of them.
    ///
    /// # Errors
    ///
    /// Those of the function.
    fn proposed(self) -> Result<Proposal<T>, NotOffered>;
}

impl<T> Proposes<T> for Result<Proposal<T>, NotOffered> {
    fn proposed(self) -> Self {
        self
    }
}

impl<T> Proposes<T> for Result<T, NotOffered> {
    fn proposed(self) -> Result<Proposal<T>, NotOffered> {
        self.and_then(propose_as_asked)
    }
}

/// Without a function the terms are what was asked for.
///
/// # Errors
///
/// Never: a `Result` as `propose` returns it.
pub fn propose_as_asked<T>(terms: T) -> Result<Proposal<T>, NotOffered> {
    // that they are terms is told where they are named
    Ok(Proposal { terms, expires: None, user_approval_required: false, url: None })
}

/// What `reconcile` answers.
#[diagnostic::on_unimplemented(
    message = "`reconcile` has to return `Result<Finding<{T}>, Retry>`; it returns `{Self}`",
    label = "does not say what was found",
    note = "it finds the data that `perform` would have returned; that nothing was seen is `not_seen_yet()`",
    note = "more: pap-codegen explain PAP0063"
)]
pub trait Reconciles<T> {
    /// The same, with its types known.
    ///
    /// # Errors
    ///
    /// Those of the function.
    fn reconciled(self) -> Result<Finding<T>, Retry>;
}

impl<T> Reconciles<T> for Result<Finding<T>, Retry> {
    fn reconciled(self) -> Self {
        self
    }
}

/// What `stop` answers.
#[diagnostic::on_unimplemented(
    message = "`stop` has to return `Result<StopAnswer, Retry>`; it returns `{Self}`",
    label = "does not say what became of the request to stop",
    note = "more: pap-codegen explain PAP0063"
)]
pub trait Stops {
    /// The same, with its types known.
    ///
    /// # Errors
    ///
    /// Those of the function.
    fn stopped(self) -> Result<StopAnswer, Retry>;
}

impl Stops for Result<StopAnswer, Retry> {
    fn stopped(self) -> Self {
        self
    }
}

impl Stops for StopAnswer {
    fn stopped(self) -> Result<StopAnswer, Retry> {
        Ok(self)
    }
}

/// What `recheck` answers.
#[diagnostic::on_unimplemented(
    message = "`recheck` has to return `Result<Recheck<{T}>, NotOffered>`; it returns `{Self}`",
    label = "does not say whether the terms still hold",
    note = "more: pap-codegen explain PAP0063"
)]
pub trait Rechecks<T> {
    /// The same, with its types known.
    ///
    /// # Errors
    ///
    /// Those of the function.
    fn rechecked(self) -> Result<Recheck<T>, NotOffered>;
}

impl<T> Rechecks<T> for Result<Recheck<T>, NotOffered> {
    fn rechecked(self) -> Self {
        self
    }
}

/// What `released` answers.
#[diagnostic::on_unimplemented(
    message = "`released` has to return `Result<(), Retry>`; it returns `{Self}`",
    label = "does not say whether it was let go",
    note = "a hold that could not be released now is a `Retry`: it is told again",
    note = "more: pap-codegen explain PAP0063"
)]
pub trait Releases {
    /// The same, with its types known.
    ///
    /// # Errors
    ///
    /// Those of the function.
    fn released(self) -> Result<(), Retry>;
}

impl Releases for Result<(), Retry> {
    fn released(self) -> Self {
        self
    }
}

/// The type of a `shown_only` field.
#[diagnostic::on_unimplemented(
    message = "a `shown_only` field has the type `Shown`, not `{Self}`",
    label = "the handler could read it, and act on what is not in `terms`",
    note = "shown-only text can be written, never read: what the action depends on is a term"
)]
pub trait IsShown: Said {}

impl IsShown for Shown {}

/// Says shown-only text.
pub fn shown<T: IsShown>(text: &T) -> &dyn Said {
    text
}

/// The request of a `propose` that takes none: an object without members.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NoRequest {}

impl Shape for NoRequest {
    const SCHEMA: Schema = Schema::Nothing;
}

/// The terms of an operation whose declaration is wrong: the rest of the crate is checked as if it were
/// right, and the crate does not compile.
#[derive(Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NotDeclared {}

const NO_RECORD: Record = Record { name: "", origin: "", doc: "", fields: &[] };

impl NotDeclared {
    /// Stands where the declaration would.
    pub const RECORD: Record = NO_RECORD;
    /// Stands where the terms' declaration would.
    pub const TERMS: &'static TermsDeclaration =
        &TermsDeclaration { version: 1, summary: "", record: NO_RECORD };
    /// Stands where the operation's attribute would.
    pub const ATTRIBUTE: Attribute = Attribute {
        action: "",
        doc: "",
        origin: "",
        route: None,
        tool: "",
        scopes: &[],
        expires_in_s: 0,
        retain_for_s: None,
        user_approval: UserApproval::Required,
        without_extension: WithoutExtension::Refuse,
        id_prefix: "",
        identity: None,
        reference: None,
        reconcile: Reconcile::Operator,
        can_stop: false,
        rechecks: false,
        tells_release: false,
    };
}

impl Shape for NotDeclared {
    const SCHEMA: Schema = Schema::Record(NO_RECORD);
}

impl Said for NotDeclared {
    fn say(&self, _reader: &Reader, _format: &str, _out: &mut String) {}
}

impl Term for NotDeclared {}

impl Terms for NotDeclared {
    const DECLARATION: &'static TermsDeclaration = Self::TERMS;
}

/// Stands where a call would; code with a wrong declaration does not compile, so nothing runs it.
pub fn not_declared<T>() -> T {
    std::process::abort()
}
