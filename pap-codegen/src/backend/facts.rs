//! What of a declaration a target can carry.

/// A part of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fact {
    /// Where the operations endpoint is.
    Endpoint,
    /// Method and path of the proposing endpoints.
    Routes,
    /// The form of requests.
    Requests,
    /// The form of terms.
    Terms,
    /// The stored form of each version of terms.
    Shapes,
    /// What a term does to the User: its role.
    Roles,
    /// The template of the summary.
    Summaries,
    /// The form of results.
    Results,
    /// Scopes that proposing and confirming need.
    Scopes,
    /// How long a revision can be confirmed.
    Lifetimes,
    /// Which approvals are accepted.
    Approvals,
    /// What happens after a crash.
    Recovery,
}

impl Fact {
    /// Every fact.
    pub const ALL: [Self; 12] = [
        Self::Endpoint,
        Self::Routes,
        Self::Requests,
        Self::Terms,
        Self::Shapes,
        Self::Roles,
        Self::Summaries,
        Self::Results,
        Self::Scopes,
        Self::Lifetimes,
        Self::Approvals,
        Self::Recovery,
    ];

    /// In one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Endpoint => "endpoint",
            Self::Routes => "routes",
            Self::Requests => "requests",
            Self::Terms => "terms",
            Self::Shapes => "shapes",
            Self::Roles => "roles",
            Self::Summaries => "summaries",
            Self::Results => "results",
            Self::Scopes => "scopes",
            Self::Lifetimes => "lifetimes",
            Self::Approvals => "approvals",
            Self::Recovery => "recovery",
        }
    }
}
