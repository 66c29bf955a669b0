//! A public key as JOSE writes it.

use std::collections::BTreeMap;

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::{ProofRefused, base64url, digest};
use crate::json::{Limits, Refused, decode, strict};

/// A public key for ES256 or RS256, in JSON its required members and no others.
///
/// # Examples
///
/// ```
/// use pap_protocol::dpop::{Jwk, Key};
///
/// let key = Key::generate()?;
/// let public = Jwk::from_json(&serde_json::to_vec(key.jwk())?)?;
/// assert_eq!(public.thumbprint(), key.thumbprint());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jwk(Public);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Public {
    P256 { x: [u8; 32], y: [u8; 32] },
    Rsa { modulus: Vec<u8>, exponent: Vec<u8> },
}

/// Members of private and of symmetric keys.
const PRIVATE: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// RSA keys from 2048 to 4096 bits: shorter ones are weak, and longer ones cost the verifier.
const RSA_BYTES: std::ops::RangeInclusive<usize> = 256..=512;

impl Jwk {
    /// Reads a public key. Members that a key does not need are ignored.
    ///
    /// # Errors
    ///
    /// [`Refused`] if it is not strict JSON, or not a complete public key: on P-256, or RSA of 2048 to
    /// 4096 bits. A private key is refused too: it has no business being sent.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Refused> {
        let members = decode(strict(bytes, Limits::default())?)?;
        Self::from_members(&members).map_err(|refused| Refused::new(refused.reason()))
    }

    /// The algorithm of its signatures: `ES256` or `RS256`.
    pub fn algorithm(&self) -> &'static str {
        match self.0 {
            Public::P256 { .. } => "ES256",
            Public::Rsa { .. } => "RS256",
        }
    }

    /// The RFC 7638 thumbprint, of the key's values and not of the text they came in.
    pub fn thumbprint(&self) -> String {
        // members in alphabetical order and no whitespace, as RFC 7638 demands
        digest::sha256(&match &self.0 {
            Public::P256 { x, y } => {
                let (x, y) = (base64url::encode(x), base64url::encode(y));
                format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#)
            }
            Public::Rsa { modulus, exponent } => {
                let (n, e) = (base64url::encode(modulus), base64url::encode(exponent));
                format!(r#"{{"e":"{e}","kty":"RSA","n":"{n}"}}"#)
            }
        })
    }

    /// From an uncompressed point of P-256: `04`, x, y.
    pub(super) fn from_point(point: &[u8]) -> Option<Self> {
        let (x, y) = point.strip_prefix(&[4])?.split_at_checked(32)?;
        Some(Self(Public::P256 { x: x.try_into().ok()?, y: y.try_into().ok()? }))
    }

    pub(super) fn from_members(
        members: &BTreeMap<String, &RawValue>,
    ) -> Result<Self, ProofRefused> {
        if PRIVATE.iter().any(|name| members.contains_key(*name)) {
            return Err(ProofRefused::PrivateKey);
        }
        let text =
            |name: &str| -> Option<String> { serde_json::from_str(members.get(name)?.get()).ok() };
        let number = |name: &str| base64url::decode(&text(name)?);
        let key = match (text("kty").as_deref(), text("crv").as_deref()) {
            (Some("EC"), Some("P-256")) => {
                number("x").zip(number("y")).and_then(|(x, y)| p256(&x, &y))
            }
            (Some("RSA"), _) => {
                number("n").zip(number("e")).and_then(|(modulus, exponent)| rsa(modulus, exponent))
            }
            _ => None,
        };
        key.map(Self).ok_or(ProofRefused::PublicKey)
    }

    /// Ready to verify; `None` if there is no such key, and nobody can have signed with it.
    pub(super) fn ready(&self) -> Option<ParsedPublicKey> {
        match &self.0 {
            Public::P256 { x, y } => {
                let point = [&[4], x.as_slice(), y.as_slice()].concat();
                ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).ok()
            }
            Public::Rsa { modulus, exponent } => {
                let key = RsaPublicKeyComponents { n: modulus, e: exponent };
                key.to_parsed_public_key(&RSA_PKCS1_2048_8192_SHA256).ok()
            }
        }
    }
}

impl Serialize for Jwk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        match &self.0 {
            Public::P256 { x, y } => {
                members.serialize_entry("kty", "EC")?;
                members.serialize_entry("crv", "P-256")?;
                members.serialize_entry("x", &base64url::encode(x))?;
                members.serialize_entry("y", &base64url::encode(y))?;
            }
            Public::Rsa { modulus, exponent } => {
                members.serialize_entry("kty", "RSA")?;
                members.serialize_entry("n", &base64url::encode(modulus))?;
                members.serialize_entry("e", &base64url::encode(exponent))?;
            }
        }
        members.end()
    }
}

fn p256(x: &[u8], y: &[u8]) -> Option<Public> {
    Some(Public::P256 { x: x.try_into().ok()?, y: y.try_into().ok()? })
}

/// Both numbers in the fewest bytes (RFC 7518, section 6.3.1): otherwise one key has many thumbprints.
fn rsa(modulus: Vec<u8>, exponent: Vec<u8>) -> Option<Public> {
    let fewest = |number: &[u8]| number.first().is_some_and(|first| *first != 0);
    // 256 bytes whose first bit is not set would be less than 2048 bits
    let long_enough = modulus.len() > 256 || modulus.first().is_some_and(|first| *first >= 0x80);
    (RSA_BYTES.contains(&modulus.len()) && long_enough && fewest(&modulus) && fewest(&exponent))
        .then_some(Public::Rsa { modulus, exponent })
}
