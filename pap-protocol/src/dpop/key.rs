//! The key that an agent proves possession of.

use std::error::Error;
use std::fmt::{Debug, Display, Formatter};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};

use super::Jwk;

/// A private key for ES256. `Debug` shows the public part's thumbprint alone.
pub struct Key {
    pair: EcdsaKeyPair,
    jwk: Jwk,
}

impl Key {
    /// A new key.
    ///
    /// # Errors
    ///
    /// [`KeyRefused`] if the system has no randomness to give.
    pub fn generate() -> Result<Self, KeyRefused> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING);
        pair.ok().and_then(Self::new).ok_or(KeyRefused("no key could be generated"))
    }

    /// The key in this PKCS#8 document.
    ///
    /// # Errors
    ///
    /// [`KeyRefused`] if it is not a private key on the curve P-256.
    pub fn from_pkcs8(document: &[u8]) -> Result<Self, KeyRefused> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document);
        pair.ok().and_then(Self::new).ok_or(KeyRefused("not a PKCS#8 private key on P-256"))
    }

    /// The key as a PKCS#8 document: a secret, for the agent's own safe place.
    ///
    /// # Errors
    ///
    /// [`KeyRefused`] if it cannot be written.
    pub fn to_pkcs8(&self) -> Result<Vec<u8>, KeyRefused> {
        let document = self.pair.to_pkcs8v1().ok();
        let document = document.ok_or(KeyRefused("the key could not be written"))?;
        Ok(document.as_ref().to_vec())
    }

    /// The RFC 7638 thumbprint of the public key, which tokens are bound to.
    pub fn thumbprint(&self) -> String {
        self.jwk.thumbprint()
    }

    /// The public key.
    pub fn jwk(&self) -> &Jwk {
        &self.jwk
    }

    fn new(pair: EcdsaKeyPair) -> Option<Self> {
        let jwk = Jwk::from_point(pair.public_key().as_ref())?;
        Some(Self { pair, jwk })
    }

    /// The signature that JOSE wants: the two numbers, 32 bytes each. None without randomness.
    pub(super) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        let signature = self.pair.sign(&SystemRandom::new(), message).ok()?;
        Some(signature.as_ref().to_vec())
    }
}

impl Debug for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").field("thumbprint", &self.thumbprint()).finish_non_exhaustive()
    }
}

/// A key could not be made, read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRefused(&'static str);

impl Display for KeyRefused {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for KeyRefused {}
