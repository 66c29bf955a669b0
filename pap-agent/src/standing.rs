//! Step 4 of 6, without the User: a permission they gave earlier, if it covers every term.

use std::collections::BTreeMap;
use std::future::Future;

use pap_protocol::value::{Instant, Money};
use serde_json::value::RawValue;

use crate::shown::Proposal;
use crate::terms::{Term, TermValue, terms};

/// Where the host keeps the permissions that the User gave earlier.
pub trait StandingPermissions: Send + Sync {
    /// The permissions that may cover the proposal. The client checks each of them itself, whatever is
    /// handed to it: the Company, the account, the action, every term, and that it is in effect.
    fn candidates(
        &self,
        proposal: &Proposal,
    ) -> impl Future<Output = Vec<StandingPermission>> + Send;
}

/// A permission that the User gave earlier, such as "exchange for another size if it costs at most $20".
///
/// It covers a revision only if every term has a condition that holds, and every condition has its term
/// (section 5.1). What is not in the terms cannot be checked, so a revision without terms is not covered.
///
/// # Examples
///
/// ```
/// use pap_agent::{Condition, StandingPermission};
/// use pap_protocol::value::Money;
///
/// let permission = StandingPermission::new(
///     "example.com",
///     "user@example.com",
///     "orders.exchange",
///     "2026-12-31T23:59:59Z".parse()?,
/// )
/// .with("/item_id", Condition::equals(&serde_json::json!("itm_4Qa")))
/// .with("/price_difference", Condition::AtMost(Money::usd("20.00")?));
/// # Ok::<(), pap_protocol::value::NotAValue>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StandingPermission {
    /// The domain of the Company.
    pub company: String,
    /// The account, under the name that the host gives it in its Session Tokens.
    pub account: String,
    /// The action.
    pub action: String,
    /// The last moment it is in effect.
    pub expires_at: Instant,
    /// By the term's place, as a JSON Pointer.
    pub conditions: BTreeMap<String, Condition>,
}

/// What one term must be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Condition {
    /// Exactly that JSON value, however it is spelled: the JSON text of one value.
    Equals(String),
    /// Money of the same currency, and no more than that.
    AtMost(Money),
}

/// A standing permission does not cover a revision: the first thing that is not covered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotCovered {
    /// There is none.
    #[error("there is no standing permission for it")]
    NoPermission,
    /// The permission is for another Company.
    #[error("the standing permission is for another Company")]
    Company,
    /// The permission is for another account, or the Session is signed in to none.
    #[error("the standing permission is for another account")]
    Account,
    /// The permission is for another action, or the action is not known.
    #[error("the standing permission is for another action")]
    Action,
    /// The permission is not in effect any more.
    #[error("the standing permission is not in effect any more")]
    Ended,
    /// The revision has no terms to check.
    #[error("the revision has no terms that could be checked")]
    NoTerms,
    /// The permission has no condition for a term.
    #[error("the standing permission says nothing about the term `{path}`")]
    Unlisted {
        /// Where the term stands.
        path: String,
    },
    /// The permission has a condition for a term that is not there.
    #[error("the term `{path}` of the standing permission is missing")]
    Missing {
        /// Where the term should stand.
        path: String,
    },
    /// The term is not what the condition wants.
    #[error("the term `{path}` is outside the standing permission")]
    Outside {
        /// Where the term stands.
        path: String,
    },
}

impl StandingPermission {
    /// A permission without conditions yet: it covers nothing.
    pub fn new(
        company: impl Into<String>,
        account: impl Into<String>,
        action: impl Into<String>,
        expires_at: Instant,
    ) -> Self {
        Self {
            company: company.into(),
            account: account.into(),
            action: action.into(),
            expires_at,
            conditions: BTreeMap::new(),
        }
    }

    /// With a condition for the term at that place.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, condition: Condition) -> Self {
        self.conditions.insert(path.into(), condition);
        self
    }

    /// Whether it covers the proposal, made in a Session of `account`, now.
    ///
    /// # Errors
    ///
    /// [`NotCovered`] with the first thing that is not covered.
    pub fn covers(
        &self,
        proposal: &Proposal,
        account: Option<&str>,
        now: Instant,
    ) -> Result<(), NotCovered> {
        let shown = proposal.shown();
        let must_hold = [
            (self.company.eq_ignore_ascii_case(&shown.company_domain), NotCovered::Company),
            (account == Some(self.account.as_str()), NotCovered::Account),
            (proposal.action() == Some(self.action.as_str()), NotCovered::Action),
            (now <= self.expires_at, NotCovered::Ended),
            (!shown.terms.is_empty(), NotCovered::NoTerms),
        ];
        if let Some((_, why)) = must_hold.into_iter().find(|(holds, _)| !holds) {
            return Err(why);
        }
        self.covers_terms(&shown.terms)
    }

    fn covers_terms(&self, terms: &[Term]) -> Result<(), NotCovered> {
        for path in self.conditions.keys() {
            if !terms.iter().any(|term| is_at_or_below(path, term.path())) {
                return Err(NotCovered::Missing { path: path.clone() });
            }
        }
        for term in terms {
            let path = term.path();
            let mut conditions =
                self.conditions.iter().filter(|(at, _)| is_at_or_below(at, path)).peekable();
            if conditions.peek().is_none() {
                return Err(NotCovered::Unlisted { path: path.to_owned() });
            }
            if !conditions.all(|(at, condition)| condition.holds(at, terms)) {
                return Err(NotCovered::Outside { path: path.to_owned() });
            }
        }
        Ok(())
    }
}

impl Condition {
    /// Exactly that value, with everything in it.
    pub fn equals(value: &serde_json::Value) -> Self {
        Self::Equals(value.to_string())
    }

    /// Whether it holds for the value at `path`, which is one term or several below it.
    fn holds(&self, path: &str, all: &[Term]) -> bool {
        let below: Vec<&Term> =
            all.iter().filter(|term| is_at_or_below(path, term.path())).collect();
        match self {
            Self::Equals(json) => {
                let raw = serde_json::from_str::<Box<RawValue>>(json).ok();
                let wanted = terms(raw.as_deref());
                let place = |term: &Term| format!("{path}{}", term.path());
                raw.is_some()
                    && wanted.len() == below.len()
                    && wanted.iter().zip(below).all(|(wanted, term)| {
                        place(wanted) == term.path() && wanted.literal() == term.literal()
                    })
            }
            Self::AtMost(limit) => match below.as_slice() {
                [term] if term.path() == path => match term.value() {
                    TermValue::Money(money) => {
                        money.currency() == limit.currency()
                            && money.amount().to_rust_decimal() <= limit.amount().to_rust_decimal()
                    }
                    TermValue::Moment(_)
                    | TermValue::Day(_)
                    | TermValue::Text(_)
                    | TermValue::Number(_)
                    | TermValue::Flag(_)
                    | TermValue::Nothing => false,
                },
                _ => false,
            },
        }
    }
}

fn is_at_or_below(place: &str, path: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
