//! Cancel: a proposal is declined; an operation in progress is stopped if it can be.

use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::Method;

use crate::shop::{Act, Find, OPERATIONS, Stops, Street};

/// OPS-7-2 OPS-3-21 OPS-3-11 OPS-3-16
#[tokio::test]
async fn a_declined_proposal_is_cancelled_and_cannot_be_confirmed() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let answer = street.cancel(&ada, &id).await;
    answer.state("cancelled");
    assert!(answer.json["confirmation"].is_null());
    assert_eq!(
        answer.json["result"]["summary"],
        "This was declined before it was confirmed. Nothing was changed."
    );
    assert_eq!(answer.json["expires_at"], "2026-10-08T19:15:00Z");
    assert_eq!(street.confirm(&ada, &id).await.text, answer.text);
    assert_eq!(street.cancel(&ada, &id).await.text, answer.text);
    assert_eq!(street.shop.effects(), 0);
}

/// OPS-7-1
#[tokio::test]
async fn cancelling_needs_no_body_and_reads_none() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    for body in ["", "{}", "not json", "[1,"] {
        let id = street.propose(&ada).await;
        let url = format!("{OPERATIONS}/{id}/cancel");
        let mut request = ada.request(Method::POST, &url, None);
        *request.body_mut() = Body::from(body);
        street.send(request).await.state("cancelled");
    }
}

/// OPS-7-3
#[tokio::test]
async fn a_handler_that_sees_the_request_to_stop_ends_cancelled() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::WaitForStop);
    let url = format!("{OPERATIONS}/{id}/confirm");
    let confirm = ada.request(Method::POST, &url, Some(crate::shop::BY_USER));
    let confirming = tokio::spawn(tower::ServiceExt::oneshot(street.router.clone(), confirm));
    street.shop.started.notified().await;
    let answer = street.cancel(&ada, &id).await;
    assert!(["in_progress", "cancelled"].contains(&answer.json["state"].as_str().unwrap()));
    let ended = street.until(&ada, &id, "cancelled").await;
    assert_eq!(ended.json["result"]["summary"], "Stopped as you asked. Nothing was changed.");
    assert_eq!(confirming.await.unwrap().unwrap().status(), 200);
    assert_eq!(street.shop.effects(), 0);
}

/// OPS-7-4 OPS-6-2
#[tokio::test]
async fn a_handler_that_goes_on_ends_as_what_is_true() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::Wait);
    let url = format!("{OPERATIONS}/{id}/confirm");
    let confirm = ada.request(Method::POST, &url, Some(crate::shop::BY_USER));
    let confirming = tokio::spawn(tower::ServiceExt::oneshot(street.router.clone(), confirm));
    street.shop.started.notified().await;
    let answer = street.cancel(&ada, &id).await;
    answer.state("in_progress");
    assert_eq!(answer.header("retry-after"), Some("2"));
    let again = street.cancel(&ada, &id).await;
    again.state("in_progress");
    crate::fleet::until("the company was asked to stop", || {
        street.shop.stops.load(Ordering::SeqCst) >= 1
    })
    .await;
    street.shop.let_go.notify_one();
    street.until(&ada, &id, "succeeded").await;
    assert_eq!(confirming.await.unwrap().unwrap().status(), 200);
    let history = street.company.history(&id.parse().unwrap()).await.unwrap();
    let stops = history.events.iter().filter(|event| event.kind.word() == "stop_requested");
    assert_eq!(stops.count(), 1, "the first request's moment stands");
}

/// OPS-7-4
#[tokio::test]
async fn a_stop_that_is_found_to_have_come_in_time_ends_cancelled() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::HandOver);
    street.confirm(&ada, &id).await.state("in_progress");
    street.cancel(&ada, &id).await.state("in_progress");
    street.shop.find(&[Find::FencedDownstream]);
    street.clock.advance(std::time::Duration::from_secs(3601));
    let ended = street.until(&ada, &id, "cancelled").await;
    assert_eq!(
        ended.json["result"]["summary"],
        "This was stopped before it took effect. Nothing was changed."
    );
}

/// OPS-7-3
#[tokio::test]
async fn a_stop_behind_a_fence_ends_cancelled_without_asking_further() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    for (act, stop) in [
        (Act::RememberAndHandOver, Stops::FencedDownstream),
        (Act::HandOver, Stops::FencedByCheckpoint),
    ] {
        let id = street.propose(&ada).await;
        street.shop.act(act);
        street.shop.stop(stop);
        street.confirm(&ada, &id).await.state("in_progress");
        street.cancel(&ada, &id).await;
        let ended = street.until(&ada, &id, "cancelled").await;
        assert_eq!(
            ended.json["result"]["summary"],
            "This was stopped before it took effect. Nothing was changed."
        );
    }
    assert_eq!(street.shop.asks.load(Ordering::SeqCst), 0);
    assert_eq!(street.shop.effects(), 0);
}

/// OPS-7-4
#[tokio::test]
async fn a_stop_that_proves_nothing_leaves_it_in_progress() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::RememberAndHandOver);
    street.confirm(&ada, &id).await.state("in_progress");
    // the checkpoint is on record: its absence fences nothing
    let proves_nothing =
        [Stops::Asked, Stops::Cannot, Stops::Error, Stops::Panic, Stops::FencedByCheckpoint];
    for (stop, asked) in proves_nothing.into_iter().zip(1..) {
        street.shop.stop(stop);
        street.cancel(&ada, &id).await.state("in_progress");
        for _ in 0..2000 {
            if street.shop.stops() == asked {
                break;
            }
            street.read(&ada, &id).await;
        }
        assert_eq!(street.shop.stops(), asked, "{stop:?}");
        for _ in 0..20 {
            street.read(&ada, &id).await.state("in_progress");
        }
    }
}

/// OPS-7-3 OPS-7-4
#[tokio::test]
async fn a_request_to_stop_is_passed_on_again_before_the_outcome_is_asked_about() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::HandOver);
    street.confirm(&ada, &id).await.state("in_progress");
    street.cancel(&ada, &id).await.state("in_progress");
    for _ in 0..2000 {
        if street.shop.stops() == 1 {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(street.shop.stops(), 1);
    street.shop.stop(Stops::FencedDownstream);
    street.clock.advance(std::time::Duration::from_secs(3601));
    street.until(&ada, &id, "cancelled").await;
    let asks = street.shop.asks.load(Ordering::SeqCst);
    assert_eq!((street.shop.stops(), asks), (2, 0), "behind the fence there is nothing to ask");
}

/// OPS-7-5
#[tokio::test]
async fn a_final_operation_is_returned_as_it_is() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let mut finals = Vec::new();
    for act in [Act::Succeed, Act::Decline] {
        street.shop.act(act);
        let id = street.propose(&ada).await;
        finals.push((id.clone(), street.confirm(&ada, &id).await));
    }
    let expired = street.propose(&ada).await;
    street.clock.advance(std::time::Duration::from_secs(901));
    finals.push((expired.clone(), street.read(&ada, &expired).await));
    for (id, before) in finals {
        assert_eq!(street.cancel(&ada, &id).await.text, before.text);
        assert_eq!(street.read(&ada, &id).await.text, before.text);
    }
}

/// OPS-7-2
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_confirm_and_a_cancel_at_once_exactly_one_wins() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    for round in 0..40 {
        let json = format!(r#"{{ "item_id": "itm_{round}", "replacement_sku": "sku_{round}" }}"#);
        let proposed = street.post(&ada, crate::shop::EXCHANGES, &json).await;
        let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
        let (confirmed, cancelled) =
            tokio::join!(street.confirm(&ada, id), street.cancel(&ada, id));
        assert_eq!((confirmed.status.as_u16(), cancelled.status.as_u16()), (200, 200));
        let mut read = street.read(&ada, id).await;
        if read.json["state"] == "in_progress" {
            read = street.until(&ada, id, "succeeded").await;
        }
        let sku = format!("sku_{round}");
        let performed = street.shop.performed.lock().unwrap().contains(&sku);
        let expected = if performed { "succeeded" } else { "cancelled" };
        assert_eq!(read.json["state"], expected, "{read:?}");
    }
}
