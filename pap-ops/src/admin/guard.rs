//! Who asks: decided by the company, for every request.

use http::StatusCode;
use http::request::Parts;

/// Says who asks, or refuses. Any function `Fn(&Parts) -> Result<Operator, StatusCode>` is one.
///
/// It sees the head of the request with the extensions that the company's own middleware left there; what has
/// to be awaited is awaited in that middleware.
pub trait Guard: Send + Sync + 'static {
    /// Who asks.
    ///
    /// # Errors
    ///
    /// The status to refuse with, such as `401` or `403`.
    fn operator(&self, request: &Parts) -> Result<Operator, StatusCode>;
}

impl<F> Guard for F
where
    F: Fn(&Parts) -> Result<Operator, StatusCode> + Send + Sync + 'static,
{
    fn operator(&self, request: &Parts) -> Result<Operator, StatusCode> {
        self(request)
    }
}

/// Whoever asks. The name is kept on the record of what is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    who: String,
    may: May,
}

/// What an operator may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum May {
    /// Look at ids, states, moments and counts.
    Look,
    /// That, and read what operations say, export accounts, and change what is changed here.
    Change,
}

impl Operator {
    /// Of this name, as the company's sign-in knows it. May do everything.
    pub fn named(who: impl Into<String>) -> Self {
        Self { who: who.into(), may: May::Change }
    }

    /// The same person, who only reads: ids, states, moments and counts, neither what operations say nor
    /// exports.
    #[must_use]
    pub fn who_only_reads(self) -> Self {
        Self { may: May::Look, ..self }
    }

    /// The name.
    pub fn who(&self) -> &str {
        &self.who
    }

    /// What they may do.
    pub fn may(&self) -> May {
        self.may
    }
}
