//! One forgery for each reason to refuse a proof.

use pap_protocol::dpop::{Expected, ProofRefused};

use super::forge::{Forge, Signer, encode, signed};
use super::{expected, verify};

#[track_caller]
fn check(proof: &str, reason: ProofRefused) {
    assert_eq!(verify(proof, expected()), Err(reason), "{proof}");
}

/// A forgery that is signed well, by the key it shows.
#[track_caller]
fn check_forged(change: impl Fn(Forge) -> Forge, reason: ProofRefused) {
    for signer in Signer::each() {
        let good = Forge::new(signer);
        assert!(verify(&good.sign(signer), expected()).is_ok());
        check(&change(good).sign(signer), reason);
    }
}

/// EXT-17
#[test]
fn other_types_are_refused() {
    for typ in [
        r#""JWT""#,
        r#""dpop+JWT""#,
        r#""application/dpop+jwt""#,
        r#""poppy-browser+jwt""#,
        r#""""#,
    ] {
        check_forged(|good| good.header("typ", typ), ProofRefused::Type);
    }
    for typ in ["null", "1", r#"["dpop+jwt"]"#] {
        check_forged(|good| good.header("typ", typ), ProofRefused::Header);
    }
    check_forged(|good| good.without_header("typ"), ProofRefused::Header);
}

/// EXT-17
#[test]
fn other_algorithms_are_refused() {
    for alg in [
        "none", "None", "HS256", "ES384", "ES512", "ES256K", "RS384", "RS512", "PS256", "EdDSA",
        "es256", "",
    ] {
        check_forged(|good| good.header("alg", format!("{alg:?}")), ProofRefused::Algorithm);
    }
    check_forged(|good| good.without_header("alg"), ProofRefused::Header);
    let [p256, rsa] = Signer::each();
    check(&Forge::new(p256).header("alg", r#""RS256""#).sign(p256), ProofRefused::PublicKey);
    check(&Forge::new(rsa).header("alg", r#""ES256""#).sign(rsa), ProofRefused::PublicKey);
    let unsigned = Forge::new(p256).header("alg", r#""none""#).sign(p256);
    let (message, _) = unsigned.rsplit_once('.').unwrap();
    check(&format!("{message}."), ProofRefused::Algorithm);
}

/// EXT-17
#[test]
fn keys_that_are_private_weak_or_incomplete_are_refused() {
    let [p256, rsa] = Signer::each();
    for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
        for value in [r#""AAAA""#, "null"] {
            let more = |jwk: String| jwk.replacen('{', &format!("{{\"{name}\":{value},"), 1);
            check_forged_key(p256, more, ProofRefused::PrivateKey);
            check_forged_key(rsa, more, ProofRefused::PrivateKey);
        }
    }
    for (from, to) in [
        ("P-256", "P-384"),
        ("P-256", "p-256"),
        (r#""EC""#, r#""OKP""#),
        (r#""x":"#, r#""u":"#),
        (r#""y":"#, r#""u":"#),
        (r#""crv":"#, r#""u":"#),
        (r#""kty":"#, r#""u":"#),
        (r#""x":""#, r#""x":"AA"#),
        (r#""y":""#, r#""y":"=="#),
    ] {
        check_forged_key(p256, |jwk| jwk.replacen(from, to, 1), ProofRefused::PublicKey);
    }
    let [short, long] = [255, 513].map(|bytes| encode(vec![0xff; bytes]));
    let just_too_short = encode([vec![0x7f], vec![0xff; 255]].concat());
    let with_zero = encode([vec![0], vec![0xff; 256]].concat());
    for modulus in [short, long, just_too_short, with_zero, String::new()] {
        let jwk = format!(r#"{{"kty":"RSA","n":"{modulus}","e":"AQAB"}}"#);
        check_forged_key(rsa, |_| jwk.clone(), ProofRefused::PublicKey);
    }
    for exponent in ["", "AAEAAQ", "AQAB=", "AQB"] {
        let jwk = |jwk: String| jwk.replacen("AQAB", exponent, 1);
        check_forged_key(rsa, jwk, ProofRefused::PublicKey);
    }
    check_forged(|good| good.header("jwk", "[]"), ProofRefused::Header);
    check_forged(|good| good.header("jwk", "null"), ProofRefused::Header);
    check_forged(|good| good.without_header("jwk"), ProofRefused::Header);
    let elsewhere = r#""https://evil.example/jwks.json""#;
    check_forged(|good| good.without_header("jwk").header("jku", elsewhere), ProofRefused::Header);
}

#[track_caller]
fn check_forged_key(signer: &Signer, change: impl Fn(String) -> String, reason: ProofRefused) {
    let jwk = change(signer.jwk());
    assert_ne!(jwk, signer.jwk(), "the forgery is one");
    check(&Forge::new(signer).header("jwk", jwk).sign(signer), reason);
}

#[test]
fn a_point_that_is_not_on_the_curve_is_refused() {
    let signer = Signer::p256();
    let off = format!(r#"{{"kty":"EC","crv":"P-256","x":"{0}","y":"{0}"}}"#, encode([1; 32]));
    check(&Forge::new(&signer).header("jwk", off).sign(&signer), ProofRefused::Signature);
    let zero = format!(r#"{{"kty":"EC","crv":"P-256","x":"{0}","y":"{0}"}}"#, encode([0; 32]));
    check(&Forge::new(&signer).header("jwk", zero).sign(&signer), ProofRefused::Signature);
}

/// EXT-17
#[test]
fn another_keys_signature_is_refused() {
    for make in [Signer::p256, Signer::rsa] {
        let (shown, signing) = (make(), make());
        check(&Forge::new(&shown).sign(&signing), ProofRefused::Signature);
    }
    let signer = Signer::p256();
    let proof = Forge::new(&signer).sign(&signer);
    let (message, signature) = proof.rsplit_once('.').unwrap();
    // no signature, all zeros, too long, and the other form that ECDSA signatures have (DER)
    for signature in
        [String::new(), encode([0; 64]), format!("{signature}AAAA"), encode([0x30; 70])]
    {
        check(&format!("{message}.{signature}"), ProofRefused::Signature);
    }
    // a key whose exponent makes every message its own signature
    let [_, rsa] = Signer::each();
    let trivial = rsa.jwk().replacen("AQAB", "AQ", 1);
    check(&Forge::new(rsa).header("jwk", trivial).sign(rsa), ProofRefused::Signature);
}

/// EXT-17
#[test]
fn what_is_not_one_compact_jwt_is_refused() {
    let signer = Signer::p256();
    let proof = Forge::new(&signer).sign(&signer);
    let [header, payload, signature] = proof.split('.').collect::<Vec<_>>().try_into().unwrap();
    let others = [
        String::new(),
        ".".to_owned(),
        format!("{header}.{payload}"),
        format!("{proof}.{signature}"),
        format!("{proof}."),
        format!(".{proof}"),
        format!("{header}=.{payload}.{signature}"),
        format!("{header}.{payload}==.{signature}"),
        format!("{proof}=="),
        format!("{proof} "),
        format!(" {proof}"),
        format!("{proof}\n"),
        format!("{proof},{proof}"),
        format!("{proof}, {proof}"),
        format!("DPoP {proof}"),
        proof.replace('.', ".."),
    ];
    for other in others {
        check(&other, ProofRefused::NotAJwt);
    }
}

#[test]
fn base64_with_a_second_text_for_the_same_bytes_is_refused() {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let signer = Signer::p256();
    let proof = Forge::new(&signer).sign(&signer);
    // 64 bytes leave 4 bits of the last character unused: there are 15 other texts
    let (rest, last) = proof.split_at(proof.len() - 1);
    let value = alphabet.iter().position(|char| last.as_bytes()[0] == *char).unwrap();
    assert_eq!(value % 16, 0);
    for other in &alphabet[value + 1..value + 16] {
        check(&format!("{rest}{}", char::from(*other)), ProofRefused::NotAJwt);
    }
    let standard = proof.replace('-', "+").replace('_', "/");
    if standard != proof {
        check(&standard, ProofRefused::NotAJwt);
    }
}

/// EXT-17
#[test]
fn json_that_is_not_strict_is_refused() {
    check_forged(|good| good.header_twice("alg", r#""none""#), ProofRefused::Header);
    check_forged(|good| good.header_twice(r"\u0074yp", r#""dpop+jwt""#), ProofRefused::Header);
    check_forged(|good| good.header("x", r#"{"a":1,"a":2}"#), ProofRefused::Header);
    check_forged(|good| good.payload_twice("htm", r#""POST""#), ProofRefused::Payload);
    check_forged(|good| good.payload_twice(r"\u0069at", "1"), ProofRefused::Payload);
    check_forged(|good| good.payload("x", "NaN"), ProofRefused::Payload);
    let signer = Signer::p256();
    let header = format!(r#"{{"typ":"dpop+jwt","alg":"ES256","jwk":{}}}"#, signer.jwk());
    check(&signed(&signer, &format!("{header} {{}}"), "{}"), ProofRefused::Header);
    check(&signed(&signer, &format!("[{header}]"), "{}"), ProofRefused::Header);
    check(&signed(&signer, r#"["dpop+jwt","ES256",{}]"#, "{}"), ProofRefused::Header);
    for payload in ["", "null", "[]", "{}", r#"["prf_k2T9wq7LmZ0xEr3Vd8sN1A","POST","u",1]"#] {
        check(&signed(&signer, &header, payload), ProofRefused::Payload);
    }
    check(&signed(&signer, "", "{}"), ProofRefused::Header);
}

#[test]
fn an_extension_of_jws_that_is_demanded_is_refused() {
    check_forged(|good| good.header("crit", r#"["b64"]"#), ProofRefused::Critical);
    check_forged(|good| good.header("crit", "[]"), ProofRefused::Critical);
    check_forged(|good| good.header("crit", "null"), ProofRefused::Critical);
}

#[test]
fn a_jti_has_16_to_256_characters() {
    let jti = |length: usize| format!("{:?}", "a".repeat(length));
    for length in [0, 15, 257] {
        check_forged(|good| good.payload("jti", jti(length)), ProofRefused::Jti);
    }
    let signer = Signer::p256();
    for length in [16, 256] {
        assert!(
            verify(&Forge::new(&signer).payload("jti", jti(length)).sign(&signer), expected())
                .is_ok()
        );
    }
    for other in ["null", "1234567890123456", r#"["prf_k2T9wq7LmZ0xEr3Vd8sN1A"]"#] {
        check_forged(|good| good.payload("jti", other), ProofRefused::Payload);
    }
    check_forged(|good| good.without_payload("jti"), ProofRefused::Payload);
}

/// EXT-18
#[test]
fn an_iat_is_a_whole_number_near_the_clock() {
    for iat in
        ["1793000039", "1793000161", "0", "-1", "9223372036854775807", "-9223372036854775808"]
    {
        check_forged(|good| good.payload("iat", iat), ProofRefused::IssuedAt);
    }
    for iat in [
        "1793000100.0",
        "1793000100.5",
        "1.7930001e9",
        r#""1793000100""#,
        "null",
        "1e999",
        "9223372036854775808",
    ] {
        check_forged(|good| good.payload("iat", iat), ProofRefused::Payload);
    }
    check_forged(|good| good.without_payload("iat"), ProofRefused::Payload);
}

/// EXT-17
#[test]
fn a_proof_for_another_request_is_refused() {
    for method in ["GET", "post", "POST ", ""] {
        check_forged(|good| good.payload("htm", format!("{method:?}")), ProofRefused::Method);
    }
    for url in [
        "https://api.example.com/poppy/operations/exc_5Rt2/cancel",
        "https://api.example.com/poppy/operations/exc_5Rt2/confirm?",
        "https://api.example.com/poppy/operations/exc_5Rt2/confirm#x",
        "https://api.example.com:443/poppy/operations/exc_5Rt2/confirm",
        "http://api.example.com/poppy/operations/exc_5Rt2/confirm",
        "/poppy/operations/exc_5Rt2/confirm",
        "",
    ] {
        check_forged(|good| good.payload("htu", format!("{url:?}")), ProofRefused::Url);
    }
    check_forged(|good| good.without_payload("htm"), ProofRefused::Payload);
    check_forged(|good| good.without_payload("htu"), ProofRefused::Payload);
}

/// EXT-17
#[test]
fn a_proof_for_another_token_is_refused() {
    check_forged(|good| good.without_payload("ath"), ProofRefused::AccessTokenHash);
    check_forged(|good| good.payload("ath", r#""""#), ProofRefused::AccessTokenHash);
    check_forged(|good| good.payload("ath", r#""sat_9cQpV0u""#), ProofRefused::AccessTokenHash);
    check_forged(|good| good.payload("ath", "null"), ProofRefused::Payload);
    let signer = Signer::p256();
    let proof = Forge::new(&signer).sign(&signer);
    let no_token = Expected { access_token: None, ..expected() };
    assert_eq!(verify(&proof, no_token), Err(ProofRefused::AccessTokenHash));
    let bound =
        Expected { thumbprint: Some("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"), ..expected() };
    assert_eq!(verify(&proof, bound), Err(ProofRefused::Thumbprint));
}

/// EXT-6
#[test]
fn members_that_are_not_known_are_ignored() {
    for signer in Signer::each() {
        let more =
            Forge::new(signer).header("kid", r#""key-1""#).payload("later", r#"{"a":[1.5]}"#);
        assert!(verify(&more.sign(signer), expected()).is_ok());
    }
}
