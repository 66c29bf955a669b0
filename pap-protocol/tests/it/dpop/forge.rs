//! Proofs with anything in them, signed by keys of the test.

use std::sync::OnceLock;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair as RsaKeyPair, KeySize};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pap_protocol::dpop::access_token_hash;

use super::{NOW, TOKEN, URL};

pub(super) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A key that signs whatever it is given.
pub(super) enum Signer {
    P256(EcdsaKeyPair),
    Rsa(Box<RsaKeyPair>),
}

impl Signer {
    pub(super) fn p256() -> Self {
        Self::P256(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap())
    }

    pub(super) fn rsa() -> Self {
        Self::Rsa(Box::new(RsaKeyPair::generate(KeySize::Rsa2048).unwrap()))
    }

    /// One of each algorithm, made once.
    pub(super) fn each() -> &'static [Self; 2] {
        static EACH: OnceLock<[Signer; 2]> = OnceLock::new();
        EACH.get_or_init(|| [Self::p256(), Self::rsa()])
    }

    pub(super) fn algorithm(&self) -> &'static str {
        match self {
            Self::P256(_) => "ES256",
            Self::Rsa(_) => "RS256",
        }
    }

    /// The public key as JSON, members in the order that the crate writes.
    pub(super) fn jwk(&self) -> String {
        match self {
            Self::P256(pair) => {
                let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
                format!(r#"{{"kty":"EC","crv":"P-256","x":"{}","y":"{}"}}"#, encode(x), encode(y))
            }
            Self::Rsa(pair) => {
                // DER: a sequence of two integers, the modulus with a leading zero, and 65537
                let der = pair.public_key().as_ref();
                let (modulus, exponent) = (&der[9..9 + 256], &der[der.len() - 3..]);
                assert_eq!(exponent, [1, 0, 1]);
                format!(r#"{{"kty":"RSA","n":"{}","e":"{}"}}"#, encode(modulus), encode(exponent))
            }
        }
    }

    pub(super) fn sign(&self, message: &str) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Self::P256(pair) => pair.sign(&random, message.as_bytes()).unwrap().as_ref().to_vec(),
            Self::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message.as_bytes(), &mut signature).unwrap();
                signature
            }
        }
    }
}

/// A proof in the making: members in order, each with its JSON text.
#[derive(Clone)]
pub(super) struct Forge {
    header: Vec<(String, String)>,
    payload: Vec<(String, String)>,
}

impl Forge {
    /// A good proof for the request of the tests.
    pub(super) fn new(signer: &Signer) -> Self {
        let text = |text: &str| format!("{text:?}");
        let header =
            [("typ", text("dpop+jwt")), ("alg", text(signer.algorithm())), ("jwk", signer.jwk())];
        let payload = [
            ("jti", text("prf_k2T9wq7LmZ0xEr3Vd8sN1A")),
            ("htm", text("POST")),
            ("htu", text(URL)),
            ("iat", NOW.to_string()),
            ("ath", text(&access_token_hash(TOKEN))),
        ];
        let owned = |(name, value): (&str, String)| (name.to_owned(), value);
        Self { header: header.map(owned).to_vec(), payload: payload.map(owned).to_vec() }
    }

    /// One good proof of each algorithm, made once.
    pub(super) fn fixed() -> &'static (String, String) {
        static FIXED: OnceLock<(String, String)> = OnceLock::new();
        FIXED.get_or_init(|| {
            let [p256, rsa] = Signer::each();
            (Self::new(p256).sign(p256), Self::new(rsa).sign(rsa))
        })
    }

    /// With this member of the header instead, or in addition.
    pub(super) fn header(mut self, name: &str, json: impl Into<String>) -> Self {
        set(&mut self.header, name, json.into());
        self
    }

    /// With this member of the payload instead, or in addition.
    pub(super) fn payload(mut self, name: &str, json: impl Into<String>) -> Self {
        set(&mut self.payload, name, json.into());
        self
    }

    /// Without this member of the header.
    pub(super) fn without_header(mut self, name: &str) -> Self {
        self.header.retain(|(there, _)| there != name);
        self
    }

    /// Without this member of the payload.
    pub(super) fn without_payload(mut self, name: &str) -> Self {
        self.payload.retain(|(there, _)| there != name);
        self
    }

    /// With a second member of that name.
    pub(super) fn header_twice(mut self, name: &str, json: &str) -> Self {
        self.header.push((name.to_owned(), json.to_owned()));
        self
    }

    /// With a second member of that name.
    pub(super) fn payload_twice(mut self, name: &str, json: &str) -> Self {
        self.payload.push((name.to_owned(), json.to_owned()));
        self
    }

    pub(super) fn sign(&self, signer: &Signer) -> String {
        signed(signer, &object(&self.header), &object(&self.payload))
    }
}

/// A compact JWT of these two texts.
pub(super) fn signed(signer: &Signer, header: &str, payload: &str) -> String {
    let message = format!("{}.{}", encode(header), encode(payload));
    format!("{message}.{}", encode(signer.sign(&message)))
}

fn set(members: &mut Vec<(String, String)>, name: &str, json: String) {
    match members.iter_mut().find(|(there, _)| there == name) {
        Some((_, value)) => *value = json,
        None => members.push((name.to_owned(), json)),
    }
}

fn object(members: &[(String, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}
