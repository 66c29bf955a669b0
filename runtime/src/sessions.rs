//! Where Session Tokens are looked up, and which proofs of reads were seen.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::{Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use http::request::Parts;
use pap_protocol::value::Instant;

use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::ProofUse;

/// Looks Session Tokens up. A company implements it over whatever issues its tokens.
///
/// It is called once per request of an agent: answer from memory where you can, a look-up in a database
/// is the slowest part of a read.
///
/// # Examples
///
/// ```
/// use std::collections::{BTreeMap, HashMap};
/// use std::pin::Pin;
///
/// use axum::http::request::Parts;
/// use pap_runtime::http::{SessionToken, Sessions, TokenRefused};
/// use pap_runtime::{ExtensionDescriptor, Session};
///
/// /// What the issuer noted when it made the token.
/// struct Issued {
///     session_id: String,
///     client_id: String,
///     user: String,
///     account: String,
///     scopes: Vec<String>,
///     key_thumbprint: String,
/// }
///
/// struct Tokens(HashMap<String, Issued>);
///
/// impl Sessions for Tokens {
///     fn session<'a>(
///         &'a self,
///         token: &'a SessionToken,
///         _request: &'a Parts,
///     ) -> Pin<Box<dyn Future<Output = Result<Session, TokenRefused>> + Send + 'a>> {
///         Box::pin(async move {
///             let issued = self.0.get(token.as_str()).ok_or(TokenRefused::Invalid)?;
///             // the agent's client metadata lists the operations extension
///             let listed = ("operations".to_owned(), ExtensionDescriptor::new("1"));
///             Ok(Session::new(&issued.session_id, &issued.client_id, &issued.user)
///                 .signed_in(&issued.account, &issued.scopes)
///                 .bound_to(&issued.key_thumbprint)
///                 .with_extensions(BTreeMap::from([listed])))
///         })
///     }
/// }
/// ```
pub trait Sessions: Send + Sync + 'static {
    /// The Session that this token stands for, if it may be used now. `request` is what came with it
    /// (never its body), for companies that keep more than the token.
    ///
    /// The runtime verifies the proof against [`Session::bound_to`] and negotiates the extension.
    fn session<'a>(
        &'a self,
        token: &'a SessionToken,
        request: &'a Parts,
    ) -> Pin<Box<dyn Future<Output = Result<Session, TokenRefused>> + Send + 'a>>;
}

/// A Session Token as it was sent. Its text is never printed.
pub struct SessionToken(String);

impl SessionToken {
    pub(crate) fn new(token: &str) -> Self {
        Self(token.to_owned())
    }

    /// The token's text, to look it up by.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Debug for SessionToken {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionToken(…)")
    }
}

/// Why a token was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenRefused {
    /// Unknown, expired, revoked, or not for this API: `invalid_token`.
    Invalid,
    /// It cannot be looked up now: `temporarily_unavailable`.
    Unavailable,
}

/// Proofs of reads that this process has seen: a read changes nothing, so they are not stored, but one
/// proof still stands for one request.
#[derive(Debug)]
pub(crate) struct ReadProofs {
    seen: Mutex<Seen>,
}

#[derive(Debug)]
struct Seen {
    until: HashMap<(String, String), Instant>,
    /// Before this there is nothing to forget.
    forget_from: Instant,
    /// The greatest `until` of a proof that was forgotten: what is not newer may have been seen.
    forgotten: Option<Instant>,
}

impl ReadProofs {
    /// Most proofs remembered; beyond, reads have to wait for old ones to run out.
    const MOST: usize = 100_000;

    /// Takes a proof, if it is its first use, with the clock as it is set.
    pub(crate) fn first_use(&self, proof: &ProofUse, as_set: Instant) -> Result<(), Refusal> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.until.len() >= Self::MOST && !seen.forget(as_set) {
            return Err(Refusal::Unavailable);
        }
        let Seen { until, forget_from, forgotten } = &mut *seen;
        match until.entry((proof.thumbprint.clone(), proof.jti.clone())) {
            Entry::Vacant(new) if forgotten.is_none_or(|greatest| proof.until > greatest) => {
                *forget_from = proof.until.min(*forget_from);
                new.insert(proof.until);
                Ok(())
            }
            Entry::Vacant(_) | Entry::Occupied(_) => Err(Refusal::InvalidProof),
        }
    }
}

impl Default for ReadProofs {
    fn default() -> Self {
        let (until, forget_from) = (HashMap::new(), Instant::MAX);
        Self { seen: Mutex::new(Seen { until, forget_from, forgotten: None }) }
    }
}

impl Seen {
    /// Forgets what has run out; `false` if nothing has. It looks at all of them only when one can have.
    fn forget(&mut self, as_set: Instant) -> bool {
        let Self { until, forget_from, forgotten } = self;
        let before = until.len();
        if as_set > *forget_from {
            until.retain(|_, until| {
                let over = *until < as_set;
                if over {
                    *forgotten = (*forgotten).max(Some(*until));
                }
                !over
            });
            *forget_from = until.values().min().copied().unwrap_or(Instant::MAX);
        }
        until.len() < before
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::store::Ticket;

    fn at(seconds: u64) -> Instant {
        Instant::from_millis(0).saturating_add(Duration::from_secs(seconds))
    }

    fn proof(jti: usize, until: Instant) -> ProofUse {
        let (thumbprint, jti) = ("key".to_owned(), jti.to_string());
        ProofUse { thumbprint, jti, until, ticket: Ticket([0; 16]) }
    }

    fn full_until(until: Instant) -> ReadProofs {
        let proofs = ReadProofs::default();
        for jti in 0..ReadProofs::MOST {
            assert!(proofs.first_use(&proof(jti, until), at(0)).is_ok());
        }
        proofs
    }

    /// EXT-18
    #[test]
    fn a_proof_of_a_read_is_good_once_and_forgotten_only_when_it_has_run_out() {
        let proofs = full_until(at(60));
        let next = proof(ReadProofs::MOST, at(121));
        assert!(matches!(proofs.first_use(&next, at(60)), Err(Refusal::Unavailable)));
        assert!(proofs.first_use(&next, at(61)).is_ok());
        for again in [next, proof(7, at(60))] {
            let again = proofs.first_use(&again, at(61));
            assert!(matches!(again, Err(Refusal::InvalidProof)));
        }
    }

    /// EXT-18. Row E13, Row E14
    #[test]
    fn a_proof_of_a_read_is_good_once_also_when_the_clock_was_ahead_and_is_set_back() {
        let proofs = full_until(at(60));
        assert!(proofs.first_use(&proof(ReadProofs::MOST, at(3_720)), at(3_600)).is_ok());
        let again = proofs.first_use(&proof(7, at(60)), at(1));
        assert!(matches!(again, Err(Refusal::InvalidProof)), "it was forgotten, and is not new");
        for jti in 1..ReadProofs::MOST {
            let new = proof(ReadProofs::MOST + jti, at(61));
            assert!(proofs.first_use(&new, at(1)).is_ok(), "a new one is good at once");
        }
        let next = proof(2 * ReadProofs::MOST, at(121));
        assert!(matches!(proofs.first_use(&next, at(61)), Err(Refusal::Unavailable)));
        assert!(proofs.first_use(&next, at(62)).is_ok(), "what is left of the clock's time ahead");
    }
}
