//! Bad input: the right status and code, nothing stored, nothing performed.

use axum::body::Body;
use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pap_runtime::dpop::{Key, prove};

use crate::shop::{BY_USER, EXCHANGES, JACKET, OPERATIONS, Street};

struct Case {
    street: Street,
    ada: pap_runtime::testing::TestAgent,
    id: String,
}

impl Case {
    async fn new() -> Self {
        let street = Street::on_sqlite().await;
        let ada = street.ada();
        let id = street.propose(&ada).await;
        Self { street, ada, id }
    }

    fn confirm(&self) -> String {
        format!("{OPERATIONS}/{}/confirm", self.id)
    }

    /// The four requests that an agent can make.
    fn routes(&self) -> [(Method, String); 4] {
        [
            (Method::POST, self.confirm()),
            (Method::POST, format!("{OPERATIONS}/{}/cancel", self.id)),
            (Method::GET, format!("{OPERATIONS}/{}", self.id)),
            (Method::POST, EXCHANGES.to_owned()),
        ]
    }

    /// Nothing was performed, nothing but the one proposal was stored, for nobody.
    async fn untouched(&self) {
        assert_eq!((self.street.shop.effects(), self.street.shop.proposals()), (0, 1));
        assert_eq!(self.street.on_record(), [1, 1, 1]);
        self.street.read(&self.ada, &self.id).await.state("proposed");
        let history = self.street.company.history(&self.id.parse().unwrap()).await.unwrap();
        assert_eq!(history.events.len(), 1);
        assert_eq!(history.revisions.len(), 1);
    }

    async fn send(&self, url: &str, body: impl Into<Body>) -> crate::shop::Answer {
        let mut request = self.ada.request(Method::POST, url, Some(""));
        *request.body_mut() = body.into();
        self.street.send(request).await
    }
}

/// OPS-9-1
#[tokio::test]
async fn a_body_that_is_not_strict_json_is_an_invalid_request() {
    let case = Case::new().await;
    let deep = format!("{}1{}", r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    let bodies: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"{".to_vec(),
        br#"{ "revision": 1, "approved_by": "use"#.to_vec(),
        b"{ \"revision\": 1, \"approved_by\": \"\xff\" }".to_vec(),
        br#"{ "revision": 1, "revision": 1, "approved_by": "user" }"#.to_vec(),
        br#"{ "revision": 1, "approved_by": "user", "x": { "a": 1, "\u0061": 2 } }"#.to_vec(),
        br#"{ "revision": 1, "approved_by": "user" } trailing"#.to_vec(),
        br#"{ "revision": NaN, "approved_by": "user" }"#.to_vec(),
        b"[1]".to_vec(),
        b"null".to_vec(),
        b"\"user\"".to_vec(),
        deep.into_bytes(),
    ];
    for url in [case.confirm(), EXCHANGES.to_owned()] {
        for body in &bodies {
            let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
            let answer = case.send(&url, body.clone()).await;
            assert_eq!(answer.status, 400, "{url} {shown}: {answer:?}");
            answer.is(400, "invalid_request");
        }
    }
    case.untouched().await;
}

/// OPS-9-1
#[tokio::test]
async fn every_wrong_type_of_revision_and_approval_is_an_invalid_request() {
    let case = Case::new().await;
    for revision in ["1.0", "1e0", "\"1\"", "true", "null", "[1]", "{}", "1E2", "-0.0"] {
        let body = format!(r#"{{ "revision": {revision}, "approved_by": "user" }}"#);
        let answer = case.send(&case.confirm(), body).await;
        assert_eq!(answer.status, 400, "revision {revision}");
    }
    for approved_by in ["\"\"", "\"User\"", "\"nobody\"", "1", "true", "null", "[\"user\"]", "{}"] {
        let body = format!(r#"{{ "revision": 1, "approved_by": {approved_by} }}"#);
        let answer = case.send(&case.confirm(), body).await;
        assert_eq!(answer.status, 400, "approved_by {approved_by}");
    }
    for body in [r#"{ "approved_by": "user" }"#, r#"{ "revision": 1 }"#, "{}"] {
        case.send(&case.confirm(), body).await.is(400, "invalid_request");
    }
    case.untouched().await;
    let extra = r#"{ "revision": 1, "approved_by": "user", "unknown": [1, { "x": null }] }"#;
    case.send(&case.confirm(), extra).await.state("succeeded");
}

#[tokio::test]
async fn two_mebibytes_are_too_large_at_every_route() {
    let case = Case::new().await;
    let body =
        format!(r#"{{ "revision": 1, "approved_by": "user", "x": "{}" }}"#, "x".repeat(2 << 20));
    case.send(&case.confirm(), body.clone()).await.is(413, "request_too_large");
    case.send(EXCHANGES, body).await.is(413, "request_too_large");
    case.untouched().await;
}

#[tokio::test]
async fn a_body_of_another_type_is_an_invalid_request() {
    let case = Case::new().await;
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
        for url in [case.confirm(), EXCHANGES.to_owned()] {
            let mut request = case.ada.request(Method::POST, &url, Some(BY_USER));
            request.headers_mut().insert("content-type", kind.parse().unwrap());
            case.street.send(request).await.is(400, "invalid_request");
        }
    }
    case.untouched().await;
    let mut request = case.ada.request(Method::POST, &case.confirm(), Some(BY_USER));
    request
        .headers_mut()
        .insert("content-type", "application/json; charset=utf-8".parse().unwrap());
    case.street.send(request).await.state("succeeded");
}

/// OPS-2-2 OPS-9-2 EXT-17 Row B9
#[tokio::test]
async fn every_wrong_proof_is_refused_at_every_route() {
    let case = Case::new().await;
    let now = 1_791_486_000;
    let (key, token) = (case.ada.key(), case.ada.token());
    let other = Key::generate().unwrap();
    for (method, url) in &case.routes() {
        let name = method.as_str();
        let prove =
            |key, method, url, token, iat| prove(key, method, url, token, iat, None).unwrap();
        let good = prove(key, name, url, Some(token), now);
        let (signed, signature) = good.rsplit_once('.').unwrap();
        let flipped = if signature.starts_with('A') { "B" } else { "A" };
        let proofs = [
            String::new(),
            "x.y".to_owned(),
            format!("{good}.x"),
            format!("{signed}.{flipped}{}", &signature[1..]),
            format!("{signed}."),
            prove(&other, name, url, Some(token), now),
            prove(key, "PUT", url, Some(token), now),
            prove(key, name, &format!("{url}/x"), Some(token), now),
            prove(key, name, &url.replace("https", "http"), Some(token), now),
            prove(key, name, url, None, now),
            prove(key, name, url, Some("another token"), now),
            prove(key, name, url, Some(token), now - 61),
            prove(key, name, url, Some(token), now + 61),
            with_header(&good, r#"{"typ":"dpop+jwt","alg":"none"}"#),
            with_header(&good, r#"{"typ":"dpop+jwt","alg":"HS256"}"#),
            with_header(&good, r#"{"typ":"JWT","alg":"ES256"}"#),
        ];
        for proof in &proofs {
            let request = case.ada.request_proved(method.clone(), url, Some(BY_USER), proof);
            let answer = case.street.send(request).await;
            answer.is(401, "invalid_dpop_proof");
            let challenge = r#"DPoP error="invalid_dpop_proof""#;
            assert_eq!(answer.header("www-authenticate"), Some(challenge));
        }
        let mut none = case.ada.request(method.clone(), url, Some(BY_USER));
        none.headers_mut().remove("dpop");
        case.street.send(none).await.is(401, "invalid_dpop_proof");
        let mut two = case.ada.request(method.clone(), url, Some(BY_USER));
        two.headers_mut().append("dpop", good.parse().unwrap());
        case.street.send(two).await.is(401, "invalid_dpop_proof");
    }
    case.untouched().await;
}

fn with_header(proof: &str, header: &str) -> String {
    let rest = proof.split_once('.').unwrap().1;
    format!("{}.{rest}", URL_SAFE_NO_PAD.encode(header))
}

/// OPS-2-2 OPS-9-2
#[tokio::test]
async fn every_wrong_token_is_refused_at_every_route() {
    let case = Case::new().await;
    let token = case.ada.token();
    let bearer = format!("Bearer {token}");
    let twice = format!("DPoP {token} {token}");
    for (method, url) in &case.routes() {
        let request = |authorization: &str| {
            let mut request = case.ada.request(method.clone(), url, Some(BY_USER));
            request.headers_mut().insert("authorization", authorization.parse().unwrap());
            request
        };
        for authorization in ["DPoP", "DPoP ", "DPoP unknown", "dpop unknown", &twice] {
            let answer = case.street.send(request(authorization)).await;
            answer.is(401, "invalid_token");
            assert_eq!(answer.header("www-authenticate"), Some(r#"DPoP error="invalid_token""#));
        }
        for authorization in ["", token, &bearer] {
            let answer = case.street.send(request(authorization)).await;
            // on a route of the company's own these are its other callers
            if url == EXCHANGES {
                assert_eq!(answer.text, "the old way", "{authorization}");
            } else {
                answer.is(401, "invalid_token");
            }
        }
        let mut two = request(&bearer);
        two.headers_mut().append("authorization", format!("DPoP {token}").parse().unwrap());
        case.street.send(two).await.is(400, "invalid_request");
        let mut query = case.ada.request(method.clone(), url, Some(BY_USER));
        let path = query.uri().path().to_owned();
        *query.uri_mut() = format!("{path}?access_token={token}").parse().unwrap();
        case.street.send(query).await.is(400, "invalid_request");
    }
    case.untouched().await;
    case.street.sessions.revoke(&case.ada);
    for (method, url) in case.routes() {
        let revoked = case.ada.request(method, &url, Some(BY_USER));
        case.street.send(revoked).await.is(401, "invalid_token");
    }
    assert_eq!(case.street.on_record(), [1, 1, 1]);
}

#[tokio::test]
async fn a_request_that_is_not_of_the_declared_form_is_refused_before_propose() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    for body in [
        "",
        "{}",
        "[]",
        r#"{ "item_id": 1, "replacement_sku": "x" }"#,
        r#"{ "item_id": "itm_4Qa" }"#,
        r#"{ "item_id": "itm_4Qa", "item_id": "itm_4Qb", "replacement_sku": "x" }"#,
        r#"{ "item_id": "itm_4Qa", "replacement_sku": "x", "order_id": "ord_other" }"#,
    ] {
        street.post(&ada, EXCHANGES, body).await.is(400, "invalid_request");
    }
    assert_eq!((street.shop.proposals(), street.on_record()), (0, [0, 0, 0]));
    let same = r#"{ "item_id": "itm_4Qa", "replacement_sku": "x", "order_id": "ord_7Hk2" }"#;
    assert_eq!(street.post(&ada, EXCHANGES, same).await.status, 202);
}

#[tokio::test]
async fn unknown_routes_and_methods_of_the_endpoint_are_told_apart() {
    let case = Case::new().await;
    let id = &case.id;
    for path in ["", "/", "/x/y", "/x/confirm/", "/x/confirm/z", "/x/settle"] {
        let url = format!("{OPERATIONS}{path}");
        let answer = case.send(&url, BY_USER).await;
        answer.is(404, "not_found");
    }
    for (method, path, allow) in [
        (Method::POST, format!("/{id}"), "GET"),
        (Method::DELETE, format!("/{id}"), "GET"),
        (Method::GET, format!("/{id}/confirm"), "POST"),
        (Method::PUT, format!("/{id}/confirm"), "POST"),
        (Method::GET, format!("/{id}/cancel"), "POST"),
    ] {
        let url = format!("{OPERATIONS}{path}");
        let answer = case.street.send(case.ada.request(method, &url, None)).await;
        answer.is(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), Some(allow));
    }
    case.untouched().await;
}

#[tokio::test]
async fn characters_that_deceive_do_not_reach_a_summary() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let note = "https://api.example.com/orders/ord_7Hk2/gift-note";
    let body = r#"{ "note": "Happy\u202e\u0000 \u0007birth\u200bday\n\u2028soon\u2066" }"#;
    let answer = street.post(&ada, note, body).await;
    let summary = answer.json["operation"]["summary"].as_str().unwrap();
    assert_eq!(summary, "Put the note “Happy   birthday  soon” into order ord_7Hk2.");
    let note = &answer.json["operation"]["terms"]["note"];
    let sent = "Happy\u{202e}\0 \u{7}birth\u{200b}day\n\u{2028}soon\u{2066}";
    assert_eq!(note, sent, "the terms are what was sent");
    let id = answer.json["operation"]["operation_id"].as_str().unwrap();
    let confirmed = street.confirm(&ada, id).await;
    let result = confirmed.state("succeeded").json["result"]["summary"].as_str().unwrap();
    assert_eq!(result, "“Happy   birthday  soon” is in the parcel.");
    assert_eq!(street.post(&ada, EXCHANGES, JACKET).await.status, 202);
}
