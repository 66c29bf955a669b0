//! Proofs: the RFCs' own, ours, and everything that must not pass.

mod forge;
mod refused;
mod rfc;

use std::sync::LazyLock;

use pap_protocol::dpop::{
    self, Expected, Jwk, Key, KnownKeys, PROOF_BYTES_MAX, Proof, ProofRefused, WINDOW_S,
    access_token_hash, prove, replay_until,
};
use pap_protocol::refusal::ErrorCode;
use proptest::prelude::*;

use forge::{Forge, Signer};

const URL: &str = "https://api.example.com/poppy/operations/exc_5Rt2/confirm";
const TOKEN: &str = "sat_9cQpV0u";
const NOW: i64 = 1_793_000_100;

fn expected() -> Expected<'static> {
    Expected {
        method: "POST",
        url: URL,
        access_token: Some(TOKEN),
        thumbprint: None,
        now: NOW,
        nonce: None,
    }
}

/// The answer, which is the same whether or not the key has signed before.
#[track_caller]
fn verify(proof: &str, expected: Expected<'_>) -> Result<Proof, ProofRefused> {
    static KNOWN: LazyLock<KnownKeys> = LazyLock::new(KnownKeys::default);
    let answer = dpop::verify(proof, expected);
    for known in [&KNOWN, &KNOWN, &KnownKeys::default()] {
        assert_eq!(known.verify(proof, expected), answer, "{proof}");
    }
    answer
}

fn proof_of(key: &Key) -> String {
    prove(key, "POST", URL, Some(TOKEN), NOW, None).unwrap()
}

/// OPS-2-2, EXT-17
#[test]
fn a_proof_of_the_bound_key_is_accepted_for_its_request() {
    let key = Key::generate().unwrap();
    let thumbprint = key.thumbprint();
    let bound = Expected { thumbprint: Some(&thumbprint), ..expected() };
    let Proof { thumbprint: shown, jti, iat, .. } = verify(&proof_of(&key), bound).unwrap();
    assert_eq!((shown, iat), (thumbprint.clone(), NOW));
    assert_eq!(jti.len(), 22, "128 bits");
    let other = verify(&proof_of(&Key::generate().unwrap()), bound);
    assert_eq!(other, Err(ProofRefused::Thumbprint));
}

#[test]
fn every_proof_has_its_own_jti() {
    let key = Key::generate().unwrap();
    let jti = || verify(&proof_of(&key), expected()).unwrap().jti;
    assert_ne!(jti(), jti());
}

#[test]
fn a_proof_is_about_the_url_without_query_and_fragment() {
    let key = Key::generate().unwrap();
    let proof = prove(&key, "GET", "https://api.example.com/a%20b?x=1#y", None, NOW, None).unwrap();
    let get = Expected { method: "GET", access_token: None, ..expected() };
    for url in ["https://api.example.com/a%20b", "https://api.example.com/a%20b?z=2"] {
        assert!(verify(&proof, Expected { url, ..get }).is_ok(), "{url}");
    }
    for url in [
        "https://api.example.com/a b",
        "https://api.example.com/a%20b/",
        "https://API.example.com/a%20b",
    ] {
        assert_eq!(verify(&proof, Expected { url, ..get }), Err(ProofRefused::Url), "{url}");
    }
}

/// OPS-2-2
#[test]
fn a_token_needs_its_hash_and_no_token_needs_none() {
    let key = Key::generate().unwrap();
    let with_token = proof_of(&key);
    let without = prove(&key, "POST", URL, None, NOW, None).unwrap();
    let no_token = Expected { access_token: None, ..expected() };
    let other_token = Expected { access_token: Some("sat_other"), ..expected() };
    assert!(verify(&with_token, expected()).is_ok());
    assert!(verify(&without, no_token).is_ok());
    for (proof, expected) in
        [(&with_token, no_token), (&with_token, other_token), (&without, expected())]
    {
        assert_eq!(verify(proof, expected), Err(ProofRefused::AccessTokenHash));
    }
}

#[test]
fn a_wanted_nonce_must_be_the_one_in_the_proof() {
    let key = Key::generate().unwrap();
    let wanted = Expected { nonce: Some("n-1"), ..expected() };
    let with = |nonce| prove(&key, "POST", URL, Some(TOKEN), NOW, nonce).unwrap();
    assert!(verify(&with(Some("n-1")), wanted).is_ok());
    assert!(verify(&with(Some("n-1")), expected()).is_ok(), "one that is not wanted does no harm");
    for nonce in [None, Some("n-2"), Some("")] {
        let refused = verify(&with(nonce), wanted).unwrap_err();
        assert_eq!((refused, refused.code()), (ProofRefused::Nonce, ErrorCode::UseDpopNonce));
    }
}

/// EXT-18
#[test]
fn a_proof_is_good_for_a_minute_to_either_side_and_remembered_longer() {
    let key = Key::generate().unwrap();
    let proof = proof_of(&key);
    for now in [NOW - WINDOW_S, NOW, NOW + WINDOW_S] {
        let accepted = verify(&proof, Expected { now, ..expected() }).unwrap();
        assert!(now < replay_until(accepted.iat));
    }
    for now in [NOW - WINDOW_S - 1, NOW + WINDOW_S + 1, i64::MIN, i64::MAX] {
        let refused = verify(&proof, Expected { now, ..expected() });
        assert_eq!(refused, Err(ProofRefused::IssuedAt), "{now}");
    }
}

#[test]
fn a_key_is_kept_as_pkcs8() {
    let key = Key::generate().unwrap();
    let same = Key::from_pkcs8(&key.to_pkcs8().unwrap()).unwrap();
    assert_eq!(same.thumbprint(), key.thumbprint());
    assert_eq!(same.jwk(), key.jwk());
    assert!(verify(&proof_of(&same), expected()).is_ok());
    for bad in [&b""[..], b"not a key", &key.to_pkcs8().unwrap()[1..]] {
        assert!(Key::from_pkcs8(bad).is_err());
    }
}

/// EXT-16
#[test]
fn nothing_secret_is_shown() {
    let key = Key::generate().unwrap();
    let shown = format!("{key:?}");
    assert_eq!(shown, format!("Key {{ thumbprint: {:?}, .. }}", key.thumbprint()));
    let secret = Expected { nonce: Some("n-1"), ..expected() };
    assert!(!format!("{secret:?}").contains(TOKEN));
    for reason in ProofRefused::ALL {
        assert_eq!(reason.to_string(), reason.reason());
        let code =
            if reason == ProofRefused::Nonce { "use_dpop_nonce" } else { "invalid_dpop_proof" };
        assert_eq!(reason.code().code(), code);
    }
}

#[test]
fn a_public_key_is_read_and_written_with_its_members_alone() {
    let key = Key::generate().unwrap();
    let written = serde_json::to_value(key.jwk()).unwrap();
    let names: Vec<&String> = written.as_object().unwrap().keys().collect();
    assert_eq!(names, ["crv", "kty", "x", "y"]);
    let mut more = written.clone();
    more["kid"] = "key-1".into();
    more["use"] = "sig".into();
    let read = Jwk::from_json(more.to_string().as_bytes()).unwrap();
    assert_eq!((&read, read.algorithm()), (key.jwk(), "ES256"));
    assert_eq!(serde_json::to_value(&read).unwrap(), written);
    let rsa = Signer::rsa();
    let read = Jwk::from_json(rsa.jwk().as_bytes()).unwrap();
    assert_eq!(read.algorithm(), "RS256");
    assert_eq!(serde_json::to_string(&read).unwrap(), rsa.jwk());
    for bad in [
        "{}",
        "[]",
        r#"{"kty":"oct","k":"AAAA"}"#,
        r#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#,
    ] {
        assert!(Jwk::from_json(bad.as_bytes()).is_err(), "{bad}");
    }
}

/// OPS-2-2
#[test]
fn rs256_proofs_are_accepted_too() {
    let signer = Signer::rsa();
    let proof = Forge::new(&signer).sign(&signer);
    let shown = verify(&proof, expected()).unwrap();
    assert_eq!(shown.thumbprint, Jwk::from_json(signer.jwk().as_bytes()).unwrap().thumbprint());
    assert_eq!(access_token_hash(TOKEN).len(), 43);
}

/// What a thief of a proof could do to it.
#[derive(Debug, Clone)]
enum Change {
    Replace(prop::sample::Index, char),
    Insert(prop::sample::Index, char),
    Remove(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    CutAt(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let char = prop_oneof![
        prop::char::ranges(vec!['a'..='z', 'A'..='Z', '0'..='9', '-'..='-', '_'..='_'].into()),
        prop::sample::select(vec!['.', '=', '+', '/', ' ', '\n', '"']),
        any::<char>(),
    ];
    let at = any::<prop::sample::Index>;
    prop_oneof![
        4 => (at(), char.clone()).prop_map(|(at, char)| Change::Replace(at, char)),
        2 => (at(), char).prop_map(|(at, char)| Change::Insert(at, char)),
        1 => at().prop_map(Change::Remove),
        1 => (at(), at()).prop_map(|(one, other)| Change::Swap(one, other)),
        1 => at().prop_map(Change::CutAt),
    ]
}

fn changed(proof: &str, changes: &[Change]) -> String {
    let mut chars: Vec<char> = proof.chars().collect();
    for change in changes.iter().filter(|_| !proof.is_empty()) {
        match change {
            Change::Replace(at, char) => {
                let at = at.index(chars.len());
                chars[at] = *char;
            }
            Change::Insert(at, char) => chars.insert(at.index(chars.len() + 1), *char),
            Change::Remove(at) if chars.len() > 1 => drop(chars.remove(at.index(chars.len()))),
            Change::Swap(one, other) => {
                let (one, other) = (one.index(chars.len()), other.index(chars.len()));
                chars.swap(one, other);
            }
            Change::CutAt(at) if chars.len() > 1 => chars.truncate(at.index(chars.len()).max(1)),
            Change::Remove(_) | Change::CutAt(_) => {}
        }
    }
    chars.into_iter().collect()
}

fn check_no_change_verifies(proof: &str, changes: &[Change]) -> Result<(), TestCaseError> {
    let changed = changed(proof, changes);
    prop_assume!(changed != proof);
    prop_assert!(verify(&changed, expected()).is_err(), "{} became {}", proof, changed);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// EXT-17
    #[test]
    fn no_changed_proof_verifies(changes in prop::collection::vec(change(), 1..4)) {
        check_no_change_verifies(&Forge::fixed().0, &changes)?;
        check_no_change_verifies(&Forge::fixed().1, &changes)?;
    }

    #[test]
    fn no_text_is_too_strange(text: String, parts in prop::collection::vec("[A-Za-z0-9_-]{0,40}", 0..5)) {
        prop_assert!(verify(&text, expected()).is_err());
        prop_assert!(verify(&parts.join("."), expected()).is_err());
    }
}

#[test]
fn a_proof_that_is_too_large_is_not_even_read() {
    let signer = Signer::p256();
    let padded = Forge::new(&signer).header("kid", format!("{:?}", "a".repeat(PROOF_BYTES_MAX)));
    assert_eq!(verify(&padded.sign(&signer), expected()), Err(ProofRefused::TooLarge));
    let fits = Forge::new(&signer).header("kid", format!("{:?}", "a".repeat(4 * 1024)));
    assert!(verify(&fits.sign(&signer), expected()).is_ok());
}
