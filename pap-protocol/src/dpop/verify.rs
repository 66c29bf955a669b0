//! The Company's half: whether a proof is good for a request.

use std::collections::BTreeMap;
use std::fmt::{Debug, Formatter};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::known::Signer;
use super::prove::without_query_and_fragment;
use super::{Jwk, ProofRefused, access_token_hash, base64url, window};
use crate::json::{Limits, OnlyObject, decode, not_null, strict};

/// The most bytes a proof may have.
pub const PROOF_BYTES_MAX: usize = 16 * 1024;

/// The request that a proof must be for.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "whoever verifies must say all of it")]
pub struct Expected<'a> {
    /// The request's method, in capitals as it was sent.
    pub method: &'a str,
    /// The request's URL: the origin that the Company publishes, then the path exactly as it was sent.
    /// Never built from request headers. A query and a fragment are left out.
    pub url: &'a str,
    /// The access token of the request; `None` where there is none, as at a token endpoint.
    pub access_token: Option<&'a str>,
    /// The thumbprint of the key that the token is bound to; `None` where the proof is what binds it.
    pub thumbprint: Option<&'a str>,
    /// The time, in seconds since 1970.
    pub now: i64,
    /// The nonce that the proof must carry, if the Company wants one.
    pub nonce: Option<&'a str>,
}

impl Debug for Expected<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        // never the token
        f.debug_struct("Expected")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}

/// What a good proof shows. Not yet that it is used for the first time: (thumbprint, `jti`) must be kept
/// until [`replay_until`](super::replay_until).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// The RFC 7638 thumbprint of the key that signed it.
    pub thumbprint: String,
    /// What identifies the proof among those of its key.
    pub jti: String,
    /// When it was made, in seconds since 1970.
    pub iat: i64,
}

/// Checks the value of a `DPoP` header against the request it came with (RFC 9449, section 4.3).
///
/// `htu` is compared with the URL character by character: an agent proves the URL that it sends. Both
/// JSON parts are strict ([`crate::json::strict`]), and no part has a second base64 text for its bytes.
///
/// # Errors
///
/// [`ProofRefused`] with the first thing that is wrong.
pub fn verify(proof: &str, expected: Expected<'_>) -> Result<Proof, ProofRefused> {
    let parts = parts(proof)?;
    let signer = signer(parts.header)?;
    signed(&parts, &signer, expected)
}

/// What a proof says, if this signer has signed it and it is good for the request.
pub(super) fn signed(
    parts: &Parts<'_>,
    signer: &Signer,
    expected: Expected<'_>,
) -> Result<Proof, ProofRefused> {
    if !signer.verifies(parts.signed.as_bytes(), &parts.signature) {
        return Err(ProofRefused::Signature);
    }
    let claims = json::<Claims>(&parts.payload).ok_or(ProofRefused::Payload)?;
    let thumbprint = signer.thumbprint();
    match wrong(&claims, thumbprint, &expected) {
        Some(reason) => Err(reason),
        None => Ok(Proof { thumbprint: thumbprint.to_owned(), jti: claims.jti, iat: claims.iat }),
    }
}

/// The three parts of a compact JWT.
pub(super) struct Parts<'a> {
    /// As it was sent.
    pub(super) header: &'a str,
    payload: Vec<u8>,
    signature: Vec<u8>,
    signed: &'a str,
}

pub(super) fn parts(proof: &str) -> Result<Parts<'_>, ProofRefused> {
    if proof.len() > PROOF_BYTES_MAX {
        return Err(ProofRefused::TooLarge);
    }
    split(proof).ok_or(ProofRefused::NotAJwt)
}

fn split(proof: &str) -> Option<Parts<'_>> {
    let (signed, signature) = proof.rsplit_once('.')?;
    let (header, payload) = signed.split_once('.')?;
    // a further `.` is no base64
    let (payload, signature) = (base64url::decode(payload)?, base64url::decode(signature)?);
    Some(Parts { header, payload, signature, signed })
}

/// Whoever this header names.
pub(super) fn signer(header: &str) -> Result<Signer, ProofRefused> {
    let header = base64url::decode(header).ok_or(ProofRefused::NotAJwt)?;
    key_of(&header).map(|key| Signer::of(&key))
}

#[derive(Deserialize)]
struct Header<'a> {
    typ: String,
    alg: String,
    #[serde(borrow)]
    jwk: BTreeMap<String, &'a RawValue>,
    #[serde(borrow, default, deserialize_with = "not_null")]
    crit: Option<&'a RawValue>,
}

fn key_of(header: &[u8]) -> Result<Jwk, ProofRefused> {
    let header = json::<Header<'_>>(header).ok_or(ProofRefused::Header)?;
    if header.typ != "dpop+jwt" {
        return Err(ProofRefused::Type);
    }
    if !matches!(header.alg.as_str(), "ES256" | "RS256") {
        return Err(ProofRefused::Algorithm);
    }
    if header.crit.is_some() {
        return Err(ProofRefused::Critical);
    }
    let key = Jwk::from_members(&header.jwk)?;
    if key.algorithm() == header.alg { Ok(key) } else { Err(ProofRefused::PublicKey) }
}

#[derive(Deserialize)]
struct Claims {
    jti: String,
    htm: String,
    htu: String,
    iat: i64,
    #[serde(default, deserialize_with = "not_null")]
    ath: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    nonce: Option<String>,
}

fn wrong(claims: &Claims, thumbprint: &str, expected: &Expected<'_>) -> Option<ProofRefused> {
    let ath = expected.access_token.map(access_token_hash);
    let url = without_query_and_fragment(expected.url);
    let checks = [
        (!(16..=256).contains(&claims.jti.chars().count()), ProofRefused::Jti),
        (!window::accepts(claims.iat, expected.now), ProofRefused::IssuedAt),
        (claims.htm != expected.method, ProofRefused::Method),
        (claims.htu != url, ProofRefused::Url),
        (claims.ath != ath, ProofRefused::AccessTokenHash),
        (expected.thumbprint.is_some_and(|bound| bound != thumbprint), ProofRefused::Thumbprint),
        (
            expected.nonce.is_some_and(|wanted| claims.nonce.as_deref() != Some(wanted)),
            ProofRefused::Nonce,
        ),
    ];
    checks.into_iter().find_map(|(wrong, reason)| wrong.then_some(reason))
}

fn json<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    let text = strict(bytes, Limits::bytes(PROOF_BYTES_MAX)).ok()?;
    decode::<OnlyObject<T>>(text).ok().map(|OnlyObject(value)| value)
}
