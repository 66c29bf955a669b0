//! Where Session Tokens are looked up, and which proofs of reads were seen.

use std::collections::HashMap;
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
#[derive(Debug, Default)]
pub(crate) struct ReadProofs {
    seen: Mutex<HashMap<(String, String), Instant>>,
}

impl ReadProofs {
    /// Most proofs remembered; beyond, reads have to wait for old ones to run out.
    const MOST: usize = 100_000;

    pub(crate) fn first_use(&self, proof: &ProofUse, now: Instant) -> Result<(), Refusal> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= Self::MOST {
            seen.retain(|_, until| *until >= now);
            if seen.len() >= Self::MOST {
                return Err(Refusal::Unavailable);
            }
        }
        let key = (proof.thumbprint.clone(), proof.jti.clone());
        match seen.insert(key, proof.until) {
            Some(until) if until >= now => Err(Refusal::InvalidProof),
            _ => Ok(()),
        }
    }
}
