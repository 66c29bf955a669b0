//! SHA-256, in the text that JOSE writes it in.

use aws_lc_rs::digest::{SHA256, digest};

use super::base64url;

/// What `ath` says of an access token: the proof is for this token and no other.
///
/// # Examples
///
/// ```
/// use pap_protocol::dpop::access_token_hash;
///
/// // the token of RFC 9449, section 7.1
/// let token = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";
/// assert_eq!(access_token_hash(token), "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo");
/// ```
pub fn access_token_hash(token: &str) -> String {
    sha256(token)
}

pub(super) fn sha256(text: &str) -> String {
    base64url::encode(digest(&SHA256, text.as_bytes()))
}
