//! After a crash or an unknown outcome: the question is asked until it is answered, and nothing is
//! performed again.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::Method;
use pap_runtime::store::{Known, TakeAskable};
use pap_runtime::testing::{Bench, Crash};
use pap_runtime::{SettledBy, succeeded};

use crate::shop::{
    Act, Exchange, ExchangeRequest, Find, GiftNoteTerms, Shop, Street, gift_note, open_when_free,
};

fn request() -> ExchangeRequest {
    ExchangeRequest {
        order_id: "ord_7Hk2".into(),
        item_id: "itm_4Qa".into(),
        replacement_sku: "stormline-insulated-m".into(),
    }
}

/// OPS-6-6 OPS-6-7 OPS-5.2-8 OPS-1-3
#[tokio::test]
async fn a_crash_at_every_point_performs_at_most_once_and_ends_as_what_is_true() {
    let found = [Find::Happened];
    let fenced = [Find::FencedByCheckpoint];
    let points = [
        (Crash::BeforeClaim, 0, "proposed", &found[..0]),
        (Crash::AfterClaim, 0, "failed", &fenced[..]),
        (Crash::AfterCheckpoint("payment".to_owned()), 0, "failed", &[Find::FencedDownstream][..]),
        (Crash::BeforeFinish, 1, "succeeded", &found[..]),
        (Crash::AfterFinish, 1, "succeeded", &found[..0]),
    ];
    for (point, effects, state, finds) in points {
        let shop = Shop::new();
        shop.act(Act::Remember);
        shop.find(finds);
        let mut bench = Bench::<Exchange>::new(Arc::clone(&shop)).await.unwrap();
        let operation = bench.propose(request()).await.unwrap();
        let answered = bench.confirm_and_crash(&operation, point.clone()).await.unwrap();
        assert!(answered.is_none(), "{point:?} was not reached");
        let between = bench.read(&operation).await.unwrap().state;
        if state != "proposed" && point != Crash::AfterFinish {
            assert_eq!(between.to_string(), "in_progress", "{point:?}: never failed while unknown");
        }
        bench.reconcile().await.unwrap();
        let ended = bench.read(&operation).await.unwrap();
        assert_eq!(
            (ended.state.to_string().as_str(), shop.effects()),
            (state, effects),
            "{point:?}"
        );
        bench.confirm(&operation).await.unwrap();
        assert_eq!(shop.effects(), effects.max(u32::from(state == "proposed")), "{point:?}, again");
    }
}

/// OPS-6-6 OPS-6-7 OPS-3-18
#[tokio::test]
async fn an_outcome_nobody_knows_stays_in_progress_until_it_is_found_out() {
    for act in [Act::Unknown, Act::Panic] {
        let shop = Shop::new();
        shop.act(act);
        shop.find(&[Find::NotSeenYet, Find::Error, Find::Panic, Find::Happened]);
        let bench = Bench::<Exchange>::new(Arc::clone(&shop)).await.unwrap();
        let operation = bench.propose(request()).await.unwrap();
        let answer = bench.confirm(&operation).await.unwrap();
        assert_eq!(answer.state.to_string(), "in_progress", "{act:?}");
        for asked in 1..=3 {
            bench.advance(Duration::from_secs(3600));
            assert_eq!(bench.reconcile().await.unwrap(), 1);
            assert_eq!(shop.asks.load(Ordering::SeqCst), asked);
            assert_eq!(bench.read(&operation).await.unwrap().state.to_string(), "in_progress");
            assert_eq!(bench.reconcile().await.unwrap(), 0, "not before its time");
        }
        bench.advance(Duration::from_secs(3600));
        bench.reconcile().await.unwrap();
        let ended = bench.read(&operation).await.unwrap();
        assert_eq!(ended.state.to_string(), "succeeded");
        assert_eq!(ended.result.unwrap().summary, "The exchange had been placed.");
    }
}

/// OPS-6-10
#[tokio::test]
async fn what_happened_in_part_is_told_change_by_change() {
    let shop = Shop::new();
    shop.act(Act::Unknown);
    shop.find(&[Find::Partly]);
    let bench = Bench::<Exchange>::new(Arc::clone(&shop)).await.unwrap();
    let operation = bench.propose(request()).await.unwrap();
    bench.confirm(&operation).await.unwrap();
    bench.reconcile().await.unwrap();
    let ended = bench.read(&operation).await.unwrap();
    assert_eq!(ended.state.to_string(), "failed");
    assert_eq!(
        ended.result.unwrap().summary,
        "The jacket could not be sent. What was changed: $70.00 was charged."
    );
}

/// OPS-6-6
#[tokio::test]
async fn a_checkpoint_that_was_written_is_no_fence() {
    let shop = Shop::new();
    shop.act(Act::Remember);
    let mut bench = Bench::<Exchange>::new(Arc::clone(&shop)).await.unwrap();
    let operation = bench.propose(request()).await.unwrap();
    let point = Crash::AfterCheckpoint("payment".to_owned());
    bench.confirm_and_crash(&operation, point).await.unwrap();
    // the author is wrong: it answers the fence although the checkpoint is on record
    shop.find(&[Find::Mistaken]);
    bench.reconcile().await.unwrap();
    assert_eq!(bench.read(&operation).await.unwrap().state.to_string(), "in_progress");
    let history = bench.history(&operation).await.unwrap();
    assert!(history.stored.running.unwrap().attention, "a person has to look");
}

#[tokio::test]
async fn once_recovery_has_begun_no_effect_can_be_placed_behind_a_checkpoint() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::WaitThenRemember);
    street.shop.find(&[Find::NotSeenYet]);
    let url = format!("{}/{id}/confirm", crate::shop::OPERATIONS);
    let confirm = ada.request(Method::POST, &url, Some(crate::shop::BY_USER));
    let confirming = tokio::spawn(tower::ServiceExt::oneshot(street.router.clone(), confirm));
    street.shop.started.notified().await;
    // the handler is slow beyond its time, and its outcome is asked about
    street.pretend_dead(&id).await;
    while street.shop.asks.load(Ordering::SeqCst) == 0 {
        street.company.ask_due().await.unwrap();
        tokio::task::yield_now().await;
    }
    street.shop.let_go.notify_one();
    assert_eq!(confirming.await.unwrap().unwrap().status(), 200);
    assert_eq!(street.shop.effects(), 0, "the effect behind the checkpoint did not happen");
    street.read(&ada, &id).await.state("in_progress");
}

/// OPS-3-23
#[tokio::test]
async fn a_late_outcome_never_changes_the_final_state() {
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::Wait);
    let url = format!("{}/{id}/confirm", crate::shop::OPERATIONS);
    let confirm = ada.request(Method::POST, &url, Some(crate::shop::BY_USER));
    let confirming = tokio::spawn(tower::ServiceExt::oneshot(street.router.clone(), confirm));
    street.shop.started.notified().await;
    let by = SettledBy::new("operator", "seen in the warehouse");
    let outcome = pap_runtime::failed_unchanged::<()>("The parcel was lost");
    street.company.settle(&id.parse().unwrap(), outcome, by).await.unwrap();
    let settled = street.read(&ada, &id).await;
    settled.state("failed");
    street.shop.let_go.notify_one();
    assert_eq!(confirming.await.unwrap().unwrap().status(), 200);
    assert_eq!(street.read(&ada, &id).await.text, settled.text);
    let history = street.company.history(&id.parse().unwrap()).await.unwrap();
    assert!(history.events.iter().any(|event| event.kind.word() == "late_outcome"));
}

/// D9 of the failure matrix: a process that dies while it asks leaves the question to the next, at once.
#[tokio::test]
async fn a_question_that_a_dead_process_had_taken_is_asked_by_the_next_one_at_once() {
    let (dir, clock) = (tempfile::tempdir().unwrap(), crate::shop::clock());
    let file = dir.path().join("operations.db");
    let shop = Shop::new();
    shop.act(Act::HandOver);
    let street =
        Street::around(shop.clone(), open_when_free(&file, &clock).await, clock.clone(), None)
            .await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.confirm(&ada, &id).await.state("in_progress");
    let take = TakeAskable {
        company: "Example Outfitters".into(),
        limit: 1,
        lease: Duration::from_secs(600),
        known: vec![Known { action: "orders.exchange".into(), versions: vec![1] }],
    };
    // as a process does that dies before it records what it found; the company itself may be first
    loop {
        clock.advance(Duration::from_secs(3601));
        if !street.store.take_askable(take.clone()).await.unwrap().is_empty() {
            break;
        }
    }
    street.close().await;
    shop.find(&[Find::Happened]);
    let next = Street::around(shop, open_when_free(&file, &clock).await, clock, None).await;
    next.until(&next.ada(), &id, "succeeded").await;
}

/// OPS-3-18
#[tokio::test]
async fn what_was_handed_over_is_not_asked_about_before_its_time() {
    let shop = Shop::new();
    shop.act(Act::HandOver);
    shop.find(&[Find::Happened]);
    let bench = Bench::<Exchange>::new(Arc::clone(&shop)).await.unwrap();
    let operation = bench.propose(request()).await.unwrap();
    bench.confirm(&operation).await.unwrap();
    bench.advance(Duration::from_secs(3599));
    assert_eq!(bench.reconcile().await.unwrap(), 0);
    bench.advance(Duration::from_secs(1));
    assert_eq!(bench.reconcile().await.unwrap(), 1);
    assert_eq!(bench.read(&operation).await.unwrap().state.to_string(), "succeeded");
}

#[tokio::test]
async fn asking_goes_on_for_ever_and_a_person_is_called_after_a_while() {
    let shop = Shop::new();
    shop.act(Act::Unknown);
    let bench = Bench::<Exchange>::new(Arc::clone(&shop)).await.unwrap();
    let operation = bench.propose(request()).await.unwrap();
    bench.confirm(&operation).await.unwrap();
    for asks in 1..40_u32 {
        bench.advance(Duration::from_secs(601));
        assert_eq!(bench.reconcile().await.unwrap(), 1, "ask {asks}");
        let running = bench.history(&operation).await.unwrap().stored.running.unwrap();
        assert_eq!(running.attention, asks >= 8, "ask {asks}");
    }
    assert_eq!(bench.read(&operation).await.unwrap().state.to_string(), "in_progress");
}

/// OPS-6-7
#[tokio::test]
async fn where_a_person_has_to_find_out_one_is_called_at_once_and_settles_it() {
    let bench = Bench::<gift_note>::new(Shop::new()).await.unwrap();
    let note = GiftNoteTerms { order_id: "ord_7Hk2".into(), note: "lost".into() };
    let operation = bench.propose(note).await.unwrap();
    bench.confirm(&operation).await.unwrap();
    assert_eq!(bench.reconcile().await.unwrap(), 1);
    let running = bench.history(&operation).await.unwrap().stored.running.unwrap();
    assert!(running.attention, "after the first question");
    assert_eq!(bench.read(&operation).await.unwrap().state.to_string(), "in_progress");
    let (outcome, by) = (succeeded("The note was found.", ()), SettledBy::new("ada", "looked"));
    bench.company().settle(&operation.operation_id, outcome, by).await.unwrap();
    assert_eq!(bench.read(&operation).await.unwrap().state.to_string(), "succeeded");
    assert_eq!(bench.state().effects(), 1);
}
