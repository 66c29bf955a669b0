//! Propose: nothing is performed, and one action keeps one operation.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use axum::http::{Method, StatusCode};
use pap_runtime::{ApprovedBy, ConfirmRequest, Revision, Session};

use crate::shop::{Act, EXCHANGES, Exchange, ExchangeRequest, JACKET, Street};

fn request() -> ExchangeRequest {
    ExchangeRequest {
        order_id: "ord_7Hk2".into(),
        item_id: "itm_4Qa".into(),
        replacement_sku: "stormline-insulated-m".into(),
    }
}

/// OPS-4.1-1 OPS-3-3 OPS-3-7 OPS-3-10 OPS-3-11 OPS-3-15 OPS-1-5
#[tokio::test]
async fn a_proposing_endpoint_answers_202_with_the_operation_and_does_nothing() {
    let street = Street::on_sqlite().await;
    let answer = street.post(&street.ada(), EXCHANGES, JACKET).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED);
    let operation = &answer.json["operation"];
    assert_eq!(operation["revision"], 1);
    assert_eq!(operation["state"], "proposed");
    assert_eq!(
        operation["summary"],
        "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the \
        Replacement stormline-insulated-m, for $70.00 more, charged to the card used for the order."
    );
    assert_eq!(operation["expires_at"], "2026-10-08T19:15:00Z");
    assert_eq!(operation["user_approval_required"], false);
    assert!(operation["confirmation"].is_null() && operation["result"].is_null());
    assert!(operation.as_object().unwrap().contains_key("confirmation"));
    assert!(operation.as_object().unwrap().contains_key("result"));
    assert_eq!(street.shop.effects(), 0);
}

/// OPS-3-6 OPS-3-13
#[tokio::test]
async fn terms_on_the_wire_hold_neither_private_nor_shown_only_fields() {
    let street = Street::on_sqlite().await;
    let answer = street.post(&street.ada(), EXCHANGES, JACKET).await;
    let terms = &answer.json["operation"]["terms"];
    let expected = serde_json::json!({
        "order_id": "ord_7Hk2", "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m",
        "price_difference": { "amount": "70.00", "currency": "USD" },
    });
    assert_eq!(terms, &expected);
    assert!(!answer.text.contains("hold"), "the hold is private");
}

/// OPS-3-1
#[tokio::test]
async fn ids_are_generated_and_never_issued_twice() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let mut ids = HashSet::new();
    for item in 0..200 {
        let json = format!(r#"{{ "item_id": "itm_{item}", "replacement_sku": "x" }}"#);
        let answer = street.post(&ada, EXCHANGES, &json).await;
        let id = answer.json["operation"]["operation_id"].as_str().unwrap().to_owned();
        assert!(id.starts_with("exc_") && id.len() == 30, "{id}");
        assert!(id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{id}");
        assert!(ids.insert(id));
    }
}

/// OPS-3-2 OPS-3-9: the link between the two records is the operation's id, which `propose` is given.
#[tokio::test]
async fn the_companys_own_record_and_page_carry_the_id_of_the_operation() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let large = r#"{ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-l" }"#;
    street.post(&ada, EXCHANGES, large).await;
    assert_eq!(*street.shop.proposing.lock().unwrap(), [id.clone(), id.clone()]);
    let page = format!("https://example.com/exchanges/{id}");
    assert_eq!(street.read(&ada, &id).await.json["url"], page);
    let latest = r#"{ "revision": 2, "approved_by": "user" }"#;
    let confirm = format!("{}/{id}/confirm", crate::shop::OPERATIONS);
    let answer = street.post(&ada, &confirm, latest).await;
    assert_eq!(answer.state("succeeded").json["url"], page);
}

/// OPS-4-3
#[tokio::test]
async fn fifty_parallel_identical_proposals_give_one_id() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let answers = (0..50).map(|_| {
        let request = ada.request(Method::POST, EXCHANGES, Some(JACKET));
        let router = street.router.clone();
        tokio::spawn(async move {
            let response = tower::ServiceExt::oneshot(router, request).await.unwrap();
            axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap()
        })
    });
    let mut bodies = HashSet::new();
    for answer in answers.collect::<Vec<_>>() {
        bodies.insert(answer.await.unwrap());
    }
    assert_eq!(bodies.len(), 1, "all fifty are the same bytes");
}

/// OPS-4-3
#[tokio::test]
async fn the_same_request_again_is_the_same_operation_without_calling_propose() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let first = street.post(&ada, EXCHANGES, JACKET).await;
    let spelled = r#"{"replacement_sku":"stormline-insulated-m","item_id":"itm_4Qa","unknown":1}"#;
    let again = street.post(&ada, EXCHANGES, spelled).await;
    assert_eq!((again.status, again.text), (first.status, first.text));
    assert_eq!(street.shop.proposals(), 1);
}

/// OPS-4-3
#[tokio::test]
async fn another_size_for_the_same_item_is_revision_2_of_the_same_operation() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let large = r#"{ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-l" }"#;
    let answer = street.post(&ada, EXCHANGES, large).await;
    assert_eq!(answer.json["operation"]["operation_id"], id);
    assert_eq!(answer.json["operation"]["revision"], 2);
    assert_eq!(answer.json["operation"]["terms"]["replacement_sku"], "stormline-insulated-l");
    let again = street.post(&ada, EXCHANGES, large).await;
    assert_eq!(again.text, answer.text);
    assert_eq!(street.shop.proposals(), 2);
}

/// OPS-4-3
#[tokio::test]
async fn an_action_in_progress_is_answered_as_it_is() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::HandOver);
    street.confirm(&ada, &id).await.state("in_progress");
    let large = r#"{ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-l" }"#;
    let answer = street.post(&ada, EXCHANGES, large).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED);
    assert_eq!(answer.json["operation"]["operation_id"], id);
    assert_eq!(answer.json["operation"]["state"], "in_progress");
    assert_eq!(answer.header("retry-after"), Some("2"));
    assert_eq!(street.shop.proposals(), 1);
}

/// OPS-3-24
#[tokio::test]
async fn after_a_final_state_asking_again_is_a_new_operation() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let first = street.propose(&ada).await;
    street.cancel(&ada, &first).await.state("cancelled");
    let second = street.propose(&ada).await;
    street.confirm(&ada, &second).await.state("succeeded");
    let third = street.propose(&ada).await;
    street.clock.advance(std::time::Duration::from_secs(16 * 60));
    let fourth = street.propose(&ada).await;
    let ids = HashSet::from([first, second, third.clone(), fourth]);
    assert_eq!(ids.len(), 4);
    street.read(&ada, &third).await.state("expired");
}

/// OPS-1-2 OPS-4-1
#[tokio::test]
async fn the_same_action_from_code_and_from_http_is_one_operation() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let over_http = street.post(&ada, EXCHANGES, JACKET).await;
    let from_code = street.company.propose::<Exchange>(ada.session(), request()).await.unwrap();
    let from_code = serde_json::to_value(&from_code).unwrap();
    assert_eq!(from_code, over_http.json["operation"]);
    let read = street.read(&ada, from_code["operation_id"].as_str().unwrap()).await;
    assert_eq!(read.json, from_code);
    assert_eq!(street.shop.proposals.load(Ordering::SeqCst), 1);
}

/// OPS-4-3
#[tokio::test]
async fn a_signed_in_proposal_finds_the_one_its_session_made_signed_out() {
    let street = Street::on_sqlite().await;
    let signed_out = street.agent("ses_9", "juniper", "ada", None);
    let note = "https://api.example.com/orders/ord_7Hk2/gift-note";
    let first = street.post(&signed_out, note, r#"{"note":"Happy birthday"}"#).await;
    assert_eq!(first.status, StatusCode::ACCEPTED, "{first:?}");
    let signed_in = street.agent("ses_9", "juniper", "ada", Some("acc_ada"));
    let second = street.post(&signed_in, note, r#"{"note":"Happy birthday"}"#).await;
    assert_eq!(second.text, first.text);
}

#[tokio::test]
async fn a_company_that_does_not_offer_it_says_so_and_nothing_is_stored() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let answer =
        street.post(&ada, "https://api.example.com/orders/ord_none/exchanges", JACKET).await;
    answer.is(404, "order_not_found");
    assert_eq!(answer.json["message"], "there is no such order");
    let broken = r#"{ "item_id": "itm_4Qa", "replacement_sku": "broken" }"#;
    let answer = street.post(&ada, EXCHANGES, broken).await;
    answer.is(500, "internal_error");
    assert!(!answer.text.contains("digit"), "the error's own text goes no further");
    let panics = r#"{ "item_id": "itm_4Qa", "replacement_sku": "panics" }"#;
    street.post(&ada, EXCHANGES, panics).await.is(500, "internal_error");
    assert_eq!(street.on_record(), [0, 0, 0]);
    assert_eq!(street.post(&ada, EXCHANGES, JACKET).await.json["operation"]["revision"], 1);
}

/// OPS-2-5 OPS-2-6 OPS-9-7 EXT-7 EXT-8
#[tokio::test]
async fn an_agent_without_the_extension_gets_no_operation_through_any_channel() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    for version in [None, Some("2")] {
        street.sessions.change(&ada, |session| {
            session.with_extensions(
                version
                    .map(|version| {
                        ("operations".to_owned(), pap_runtime::ExtensionDescriptor::new(version))
                    })
                    .into_iter()
                    .collect(),
            )
        });
        let api = street.post(&ada, EXCHANGES, JACKET).await;
        api.is(403, "extension_required");
        assert_eq!(api.json["extension"], "operations");
        assert_eq!(
            api.header("www-authenticate"),
            Some(r#"DPoP error="extension_required", extension="operations""#)
        );
        let read = street.read(&ada, &id).await;
        read.is(403, "extension_required");
        assert_eq!(read.header("www-authenticate"), None, "at the endpoint in the body only");
        street.confirm(&ada, &id).await.is(403, "extension_required");
        street.cancel(&ada, &id).await.is(403, "extension_required");
    }
    let bare = Session::new("ses_1", "https://juniper.example/agent.json", "ada");
    let refused = street.company.propose::<Exchange>(&bare, request()).await.unwrap_err();
    assert_eq!(refused.word(), "extension_required");
    let confirm = ConfirmRequest::new(Revision::FIRST, ApprovedBy::User);
    let from_code = [
        street.company.read(&bare, &id).await,
        street.company.confirm(&bare, &id, confirm).await,
        street.company.cancel(&bare, &id).await,
    ];
    for answer in from_code {
        assert_eq!(answer.unwrap_err().word(), "extension_required");
    }
    assert_eq!((street.shop.effects(), street.on_record()), (0, [1, 1, 1]));
}

/// OPS-9-2
#[tokio::test]
async fn proposing_needs_the_actions_scopes() {
    let street = Street::on_sqlite().await;
    let signed_out = street.agent("ses_3", "juniper", "ada", None);
    let answer = street.post(&signed_out, EXCHANGES, JACKET).await;
    answer.is(403, "sign_in_required");
    assert_eq!(answer.json["scope"], "orders:write");
    let narrow = street.sessions.token_for(
        Session::new("ses_4", "https://juniper.example/agent.json", "ada")
            .signed_in("acc_ada", ["orders:read"]),
    );
    let answer = street.post(&narrow, EXCHANGES, JACKET).await;
    answer.is(403, "insufficient_scope");
    assert_eq!(
        answer.header("www-authenticate"),
        Some(r#"DPoP error="insufficient_scope", scope="orders:write""#)
    );
    assert_eq!(street.shop.proposals(), 0);
}
