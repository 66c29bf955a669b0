//! Confirm: the checks in their order, before any effect, and what the answer is.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request};
use pap_runtime::ApprovedBy;

use crate::shop::{Act, BY_PERMISSION, BY_USER, EXCHANGES, JACKET, Look, OPERATIONS, Street};

/// OPS-5.2-9 OPS-5.2-12 OPS-3-10 OPS-3-11 OPS-3-19 OPS-2-2
#[tokio::test]
async fn a_quick_handler_is_answered_with_its_final_state_and_result() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let answer = street.confirm(&ada, &id).await;
    answer.state("succeeded");
    assert_eq!(answer.json["operation_id"], id);
    assert!(answer.json.get("expires_at").is_none(), "dropped once confirmed");
    let confirmation = serde_json::json!({
        "revision": 1, "approved_by": "user", "confirmed_at": "2026-10-08T19:00:00Z",
    });
    assert_eq!(answer.json["confirmation"], confirmation);
    let result = serde_json::json!({
        "summary": "Exchange placed. The insulated jacket ships today.",
        "data": { "exchange_id": id, "return_id": "rtn_8Lp3" },
    });
    assert_eq!(answer.json["result"], result);
    assert_eq!(street.read(&ada, &id).await.text, answer.text);
    assert_eq!(street.shop.effects(), 1);
}

/// OPS-5.2-10 OPS-6-2 OPS-3-18 OPS-5.2-13 OPS-8-4
#[tokio::test]
async fn a_slow_handler_is_answered_in_progress_and_goes_on_without_the_token() {
    tokio::time::pause();
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::Wait);
    let answer = street.confirm(&ada, &id).await;
    tokio::time::resume();
    answer.state("in_progress");
    assert_eq!(answer.header("retry-after"), Some("2"));
    for again in [street.confirm(&ada, &id).await, street.read(&ada, &id).await] {
        again.state("in_progress");
        assert_eq!(again.header("retry-after"), Some("2"));
    }
    street.sessions.revoke(&ada);
    street.read(&ada, &id).await.is(401, "invalid_token");
    street.shop.let_go.notify_one();
    let later = street.agent("ses_2", "juniper", "ada", Some("acc_ada"));
    street.until(&later, &id, "succeeded").await;
    assert_eq!(street.shop.effects(), 1);
}

/// Whoever is called must not take it for one whose handler is gone.
#[tokio::test(start_paused = true)]
async fn a_handler_that_is_over_its_time_is_said_to_be_at_work_perhaps() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::Wait);
    street.confirm(&ada, &id).await.state("in_progress");
    tokio::time::sleep(Duration::from_secs(120)).await;
    let history = street.company.history(&id.parse().unwrap()).await.unwrap();
    let told = history.events.iter().find(|event| event.kind.word() == "unsettled").unwrap();
    assert!(told.detail.contains("may still be at work"), "{told:?}");
}

/// OPS-5.2-3 OPS-5.2-7 OPS-9-2 Row A11
#[tokio::test]
async fn confirming_needs_the_scopes_that_were_recorded_with_the_proposal() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.sessions.change(&ada, |session| session.signed_in("acc_ada", ["orders:read"]));
    let answer = street.confirm(&ada, &id).await;
    answer.is(403, "insufficient_scope");
    assert_eq!(answer.json["scope"], "orders:write");
    street.read(&ada, &id).await.state("proposed");
    assert_eq!(street.shop.effects(), 0);
    street.sessions.change(&ada, |session| session.signed_in("acc_ada", ["orders:write"]));
    street.confirm(&ada, &id).await.state("succeeded");
    street.sessions.change(&ada, |session| session.signed_in("acc_ada", ["orders:read"]));
    street.confirm(&ada, &id).await.is(403, "insufficient_scope");
}

/// OPS-5.2-4 OPS-9-4 OPS-3.1-3 OPS-9-1 Row A9
#[tokio::test]
async fn any_integer_that_is_not_the_latest_revision_is_terms_changed_with_the_current_operation() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let large = r#"{ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-l" }"#;
    street.post(&ada, EXCHANGES, large).await;
    let read = street.read(&ada, &id).await;
    for revision in ["1", "3", "0", "-1", "99999999999999999999", "4294967298"] {
        let body = format!(r#"{{ "revision": {revision}, "approved_by": "user" }}"#);
        let answer = street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), &body).await;
        answer.is(409, "terms_changed");
        assert_eq!(answer.json["operation"], read.json, "revision {revision}");
    }
    assert_eq!(street.shop.effects(), 0);
    let body = r#"{ "revision": 2, "approved_by": "user" }"#;
    street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), body).await.state("succeeded");
}

/// OPS-5.2-4 Row A9
#[tokio::test]
async fn a_stale_revision_is_terms_changed_also_when_the_operation_is_final() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.confirm(&ada, &id).await.state("succeeded");
    let body = r#"{ "revision": 2, "approved_by": "user" }"#;
    let answer = street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), body).await;
    answer.is(409, "terms_changed");
    assert_eq!(answer.json["operation"]["state"], "succeeded");
}

/// OPS-5.2-5 OPS-9-6 OPS-3-8 Row A10
#[tokio::test]
async fn a_standing_permission_is_refused_where_the_user_is_needed() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let flagged = r#"{ "item_id": "itm_4Qa", "replacement_sku": "needs-user" }"#;
    let proposed = street.post(&ada, EXCHANGES, flagged).await;
    assert_eq!(proposed.json["operation"]["user_approval_required"], true);
    let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
    let url = format!("{OPERATIONS}/{id}/confirm");
    let answer = street.post(&ada, &url, BY_PERMISSION).await;
    answer.is(403, "user_approval_required");
    assert_eq!(answer.json["operation"]["state"], "proposed");
    assert_eq!(street.shop.effects(), 0);
    street.post(&ada, &url, BY_USER).await.state("succeeded");
}

#[tokio::test]
async fn a_standing_permission_confirms_where_it_is_accepted_and_is_echoed() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let answer = street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), BY_PERMISSION).await;
    answer.state("succeeded");
    assert_eq!(answer.json["confirmation"]["approved_by"], "standing_permission");
}

/// OPS-5.2-5
#[tokio::test]
async fn a_wrong_revision_wins_over_a_wrong_approval() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let flagged = r#"{ "item_id": "itm_4Qa", "replacement_sku": "needs-user" }"#;
    let proposed = street.post(&ada, EXCHANGES, flagged).await;
    let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
    let body = r#"{ "revision": 7, "approved_by": "standing_permission" }"#;
    street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), body).await.is(409, "terms_changed");
}

/// OPS-3-7 OPS-3-17 OPS-3-22 OPS-5.2-6 OPS-3-16 Row B3
#[tokio::test]
async fn expires_at_itself_is_in_time_and_one_tick_later_is_not() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let in_time = street.propose(&ada).await;
    let other = r#"{ "item_id": "itm_other", "replacement_sku": "x" }"#;
    let proposed = street.post(&ada, EXCHANGES, other).await;
    let late = proposed.json["operation"]["operation_id"].as_str().unwrap();
    street.clock.advance(Duration::from_secs(15 * 60));
    street.confirm(&ada, &in_time).await.state("succeeded");
    street.clock.advance(Duration::from_millis(1));
    let answer = street.confirm(&ada, late).await;
    answer.state("expired");
    assert!(answer.json["confirmation"].is_null());
    assert_eq!(
        answer.json["result"]["summary"],
        "This was not confirmed in time. Nothing was done."
    );
    assert_eq!(answer.json["expires_at"], "2026-10-08T19:15:00Z", "kept on an unconfirmed end");
    assert_eq!(street.shop.effects(), 1);
    assert_eq!(street.read(&ada, late).await.text, answer.text);
}

/// OPS-5.2-6 OPS-6-5
#[tokio::test]
async fn a_confirm_in_any_other_state_answers_it_as_it_is_and_does_nothing() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let cancelled = street.propose(&ada).await;
    let before = street.cancel(&ada, &cancelled).await;
    assert_eq!(street.confirm(&ada, &cancelled).await.text, before.text);
    let failed = street.propose(&ada).await;
    street.shop.act(Act::Decline);
    let before = street.confirm(&ada, &failed).await;
    before.state("failed");
    assert_eq!(street.confirm(&ada, &failed).await.text, before.text);
    street.shop.act(Act::Succeed);
    let succeeded = street.propose(&ada).await;
    let before = street.confirm(&ada, &succeeded).await;
    let mut keyed =
        ada.request(Method::POST, &format!("{OPERATIONS}/{succeeded}/confirm"), Some(BY_USER));
    keyed.headers_mut().insert("idempotency-key", "another".parse().unwrap());
    assert_eq!(street.send(keyed).await.text, before.text);
    assert_eq!(street.shop.effects(), 1);
}

/// OPS-3-20 OPS-6-10
#[tokio::test]
async fn a_failure_partway_tells_every_change_that_was_noted_or_said() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::FailPartway);
    let answer = street.confirm(&ada, &id).await;
    answer.state("failed");
    assert_eq!(
        answer.json["result"]["summary"],
        "The warehouse is out of it. What was changed: $70.00 was charged to the card ending in 4242. \
         The refund of $70.00 is under way."
    );
}

/// OPS-6-10
#[tokio::test]
async fn a_failure_with_nothing_changed_says_so() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::Decline);
    let answer = street.confirm(&ada, &id).await;
    answer.state("failed");
    assert_eq!(
        answer.json["result"]["summary"],
        "The card was declined; nothing was charged. Nothing was changed."
    );
}

/// OPS-6-10
#[tokio::test]
async fn a_change_on_record_is_told_even_if_the_handler_says_that_nothing_was_changed() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::Contradict);
    let answer = street.confirm(&ada, &id).await;
    assert_eq!(
        answer.json["result"]["summary"],
        "The card was declined. What was changed: $70.00 was charged."
    );
}

/// OPS-1-1 OPS-3-14
#[tokio::test]
async fn what_is_performed_is_the_confirmed_revisions_terms_whatever_is_true_now() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    *street.shop.price.lock().unwrap() = "90.00";
    street.confirm(&ada, &id).await.state("succeeded");
    assert_eq!(*street.shop.performed.lock().unwrap(), ["stormline-insulated-m"]);
    let read = street.read(&ada, &id).await;
    assert_eq!(read.json["terms"]["price_difference"]["amount"], "70.00");
}

/// OPS-1-1
#[tokio::test]
async fn looking_again_before_the_claim_can_change_the_terms_or_end_the_proposal() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.look(Look::Dearer);
    let answer = street.confirm(&ada, &id).await;
    answer.is(409, "terms_changed");
    assert_eq!(answer.json["operation"]["revision"], 2);
    assert_eq!(answer.json["operation"]["terms"]["price_difference"]["amount"], "75.00");
    street.shop.look(Look::Gone);
    let body = r#"{ "revision": 2, "approved_by": "user" }"#;
    let answer = street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), body).await;
    answer.state("cancelled");
    assert_eq!(answer.json["result"]["summary"], "The jacket is sold out. Nothing was changed.");
    assert_eq!(street.shop.effects(), 0);
}

/// OPS-8-1 OPS-8-2 OPS-8-3
#[tokio::test]
async fn the_record_holds_who_confirmed_what_with_which_key_when_and_how() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.confirm(&ada, &id).await.state("succeeded");
    let history = street.company.history(&id.parse().unwrap()).await.unwrap();
    let confirmed = history.stored.confirmed.unwrap();
    let confirmation = &confirmed.confirmation;
    assert_eq!((confirmation.revision.get(), confirmation.approved_by), (1, ApprovedBy::User));
    assert_eq!(confirmation.confirmed_at.to_string(), "2026-10-08T19:00:00Z");
    assert_eq!(confirmed.by.client, "https://juniper.example/agent.json");
    assert_eq!(confirmed.by.key_thumbprint, ada.key().thumbprint());
    assert_eq!(confirmed.by.session, "ses_1");
    assert_eq!(confirmed.by.account.as_deref(), Some("acc_ada"));
    let revision = &history.revisions[0];
    let again = pap_runtime::store::digest_of(&revision.summary, &revision.full, &revision.wire);
    assert_eq!(confirmed.by.digest, again, "the exact terms can be proved from the record");
    let kinds: Vec<_> = history.events.iter().map(|event| event.kind.word()).collect();
    assert_eq!(kinds, ["proposed", "confirmed", "ended"]);
}

/// OPS-4.1-2 OPS-1-4
#[tokio::test]
async fn the_jacket_request_is_what_it_was_without_the_extension() {
    let street = Street::on_sqlite().await;
    let web = Request::post("/orders/ord_7Hk2/exchanges")
        .header("content-type", "application/json")
        .body(Body::from(JACKET))
        .unwrap();
    assert_eq!(street.send(web).await.text, "the old way");
    let ada = street.ada();
    assert_eq!(street.post(&ada, EXCHANGES, JACKET).await.status, 202);
}
