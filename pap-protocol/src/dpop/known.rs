//! Keys that have signed before.
//!
//! The header of a proof is the same text in every proof of a key, and what it comes to depends on nothing else. So
//! it is worked out once: what is left of a proof is its signature, which is verified every time.

use std::fmt::{Debug, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_lc_rs::signature::ParsedPublicKey;
use hashlink::LruCache;

use super::verify::{parts, signed, signer};
use super::{Expected, Jwk, Proof, ProofRefused};

/// So many keys are known: some of a MiB, however many there are.
const KEYS_MAX: usize = 1_024;
/// The header of a P-256 key takes about 200 bytes, and one of a long RSA key 1,000.
const HEADER_BYTES_MAX: usize = 1_024;

/// Keys that have signed a good proof before, so that their next proofs cost a Company little more than the
/// signature.
///
/// It remembers no proof and changes no answer: what is known of a key is what the proof says of it. Those that were
/// used last are kept, 1,024 of them.
///
/// # Examples
///
/// ```
/// use pap_protocol::dpop::{Expected, Key, KnownKeys, prove};
///
/// let (known, key) = (KnownKeys::default(), Key::generate()?);
/// let thumbprint = key.thumbprint();
/// let url = "https://shop.example/poppy/operations/exc_1/confirm";
/// let proof = prove(&key, "POST", url, Some("token"), 1_793_000_000, None)?;
/// let expected = Expected {
///     method: "POST",
///     url,
///     access_token: Some("token"),
///     thumbprint: Some(&thumbprint),
///     now: 1_793_000_000,
///     nonce: None,
/// };
/// assert_eq!(known.verify(&proof, expected)?.thumbprint, thumbprint);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct KnownKeys(Mutex<LruCache<Box<str>, Arc<Signer>>>);

impl KnownKeys {
    /// As [`verify`](super::verify), and with the same answer.
    ///
    /// # Errors
    ///
    /// [`ProofRefused`] with the first thing that is wrong.
    pub fn verify(&self, proof: &str, expected: Expected<'_>) -> Result<Proof, ProofRefused> {
        let parts = parts(proof)?;
        let known = self.lock().get(parts.header).map(Arc::clone);
        if let Some(signer) = known {
            return signed(&parts, &signer, expected);
        }
        let signer = signer(parts.header)?;
        let proof = signed(&parts, &signer, expected)?;
        // only now: whoever has no key of a Session displaces nobody's
        if parts.header.len() <= HEADER_BYTES_MAX {
            self.lock().insert(parts.header.into(), Arc::new(signer));
        }
        Ok(proof)
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<Box<str>, Arc<Signer>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for KnownKeys {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(KEYS_MAX)))
    }
}

impl Debug for KnownKeys {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KnownKeys").field("keys", &self.lock().len()).finish()
    }
}

/// A key that is ready to verify, and its thumbprint.
pub(super) struct Signer {
    thumbprint: String,
    key: Option<ParsedPublicKey>,
}

impl Signer {
    pub(super) fn of(key: &Jwk) -> Self {
        Self { thumbprint: key.thumbprint(), key: key.ready() }
    }

    pub(super) fn thumbprint(&self) -> &str {
        &self.thumbprint
    }

    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        self.key.as_ref().is_some_and(|key| key.verify_sig(message, signature).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Key, prove};
    use super::*;

    const URL: &str = "https://shop.example/";

    fn expected(thumbprint: Option<&str>) -> Expected<'_> {
        Expected { method: "GET", url: URL, access_token: None, thumbprint, now: 0, nonce: None }
    }

    fn proof() -> String {
        prove(&Key::generate().unwrap(), "GET", URL, None, 0, None).unwrap()
    }

    #[test]
    fn however_many_keys_sign_some_are_known() {
        let known = KnownKeys::default();
        for _ in 0..KEYS_MAX + 10 {
            known.verify(&proof(), expected(None)).unwrap();
        }
        assert_eq!(known.lock().len(), KEYS_MAX);
    }

    #[test]
    fn a_key_whose_proof_was_refused_is_not_known() {
        let known = KnownKeys::default();
        assert_eq!(
            known.verify(&proof(), expected(Some("another"))),
            Err(ProofRefused::Thumbprint)
        );
        assert_eq!(known.lock().len(), 0);
    }
}
