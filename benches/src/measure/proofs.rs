//! Verifying a proof, beside the one thing in it that cannot be had for less: the signature.

use std::hint::black_box;
use std::time::Duration;

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pap_protocol::dpop::{Expected, KnownKeys, verify};
use serde::Deserialize;

use crate::agent::{Agent, ORIGIN, TOKEN};
use crate::arguments::Arguments;
use crate::error::Error;
use crate::statistics::Spread;
use crate::usage::{cpu, now};

/// So many in one turn.
const IN_A_TURN: u32 = 200;
/// Turns of each in a slice.
const TURNS: u32 = 5;

/// CPU time of one, in microseconds, slice by slice.
#[derive(Debug)]
pub(crate) struct Proofs {
    /// Of a key that is new.
    pub(crate) whole: Vec<f64>,
    /// Of a key that has signed before, as the runtime verifies.
    pub(crate) known: Vec<f64>,
    pub(crate) signature: Vec<f64>,
}

impl Proofs {
    /// Proofs in a CPU-second as a share of bare signatures.
    pub(crate) fn ratio(&self) -> Spread {
        let pairs = self.whole.iter().zip(&self.signature);
        Spread::of(pairs.map(|(whole, signature)| signature / whole))
    }
}

/// Measures both in short turns.
pub(super) fn measured(arguments: &Arguments, agent: &Agent) -> Result<Proofs, Error> {
    let url = format!("{ORIGIN}/poppy/operations/exc_5rt2/confirm");
    let (proof, thumbprint) = (agent.proof(&url)?, agent.thumbprint());
    let expected = Expected {
        method: "POST",
        url: &url,
        access_token: Some(TOKEN),
        thumbprint: Some(&thumbprint),
        now: now(),
        nonce: None,
    };
    let (signed, signature) = proof.rsplit_once('.').ok_or_else(|| Error::said("no proof"))?;
    let (key, signature) = (point(signed)?, URL_SAFE_NO_PAD.decode(signature).map_err(Error::of)?);
    let mut proofs = Proofs { whole: Vec::new(), known: Vec::new(), signature: Vec::new() };
    let known_keys = KnownKeys::default();
    for _ in 0..=arguments.slices {
        let [mut whole, mut known, mut bare] = [Duration::ZERO; 3];
        for _ in 0..TURNS {
            whole += spent(|| verify(black_box(&proof), expected).is_ok())?;
            known += spent(|| known_keys.verify(black_box(&proof), expected).is_ok())?;
            bare += spent(|| {
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, black_box(&key));
                key.verify(signed.as_bytes(), &signature).is_ok()
            })?;
        }
        let each = f64::from(TURNS * IN_A_TURN);
        proofs.whole.push(whole.as_secs_f64() * 1e6 / each);
        proofs.known.push(known.as_secs_f64() * 1e6 / each);
        proofs.signature.push(bare.as_secs_f64() * 1e6 / each);
    }
    // the first of each filled the caches
    proofs.whole.remove(0);
    proofs.known.remove(0);
    proofs.signature.remove(0);
    Ok(proofs)
}

/// CPU time of one turn.
fn spent(mut verified: impl FnMut() -> bool) -> Result<Duration, Error> {
    let before = cpu();
    for _ in 0..IN_A_TURN {
        if !black_box(verified()) {
            return Err(Error::said("a good signature was refused"));
        }
    }
    Ok(cpu().saturating_sub(before))
}

/// The public key in a proof's header, as a point.
fn point(signed: &str) -> Result<Vec<u8>, Error> {
    #[derive(Deserialize)]
    struct Head {
        jwk: Jwk,
    }
    #[derive(Deserialize)]
    struct Jwk {
        x: String,
        y: String,
    }
    let head = signed.split('.').next().unwrap_or_default();
    let head = URL_SAFE_NO_PAD.decode(head).map_err(Error::of)?;
    let Head { jwk: Jwk { x, y } } = serde_json::from_slice(&head).map_err(Error::of)?;
    let mut point = vec![4];
    for half in [x, y] {
        point.extend(URL_SAFE_NO_PAD.decode(half).map_err(Error::of)?);
    }
    Ok(point)
}
