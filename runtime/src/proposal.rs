//! What a company answers instead of acting: terms to approve, or a no.

use std::fmt::Display;
use std::time::Duration;

use pap_protocol::operation::OperationId;
use pap_protocol::value::Instant;

use crate::terms::Terms;

/// Terms to approve, with how long and how they may be approved (section 3).
///
/// Plain terms convert into one, with the operation's declared lifetime and approval rule.
#[derive(Debug)]
#[must_use]
pub struct Proposal<T> {
    pub(crate) terms: T,
    pub(crate) expires: Option<Expires>,
    pub(crate) user_approval_required: bool,
    pub(crate) url: Option<String>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Expires {
    At(Instant),
    In(Duration),
}

impl<T: Terms> Proposal<T> {
    /// Proposes these terms.
    pub fn new(terms: T) -> Self {
        Self { terms, expires: None, user_approval_required: false, url: None }
    }

    /// The last moment at which this revision can be confirmed, such as the end of a stock hold.
    pub fn expires_at(mut self, at: Instant) -> Self {
        self.expires = Some(Expires::At(at));
        self
    }

    /// How long this revision can be confirmed, instead of the operation's declared lifetime.
    pub fn expires_in(mut self, lifetime: Duration) -> Self {
        self.expires = Some(Expires::In(lifetime));
        self
    }

    /// Accepts only the User's approval of this revision, no standing permission (section 5.1).
    pub fn user_approval_required(mut self) -> Self {
        self.user_approval_required = true;
        self
    }

    /// A page of the company's website that shows this operation in the same Session (section 4.4).
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }
}

impl<T: Terms> From<T> for Proposal<T> {
    fn from(terms: T) -> Self {
        Self::new(terms)
    }
}

/// The proposal being worked out: what a `propose` function may know about it.
#[derive(Debug, Clone)]
pub struct Proposing {
    pub(crate) id: OperationId,
    pub(crate) now: Instant,
}

impl Proposing {
    /// The id that the operation has, or will have if it is new: a hold or a record of the company's
    /// can carry it.
    pub fn id(&self) -> &OperationId {
        &self.id
    }

    /// The moment of the proposal, by the store's clock.
    pub fn now(&self) -> Instant {
        self.now
    }
}

/// The company does not offer this action: nothing is proposed and nothing is stored.
///
/// An error of another library becomes one by `?`: the caller then gets a 500 without its text, and
/// the text is logged. What is no [`std::error::Error`], such as an `anyhow::Error` or a boxed error,
/// becomes one by `.map_err(NotOffered::broken)?`.
#[derive(Debug)]
#[must_use]
pub struct NotOffered(pub(crate) No);

#[derive(Debug)]
pub(crate) enum No {
    Declared {
        status: u16,
        code: String,
        message: String,
    },
    /// The caller asked for what cannot be offered.
    Unacceptable(String),
    /// The caller asked for more than an agent could read.
    TooLong,
    Broken(String),
}

impl NotOffered {
    /// A no with the company's own code: `status` is the HTTP status (400 to 499; others become 409),
    /// `code` the `error` member, `message` says it in the caller's words.
    pub fn new(status: u16, code: impl Into<String>, message: impl Display) -> Self {
        let status = if (400..500).contains(&status) { status } else { 409 };
        Self(No::Declared { status, code: code.into(), message: message.to_string() })
    }

    /// There is no such thing, or not for this caller: 404.
    pub fn not_found(code: impl Into<String>, message: impl Display) -> Self {
        Self::new(404, code, message)
    }

    /// The request asks for something that this action cannot do: 422.
    pub fn unacceptable(code: impl Into<String>, message: impl Display) -> Self {
        Self::new(422, code, message)
    }

    /// It could not be worked out: the caller gets a 500 without this text, and the text is logged.
    pub fn broken(why: impl Display) -> Self {
        Self(No::Broken(why.to_string()))
    }
}

impl<E: std::error::Error> From<E> for NotOffered {
    fn from(error: E) -> Self {
        Self(No::Broken(error.to_string()))
    }
}

/// What `recheck` found just before a confirmation takes effect.
#[derive(Debug)]
#[must_use]
#[expect(clippy::exhaustive_enums, reason = "the three things that looking again can find")]
pub enum Recheck<T> {
    /// The terms still hold.
    Same,
    /// They changed: a new revision is issued and the agent gets `terms_changed`.
    Changed(Proposal<T>),
    /// The company can no longer do it: the operation is cancelled with this reason.
    Gone(String),
}
