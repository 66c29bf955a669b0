//! How a Company says no.

use pap_protocol::operation::State;
use pap_protocol::refusal::{Code, ErrorBody, ErrorCode, Scheme, challenge};
use proptest::prelude::*;

use crate::golden::exchange;

/// OPS-9-1, OPS-9-4, OPS-9-6, OPS-9-7
#[test]
fn each_code_has_its_status_and_its_challenge() {
    let table: Vec<String> = ErrorCode::ALL
        .into_iter()
        .map(|code| {
            let challenge = if code.has_challenge() { " challenge" } else { "" };
            format!("{code} {}{challenge}", code.status())
        })
        .collect();
    let expected = [
        "operation_not_found 404",
        "terms_changed 409",
        "user_approval_required 403",
        "extension_required 403 challenge",
        "invalid_request 400",
        "invalid_token 401 challenge",
        "invalid_dpop_proof 401 challenge",
        "use_dpop_nonce 401 challenge",
        "sign_in_required 403 challenge",
        "insufficient_scope 403 challenge",
        "request_too_large 413",
        "rate_limited 429",
        "temporarily_unavailable 503",
        "not_found 404",
        "method_not_allowed 405",
        "internal_error 500",
    ];
    assert_eq!(table, expected);
    for code in ErrorCode::ALL {
        let word = serde_json::to_string(&code).unwrap();
        assert_eq!(serde_json::from_str::<ErrorCode>(&word).unwrap(), code);
    }
    assert!(serde_json::from_str::<ErrorCode>("\"later\"").is_err());
}

/// OPS-9-1, EXT-6
#[test]
fn an_agent_reads_codes_and_members_that_it_does_not_know() {
    let body = br#"{"error":"later_code","message":"Later.","later":[1]}"#;
    let body = ErrorBody::from_json(body).unwrap();
    assert_eq!(body.error, Code::Other("later_code".to_owned()));
    assert_eq!(body.error.as_str(), "later_code");
    assert_eq!(body.challenge(), None);
    let nulls = br#"{"error":"terms_changed","operation":null,"scope":null,"extension":null}"#;
    assert_eq!(ErrorBody::from_json(nulls).unwrap(), ErrorBody::new(ErrorCode::TermsChanged));
}

/// OPS-9-4
#[test]
fn an_operation_that_is_none_is_not_taken_for_the_current_terms() {
    let mut proposed = exchange(State::Proposed);
    proposed.expires_at = None;
    let body = serde_json::to_vec(&ErrorBody::terms_changed(proposed)).unwrap();
    assert!(ErrorBody::from_json(&body).is_err());
    for body in [r#"{"error":1}"#, "{}", r#"["terms_changed"]"#, "<html>"] {
        assert!(ErrorBody::from_json(body.as_bytes()).is_err(), "{body}");
    }
}

/// OPS-9-7
#[test]
fn a_challenge_names_what_is_missing() {
    let extension = ErrorBody::extension_required("operations").challenge().unwrap();
    assert_eq!(extension, r#"DPoP error="extension_required", extension="operations""#);
    let scope = ErrorBody::new(ErrorCode::SignInRequired).with_scope("orders:write").challenge();
    assert_eq!(scope.unwrap(), r#"DPoP error="sign_in_required", scope="orders:write""#);
    assert_eq!(ErrorBody::new(ErrorCode::OperationNotFound).challenge(), None);
    let metadata = [("resource_metadata", "https://example.com/.well-known/x")];
    assert_eq!(
        challenge(Scheme::Bearer, ErrorCode::InvalidToken, &metadata),
        r#"Bearer error="invalid_token", resource_metadata="https://example.com/.well-known/x""#,
    );
}

#[test]
fn what_no_header_can_carry_is_shown_as_a_question_mark() {
    let value = "a\r\nSet-Cookie: b\u{7f}\té\"\\";
    let header = challenge(Scheme::Dpop, ErrorCode::SignInRequired, &[("scope", value)]);
    assert_eq!(header, r#"DPoP error="sign_in_required", scope="a??Set-Cookie: b???\"\\""#);
}

proptest! {
    #[test]
    fn no_value_leaves_its_quotes_or_its_header(
        value in prop_oneof![any::<String>(), "[\x00-\x7f]{0,20}"],
    ) {
        let header = challenge(Scheme::Dpop, ErrorCode::InsufficientScope, &[("scope", &value)]);
        prop_assert!(header.bytes().all(|byte| (0x20..=0x7e).contains(&byte)));
        let quoted = header.strip_prefix("DPoP error=\"insufficient_scope\", scope=\"").unwrap();
        let quoted = quoted.strip_suffix('"').unwrap();
        let mut escaped = false;
        for char in quoted.chars() {
            prop_assert!(escaped || char != '"', "{}", header);
            escaped = !escaped && char == '\\';
        }
        prop_assert!(!escaped, "the last quote is not escaped");
    }
}
