//! Who asks: a Session Token and the proof that its key is held, in this order.

use std::collections::HashMap;
use std::fmt::{Debug, Formatter};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use pap_protocol::dpop::{self, Expected};
use pap_protocol::value::Instant;

use crate::company::Edge;
use crate::engine::ticket;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::store::ProofUse;

/// Looks Session Tokens up. A company implements it over whatever issues its tokens.
///
/// It is called once per request of an agent: answer from memory where you can, a look-up in a database
/// is the slowest part of a read.
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

/// A caller that was recognised.
pub(super) struct Caller {
    pub(super) session: Session,
    pub(super) proof: ProofUse,
}

/// The checks of every request of an agent, before anything is decided.
pub(super) async fn authenticate(
    edge: &Edge,
    now: Instant,
    parts: &Parts,
    path: &str,
) -> Result<Caller, Refusal> {
    if names_token_in_query(parts.uri.query().unwrap_or_default()) {
        let why = "a token in the address is refused: send it in `Authorization`";
        return Err(Refusal::InvalidRequest(why.to_owned()));
    }
    let token = token(&parts.headers)?;
    let Some(sessions) = &edge.sessions else {
        tracing::error!("the company has no `.sessions(…)`: every token is refused");
        return Err(Refusal::InvalidToken);
    };
    let session = match sessions.session(&token, parts).await {
        Ok(session) => session,
        Err(TokenRefused::Invalid) => return Err(Refusal::InvalidToken),
        Err(TokenRefused::Unavailable) => return Err(Refusal::Unavailable),
    };
    if session.resource != edge.resource {
        return Err(Refusal::InvalidToken);
    }
    let url = format!("{}{path}", edge.origin);
    let expected = Expected {
        method: parts.method.as_str(),
        url: &url,
        access_token: Some(token.as_str()),
        thumbprint: Some(&session.key_thumbprint),
        now: now.as_millis().div_euclid(1000),
        nonce: None,
    };
    let proof = dpop::verify(single(&parts.headers, "dpop")?, expected).map_err(|why| {
        tracing::info!(?why, session = session.id, "a proof was refused");
        Refusal::InvalidProof
    })?;
    let proof = ProofUse {
        thumbprint: proof.thumbprint,
        jti: proof.jti,
        until: Instant::from_millis(dpop::replay_until(proof.iat).saturating_mul(1000)),
        ticket: ticket()?,
    };
    Ok(Caller { session, proof })
}

/// The one token under the scheme `DPoP`.
fn token(headers: &HeaderMap) -> Result<SessionToken, Refusal> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(Refusal::InvalidToken)?;
    if values.next().is_some() {
        return Err(Refusal::InvalidRequest("`Authorization` was sent more than once".to_owned()));
    }
    let value = value.to_str().map_err(|_not_text| Refusal::InvalidToken)?;
    let (scheme, token) = value.split_once(' ').ok_or(Refusal::InvalidToken)?;
    let token = token.trim();
    if !scheme.eq_ignore_ascii_case("DPoP") || token.is_empty() || token.contains(' ') {
        return Err(Refusal::InvalidToken);
    }
    Ok(SessionToken(token.to_owned()))
}

/// The one value of a header, as a proof must come.
fn single<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str, Refusal> {
    let mut values = headers.get_all(HeaderName::from_static(name)).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().map_err(|_not_text| Refusal::InvalidProof),
        _ => Err(Refusal::InvalidProof),
    }
}

fn names_token_in_query(query: &str) -> bool {
    query.split('&').any(|pair| {
        let name = pair.split('=').next().unwrap_or_default();
        let name = super::route::decoded(name);
        name.as_deref() == Some("access_token")
    })
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

    pub(super) fn first_use(&self, proof: &ProofUse, now: Instant) -> Result<(), Refusal> {
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
