//! Who asks: a Session Token and the proof that its key is held, in this order.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use pap_protocol::dpop::{self, Expected};
use pap_protocol::value::Instant;

use crate::clock::Clock;
use crate::company::Edge;
use crate::engine::ticket;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::sessions::{SessionToken, TokenRefused};
use crate::store::ProofUse;

/// A caller that was recognised.
pub(super) struct Caller {
    pub(super) session: Session,
    pub(super) proof: ProofUse,
}

/// The checks of every request of an agent, before anything is decided.
pub(super) async fn authenticate(
    edge: &Edge,
    clock: &dyn Clock,
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
    // the agent's clock is compared with the machine's as it is set: one that was ahead once must not
    // refuse every proof until the time has caught up
    let expected = Expected {
        method: parts.method.as_str(),
        url: &url,
        access_token: Some(token.as_str()),
        thumbprint: Some(&session.key_thumbprint),
        now: clock.as_set().as_millis().div_euclid(1000),
        nonce: None,
    };
    let proof = single(&parts.headers, "dpop")?;
    let proof = edge.known_keys.verify(proof, expected).map_err(|why| {
        tracing::info!(?why, session = session.id, "a proof was refused");
        Refusal::InvalidProof
    })?;
    let proof = ProofUse {
        thumbprint: proof.thumbprint,
        jti: proof.jti,
        // by the proof alone: the same at whatever node it is used, and however its clock is set
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
    Ok(SessionToken::new(token))
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
