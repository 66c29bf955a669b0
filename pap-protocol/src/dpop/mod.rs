//! Proofs of possession (RFC 9449): an agent proves that it holds the key a Session Token is bound to,
//! and a Company checks it. ES256 and RS256, nothing else.
//!
//! What verifies one proof is here and pure. What remembers proofs, so that none is used twice, is the
//! caller's: keep (thumbprint, `jti`) until [`replay_until`].

mod base64url;
mod digest;
mod jwk;
mod key;
mod known;
mod proof_refused;
mod prove;
mod verify;
mod window;

pub use digest::access_token_hash;
pub use jwk::Jwk;
pub use key::{Key, KeyRefused};
pub use known::KnownKeys;
pub use proof_refused::ProofRefused;
pub use prove::{NoRandomness, prove};
pub use verify::{Expected, PROOF_BYTES_MAX, Proof, verify};
pub use window::{WINDOW_S, replay_until};
