//! In front of an existing service: its callers keep what they have.

use axum::Router;
use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Method, Request};
use axum::routing::get;

use crate::shop::{Answer, BY_USER, EXCHANGES, Exchange, JACKET, OPERATIONS, ORIGIN, Street};

/// OPS-1-4 OPS-4.1-2
#[tokio::test]
async fn callers_without_a_session_token_reach_the_service_as_before() {
    let street = Street::on_sqlite().await;
    let ask =
        |request: Builder, body: &'static str| street.send(request.body(Body::from(body)).unwrap());
    let path = "/orders/ord_7Hk2/exchanges";
    assert_eq!(ask(Request::post(path), JACKET).await.text, "the old way");
    let cookie = Request::post(path).header("cookie", "sid=1");
    assert_eq!(ask(cookie, JACKET).await.text, "the old way");
    let bearer = Request::post(path).header("authorization", "Bearer abc");
    assert_eq!(ask(bearer, JACKET).await.text, "the old way");
    assert_eq!(ask(Request::get(path), "").await.text, "a list");
    assert_eq!(ask(Request::get("/nowhere"), "").await.status, 404);
    assert_eq!(ask(Request::delete(path), "").await.status, 405);
    let agent_elsewhere = street.ada().request(Method::GET, EXCHANGES, None);
    assert_eq!(street.send(agent_elsewhere).await.text, "a list", "no declared route: untouched");
    assert_eq!(street.shop.proposals(), 0);
}

/// OPS-2-1 EXT-1
#[tokio::test]
async fn the_discovery_entry_names_version_and_endpoint() {
    let street = Street::on_sqlite().await;
    let entry = serde_json::to_string(&street.company.extensions()).unwrap();
    assert_eq!(
        entry,
        r#"{"operations":{"version":"1","endpoint":"https://api.example.com/poppy/operations"}}"#
    );
}

/// OPS-2-3
#[tokio::test]
async fn with_a_resource_only_tokens_issued_for_it_are_taken() {
    use pap_runtime::{Company, Session, operations};
    let street = Street::in_memory().await;
    let resource = "https://api.example.com/poppy/operations";
    let company = Company::builder(street.shop.clone())
        .name("Example Outfitters")
        .origin(ORIGIN)
        .resource(resource)
        .sessions(street.sessions.clone())
        .shared_store(street.store.clone())
        .operations(operations![Exchange])
        .start()
        .await
        .unwrap();
    let entry = serde_json::to_value(company.extensions()).unwrap();
    assert_eq!(entry["operations"]["resource"], resource);
    let restricted = Street { router: company.in_front_of(Router::new()), company, ..street };
    let ordinary = restricted.ada();
    restricted.post(&ordinary, EXCHANGES, JACKET).await.is(401, "invalid_token");
    let session = Session::new("ses_1", "https://juniper.example/agent.json", "ada")
        .signed_in("acc_ada", ["orders:write"])
        .issued_for(resource);
    let issued = restricted.sessions.token_for(session.clone());
    let id = restricted.propose(&issued).await;
    restricted.confirm(&issued, &id).await.state("succeeded");
    let open = Street::in_memory().await;
    let elsewhere = open.sessions.token_for(session);
    open.post(&elsewhere, EXCHANGES, JACKET).await.is(401, "invalid_token");
}

#[tokio::test]
async fn nested_under_a_path_proofs_are_for_the_address_that_the_agent_wrote() {
    use pap_runtime::{Company, operations};
    let street = Street::in_memory().await;
    let company = Company::builder(street.shop.clone())
        .name("Example Outfitters")
        .origin(ORIGIN)
        .mounted_at("/api/v2")
        .sessions(street.sessions.clone())
        .shared_store(street.store.clone())
        .operations(operations![Exchange])
        .start()
        .await
        .unwrap();
    let entry = serde_json::to_value(company.extensions()).unwrap();
    let endpoint = "https://api.example.com/api/v2/poppy/operations";
    assert_eq!(entry["operations"]["endpoint"], endpoint);
    let inner = company.in_front_of(Router::new().route("/hello", get(|| async { "hello" })));
    let nested = Street { router: Router::new().nest("/api/v2", inner), company, ..street };
    let ada = nested.ada();
    let exchanges = "https://api.example.com/api/v2/orders/ord_7Hk2/exchanges";
    let proposed = nested.post(&ada, exchanges, JACKET).await;
    assert_eq!(proposed.status, 202, "{proposed:?}");
    let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
    let confirmed = nested.post(&ada, &format!("{endpoint}/{id}/confirm"), BY_USER).await;
    confirmed.state("succeeded");
    let stripped = ada.proof(&Method::GET, &format!("{OPERATIONS}/{id}"));
    let url = format!("{endpoint}/{id}");
    let request = ada.request_proved(Method::GET, &url, None, &stripped);
    nested.send(request).await.is(401, "invalid_dpop_proof");
    let hello = Request::get("/api/v2/hello").body(Body::empty()).unwrap();
    assert_eq!(nested.send(hello).await.text, "hello");
}

/// OPS-9-1
#[tokio::test]
async fn every_answer_is_json_and_is_not_to_be_stored() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let answers: Vec<Answer> = vec![
        street.post(&ada, EXCHANGES, JACKET).await,
        street.read(&ada, &id).await,
        street.read(&ada, "unknown").await,
        street.confirm(&ada, &id).await,
        street.cancel(&ada, &id).await,
        street.get(&ada, OPERATIONS).await,
    ];
    for answer in answers {
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn what_is_wrong_with_the_set_up_is_said_all_at_once() {
    use pap_runtime::{Company, operations};
    let shop = crate::shop::Shop::new();
    let error = Company::builder(shop)
        .origin("http://api.example.com/")
        .operations_path("poppy/")
        .operations(operations![Exchange])
        .operations(operations![Exchange])
        .start()
        .await
        .unwrap_err();
    insta::assert_snapshot!(error);
}

/// EXT-19 EXT-15
#[tokio::test]
async fn nothing_in_a_request_changes_where_the_company_says_it_is() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    for header in ["host", "x-forwarded-host", "x-forwarded-proto", "forwarded"] {
        let mut request = ada.request(Method::POST, EXCHANGES, Some(JACKET));
        request.headers_mut().insert(header, "evil.example".parse().unwrap());
        assert_eq!(street.send(request).await.status, 202, "{header}");
        let url = EXCHANGES.replace("api.example.com", "evil.example");
        let proof = ada.proof(&Method::POST, &url);
        let mut request = ada.request_proved(Method::POST, EXCHANGES, Some(JACKET), &proof);
        request.headers_mut().insert(header, "evil.example".parse().unwrap());
        street.send(request).await.is(401, "invalid_dpop_proof");
    }
}
