//! However many times and through whichever channels it is confirmed, an action is performed once.

use std::collections::HashSet;
use std::future::Future;
use std::task::Poll;

use axum::http::{Method, StatusCode};
use pap_runtime::{ApprovedBy, ConfirmRequest, Revision};
use tower::ServiceExt;

use crate::shop::{Act, BY_USER, EXCHANGES, JACKET, OPERATIONS, Street, open_when_free};

/// OPS-6-4 OPS-5.2-6 OPS-1-3
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_hundred_parallel_confirms_perform_once_and_all_answers_agree() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let url = format!("{OPERATIONS}/{id}/confirm");
    let confirms: Vec<_> = (0..200)
        .map(|_| {
            let request = ada.request(Method::POST, &url, Some(BY_USER));
            let router = street.router.clone();
            tokio::spawn(async move {
                let response = router.oneshot(request).await.unwrap();
                let status = response.status();
                let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
                let operation: serde_json::Value = serde_json::from_slice(&body).unwrap();
                (status, operation)
            })
        })
        .collect();
    let mut confirmations = HashSet::new();
    for confirm in confirms {
        let (status, operation) = confirm.await.unwrap();
        assert_eq!(status, StatusCode::OK);
        assert!(["in_progress", "succeeded"].contains(&operation["state"].as_str().unwrap()));
        confirmations.insert(operation["confirmation"].to_string());
    }
    assert_eq!(confirmations.len(), 1, "every answer tells of the one confirmation");
    street.until(&ada, &id, "succeeded").await;
    assert_eq!(street.shop.effects(), 1);
    let history = street.company.history(&id.parse().unwrap()).await.unwrap();
    let kinds: Vec<_> = history.events.iter().map(|event| event.kind.word()).collect();
    assert_eq!(kinds, ["proposed", "confirmed", "ended"]);
}

/// OPS-4.4-3 OPS-6-4
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn confirming_from_code_and_over_http_at_once_performs_once() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    for round in 0..20 {
        let json = format!(r#"{{ "item_id": "itm_{round}", "replacement_sku": "x" }}"#);
        let proposed = street.post(&ada, EXCHANGES, &json).await;
        let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
        let request = ConfirmRequest::new(Revision::FIRST, ApprovedBy::User);
        let (over_http, from_code) = tokio::join!(
            street.confirm(&ada, id),
            street.company.confirm(ada.session(), id, request),
        );
        assert_eq!(over_http.status, StatusCode::OK);
        assert!(from_code.is_ok());
        let read = street.until(&ada, id, "succeeded").await;
        assert_eq!(
            street.company.read(ada.session(), id).await.unwrap().summary,
            read.json["summary"]
        );
    }
    assert_eq!(street.shop.effects(), 20);
}

/// OPS-1-3
#[tokio::test]
async fn an_agent_that_hangs_up_does_not_stop_the_handler() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::Wait);
    let url = format!("{OPERATIONS}/{id}/confirm");
    let request = ada.request(Method::POST, &url, Some(BY_USER));
    let confirm = tokio::spawn(street.router.clone().oneshot(request));
    street.shop.started.notified().await;
    confirm.abort();
    assert!(confirm.await.unwrap_err().is_cancelled());
    street.confirm(&ada, &id).await.state("in_progress");
    street.shop.let_go.notify_one();
    street.until(&ada, &id, "succeeded").await;
    assert_eq!(street.shop.effects(), 1);
}

/// EXT-18 OPS-9-2
#[tokio::test]
async fn a_used_proof_is_refused_whatever_became_of_the_request_it_came_with() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let confirm = format!("{OPERATIONS}/{id}/confirm");
    let refusals = [
        (r#"{ "revision": 2, "approved_by": "user" }"#, 409),
        ("not json", 400),
        (r#"{ "revision": 1, "approved_by": "nobody" }"#, 400),
    ];
    for (body, status) in refusals {
        let proof = ada.proof(&Method::POST, &confirm);
        let first = ada.request_proved(Method::POST, &confirm, Some(body), &proof);
        assert_eq!(street.send(first).await.status.as_u16(), status);
        let again = ada.request_proved(Method::POST, &confirm, Some(BY_USER), &proof);
        street.send(again).await.is(401, "invalid_dpop_proof");
    }
    let unknown = format!("{OPERATIONS}/exc_unknown/confirm");
    let proof = ada.proof(&Method::POST, &unknown);
    let first = ada.request_proved(Method::POST, &unknown, Some(BY_USER), &proof);
    street.send(first).await.is(404, "operation_not_found");
    let again = ada.request_proved(Method::POST, &unknown, Some(BY_USER), &proof);
    street.send(again).await.is(401, "invalid_dpop_proof");
    street.read(&ada, &id).await.state("proposed");
    assert_eq!(street.shop.effects(), 0);
    let proof = ada.proof(&Method::POST, &confirm);
    let first = ada.request_proved(Method::POST, &confirm, Some(BY_USER), &proof);
    street.send(first).await.state("succeeded");
    let again = ada.request_proved(Method::POST, &confirm, Some(BY_USER), &proof);
    street.send(again).await.is(401, "invalid_dpop_proof");
    assert_eq!(street.shop.effects(), 1);
}

/// EXT-18 OPS-9-2
#[tokio::test]
async fn a_used_proof_is_refused_at_every_route() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let nowhere = "https://api.example.com/orders/ord_none/exchanges";
    let stale = r#"{ "revision": 9, "approved_by": "user" }"#;
    let other = r#"{ "item_id": "itm_other", "replacement_sku": "x" }"#;
    for (method, url, first, again, status) in [
        (Method::POST, EXCHANGES, JACKET, other, 202),
        (Method::POST, EXCHANGES, "not json", JACKET, 400),
        (Method::POST, nowhere, JACKET, other, 404),
        (Method::GET, &format!("{OPERATIONS}/{id}"), "", "", 200),
        (Method::GET, &format!("{OPERATIONS}/exc_unknown"), "", "", 404),
        (Method::POST, &format!("{OPERATIONS}/{id}/confirm"), stale, BY_USER, 409),
        (Method::POST, &format!("{OPERATIONS}/exc_unknown/cancel"), "", "{}", 404),
        (Method::POST, &format!("{OPERATIONS}/{id}/cancel"), "", "{}", 200),
    ] {
        let proof = ada.proof(&method, url);
        let request =
            |body| street.send(ada.request_proved(method.clone(), url, Some(body), &proof));
        assert_eq!(request(first).await.status.as_u16(), status, "{method} {url}");
        let before = (street.on_record(), street.shop.proposals());
        request(again).await.is(401, "invalid_dpop_proof");
        assert_eq!((street.on_record(), street.shop.proposals()), before, "{method} {url}");
    }
    street.read(&ada, &id).await.state("cancelled");
    let (stranger, id) =
        (street.agent("ses_2", "juniper", "bob", None), street.propose(&ada).await);
    for (what, body) in [("confirm", BY_USER), ("cancel", "{}")] {
        let url = format!("{OPERATIONS}/{id}/{what}");
        let proof = stranger.proof(&Method::POST, &url);
        let request =
            || street.send(stranger.request_proved(Method::POST, &url, Some(body), &proof));
        request().await.is(404, "operation_not_found");
        request().await.is(401, "invalid_dpop_proof");
    }
    assert_eq!(street.shop.effects(), 0);
}

/// EXT-18
#[tokio::test]
async fn a_proof_is_remembered_by_the_next_process_on_the_same_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("operations.db");
    let clock = crate::shop::clock();
    let shop = crate::shop::Shop::new();
    let street =
        Street::around(shop.clone(), open_when_free(&file, &clock).await, clock.clone(), None)
            .await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let confirm = format!("{OPERATIONS}/{id}/confirm");
    let proof = ada.proof(&Method::POST, &confirm);
    let stale = r#"{ "revision": 9, "approved_by": "user" }"#;
    let first = ada.request_proved(Method::POST, &confirm, Some(stale), &proof);
    street.send(first).await.is(409, "terms_changed");
    let sessions = street.sessions.clone();
    street.close().await;
    let next =
        Street::around_with(shop, open_when_free(&file, &clock).await, clock, None, sessions).await;
    let again = ada.request_proved(Method::POST, &confirm, Some(BY_USER), &proof);
    next.send(again).await.is(401, "invalid_dpop_proof");
    next.confirm(&ada, &id).await.state("succeeded");
    assert_eq!(next.shop.effects(), 1);
}

/// Wherever in its request an agent hangs up, the operation was not claimed, or it is performed: it is
/// never claimed with nobody to perform it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_that_hangs_up_anywhere_leaves_no_operation_stuck() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    for polls in (0..60).map(|round| round * round * 4) {
        let json = format!(r#"{{ "item_id": "itm_{polls}", "replacement_sku": "x" }}"#);
        let proposed = street.post(&ada, EXCHANGES, &json).await;
        let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
        let url = format!("{OPERATIONS}/{id}/confirm");
        let request = ada.request(Method::POST, &url, Some(BY_USER));
        let mut confirm = Box::pin(street.router.clone().oneshot(request));
        for _ in 0..polls {
            if std::future::poll_fn(|context| Poll::Ready(confirm.as_mut().poll(context)))
                .await
                .is_ready()
            {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(confirm);
        let read = street.confirm(&ada, id).await;
        assert!(["in_progress", "succeeded"].contains(&read.json["state"].as_str().unwrap()));
        street.until(&ada, id, "succeeded").await;
    }
    assert_eq!(street.shop.effects(), 60);
}
