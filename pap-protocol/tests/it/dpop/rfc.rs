//! The examples of the RFCs.

use pap_protocol::dpop::{Expected, Jwk, ProofRefused, access_token_hash};

use super::verify;

/// The key of all examples of RFC 9449, as its proofs carry it.
const THUMBPRINT: &str = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";

/// RFC 9449, section 4.1, figure 2.
const AT_THE_TOKEN_ENDPOINT: &str = "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6\
    IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09r\
    X282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZ\
    hY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0Ijo\
    xNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfb\
    V37xRZT3Lg";

/// RFC 9449, section 7.1, figure 12.
const AT_THE_RESOURCE: &str = "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDI\
    iwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282N\
    HpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiJlMWozVl9iS2ljOC1M\
    QUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJj\
    ZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFF\
    byJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA";

const TOKEN: &str = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";

#[test]
fn the_proof_of_rfc_9449_for_a_token_endpoint_verifies() {
    let expected = Expected {
        method: "POST",
        url: "https://server.example.com/token",
        access_token: None,
        thumbprint: Some(THUMBPRINT),
        now: 1_562_262_618,
        nonce: None,
    };
    let proof = verify(AT_THE_TOKEN_ENDPOINT, expected).unwrap();
    assert_eq!(proof.jti, "-BwC3ESc6acc2lTc");
    assert_eq!((proof.iat, proof.thumbprint.as_str()), (1_562_262_616, THUMBPRINT));
    let late = Expected { now: 1_793_000_000, ..expected };
    assert_eq!(verify(AT_THE_TOKEN_ENDPOINT, late), Err(ProofRefused::IssuedAt));
}

#[test]
fn the_proof_of_rfc_9449_for_a_resource_verifies() {
    let expected = Expected {
        method: "GET",
        url: "https://resource.example.org/protectedresource",
        access_token: Some(TOKEN),
        thumbprint: Some(THUMBPRINT),
        now: 1_562_262_618,
        nonce: None,
    };
    let proof = verify(AT_THE_RESOURCE, expected).unwrap();
    assert_eq!(proof.jti, "e1j3V_bKic8-LAEB");
    assert_eq!(access_token_hash(TOKEN), "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo");
}

#[test]
fn the_thumbprint_of_rfc_7638_is_computed() {
    let jwk = r#"{
        "kty": "RSA",
        "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
        "e": "AQAB",
        "alg": "RS256",
        "kid": "2011-04-29"
    }"#;
    let key = Jwk::from_json(jwk.as_bytes()).unwrap();
    assert_eq!(key.thumbprint(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
    assert_eq!(key.algorithm(), "RS256");
}
