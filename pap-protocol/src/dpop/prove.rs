//! The agent's half: one proof for one request.

use std::error::Error;
use std::fmt::{Display, Formatter};

use serde::Serialize;

use super::{Jwk, Key, access_token_hash, base64url};

/// The value of the `DPoP` header for one request: a proof that whoever sends it holds `key`.
///
/// `url` is the request's URL as it is sent; its query and fragment are left out. `iat` is the time in
/// seconds since 1970. Every proof has a random `jti` of 128 bits: make a new one for each request, also
/// for a retry.
///
/// # Errors
///
/// [`NoRandomness`] if the system has none to give: the request is not to be sent, and can be tried later.
///
/// # Examples
///
/// ```
/// use pap_protocol::dpop::{Expected, Key, prove, verify};
///
/// let key = Key::generate()?;
/// let url = "https://api.example.com/poppy/operations/exc_5Rt2/confirm";
/// let proof = prove(&key, "POST", url, Some("token"), 1_793_000_100, None)?;
///
/// let thumbprint = key.thumbprint();
/// let expected = Expected {
///     method: "POST",
///     url,
///     access_token: Some("token"),
///     thumbprint: Some(&thumbprint),
///     now: 1_793_000_101,
///     nonce: None,
/// };
/// assert_eq!(verify(&proof, expected)?.thumbprint, thumbprint);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[expect(clippy::too_many_arguments, reason = "each is a claim of the proof, and all are needed")]
pub fn prove(
    key: &Key,
    method: &str,
    url: &str,
    access_token: Option<&str>,
    iat: i64,
    nonce: Option<&str>,
) -> Result<String, NoRandomness> {
    let header = Header { typ: "dpop+jwt", alg: "ES256", jwk: key.jwk() };
    let ath = access_token.map(access_token_hash);
    let htu = without_query_and_fragment(url);
    let jti = random_jti(getrandom::fill)?;
    let claims = Claims { jti: &jti, htm: method, htu, iat, ath: ath.as_deref(), nonce };
    let message = format!("{}.{}", part(&header), part(&claims));
    // signing fails only without randomness
    let signature = key.sign(message.as_bytes()).ok_or(NoRandomness)?;
    Ok(format!("{message}.{}", base64url::encode(signature)))
}

/// The system has no randomness to give, so there is no proof: one that can be guessed is worse than none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoRandomness;

impl Display for NoRandomness {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("no proof could be made: the system has no randomness to give")
    }
}

impl Error for NoRandomness {}

/// What `htu` is about.
pub(super) fn without_query_and_fragment(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url)
}

#[derive(Serialize)]
struct Header<'a> {
    typ: &'static str,
    alg: &'static str,
    jwk: &'a Jwk,
}

#[derive(Serialize)]
struct Claims<'a> {
    jti: &'a str,
    htm: &'a str,
    htu: &'a str,
    iat: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ath: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'a str>,
}

fn part(value: &impl Serialize) -> String {
    // strings and numbers under fixed names: there is nothing in it that JSON cannot write
    base64url::encode(serde_json::to_vec(value).unwrap_or_default())
}

fn random_jti(
    fill: impl FnOnce(&mut [u8]) -> Result<(), getrandom::Error>,
) -> Result<String, NoRandomness> {
    let mut bits = [0; 16];
    fill(&mut bits).map_err(|_says_no_more| NoRandomness)?;
    Ok(base64url::encode(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_randomness_there_is_no_jti_and_it_is_said() {
        let refused = random_jti(|_bits| Err(getrandom::Error::UNSUPPORTED)).unwrap_err();
        let said = "no proof could be made: the system has no randomness to give";
        assert_eq!(refused.to_string(), said);
    }
}
