//! The prototype's own check of a proof: the least that is honest, on the same cryptography.

use std::borrow::Cow;

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

/// The longest proof that is looked at.
const LONGEST: usize = 4_096;
/// How far a proof's time may be from ours, in seconds.
const WINDOW_S: u64 = 60;

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    typ: Cow<'a, str>,
    #[serde(borrow)]
    alg: Cow<'a, str>,
    #[serde(borrow)]
    jwk: Jwk<'a>,
}

#[derive(Deserialize)]
struct Jwk<'a> {
    #[serde(borrow)]
    kty: Cow<'a, str>,
    #[serde(borrow)]
    crv: Cow<'a, str>,
    #[serde(borrow)]
    x: Cow<'a, str>,
    #[serde(borrow)]
    y: Cow<'a, str>,
    d: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Claims<'a> {
    #[serde(borrow)]
    jti: Cow<'a, str>,
    #[serde(borrow)]
    htm: Cow<'a, str>,
    #[serde(borrow)]
    htu: Cow<'a, str>,
    iat: i64,
    #[serde(borrow)]
    ath: Cow<'a, str>,
}

/// What a proof has to be for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    pub(crate) token: &'a str,
    pub(crate) thumbprint: &'a str,
    pub(crate) url: &'a str,
    pub(crate) now: i64,
}

/// The proof's `jti`, if the proof is good for this `POST`.
pub(crate) fn jti(proof: &str, wanted: Wanted<'_>) -> Option<[u8; 16]> {
    let (signed, signature) = proof.rsplit_once('.').filter(|_| proof.len() <= LONGEST)?;
    let (head, claims) = signed.split_once('.')?;
    let head = URL_SAFE_NO_PAD.decode(head).ok()?;
    let head: Head<'_> = serde_json::from_slice(&head).ok()?;
    let key = &head.jwk;
    let known = head.typ == "dpop+jwt" && head.alg == "ES256";
    if !known || key.kty != "EC" || key.crv != "P-256" || key.d.is_some() {
        return None;
    }
    let (x, y) = (&key.x, &key.y);
    let canonical = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    if hashed(&canonical) != wanted.thumbprint {
        return None;
    }
    let mut point = vec![4];
    point.extend(URL_SAFE_NO_PAD.decode(&**x).ok()?);
    point.extend(URL_SAFE_NO_PAD.decode(&**y).ok()?);
    let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
    key.verify(signed.as_bytes(), &signature).ok()?;
    let claims = URL_SAFE_NO_PAD.decode(claims).ok()?;
    let claims: Claims<'_> = serde_json::from_slice(&claims).ok()?;
    let good = claims.htm == "POST"
        && claims.htu == wanted.url
        && claims.iat.abs_diff(wanted.now) <= WINDOW_S
        && claims.ath == hashed(wanted.token);
    let jti = URL_SAFE_NO_PAD.decode(&*claims.jti).ok()?;
    jti.try_into().ok().filter(|_| good)
}

fn hashed(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, text.as_bytes()))
}
