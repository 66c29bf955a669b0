//! A request to stop that is on record reaches the handler and the systems behind (section 7).

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::http::Method;
use pap_runtime::State;
use tower::ServiceExt;

use crate::faulty::{Fault, Plan};
use crate::lab::{Bay, lab_company};
use crate::shop::OPERATIONS;

/// OPS-7-3
#[tokio::test(start_paused = true)]
async fn a_stop_between_the_claim_and_the_handler_reaches_the_handler() {
    let bay = Bay::new().await;
    let id = bay.propose("stoppable").await;
    let held = bay.store.hold("claim", false);
    let confirming = bay.confirming(&id);
    held.reached.notified().await;
    bay.cancel(&id).await.state("in_progress");
    held.let_go.notify_one();
    confirming.await.unwrap().state("cancelled");
}

/// OPS-7-3
#[tokio::test(start_paused = true)]
async fn an_agent_that_hangs_up_while_it_cancels_still_stops_the_handler() {
    let bay = Bay::new().await;
    let id = bay.propose("stoppable").await;
    let confirming = bay.confirming(&id);
    bay.lab.started.notified().await;
    let held = bay.store.hold("request_stop", false);
    let cancel = bay.ada.request(Method::POST, &format!("{OPERATIONS}/{id}/cancel"), None);
    let cancelling = tokio::spawn(bay.router.clone().oneshot(cancel));
    held.reached.notified().await;
    cancelling.abort();
    assert!(cancelling.await.unwrap_err().is_cancelled());
    held.let_go.notify_one();
    confirming.await.unwrap().state("cancelled");
    assert_eq!(bay.lab.stops.load(Ordering::SeqCst), 1, "the systems behind are asked too");
}

/// OPS-7-3
#[tokio::test(start_paused = true)]
async fn a_stop_that_is_only_on_record_reaches_the_handler() {
    // another company on the same store takes it, or its acknowledgement is lost
    for other in [true, false] {
        let bay = Bay::new().await;
        let id = bay.propose("stoppable").await;
        let confirming = bay.confirming(&id);
        bay.lab.started.notified().await;
        if other {
            let next = lab_company(&bay.lab, bay.store.clone(), &bay.sessions).await;
            let stopping = next.cancel(bay.ada.session(), &id).await.unwrap();
            assert_eq!(stopping.state, State::InProgress);
        } else {
            let (fault, method) = (Fault::UnknownAfter, Some("request_stop"));
            bay.store.follow(Some(Plan { fault, method, from: 1, many: 1 }));
            bay.cancel(&id).await.is(503, "temporarily_unavailable");
        }
        confirming.await.unwrap().state("cancelled");
    }
}

/// OPS-7-3 OPS-7-4
#[tokio::test(start_paused = true)]
async fn cancelling_again_and_again_asks_one_question_at_a_time() {
    let bay = Bay::new().await;
    let id = bay.propose("wait").await;
    bay.confirm(&id).await.state("in_progress");
    bay.lab.hangs.store(true, Ordering::SeqCst);
    for _ in 0..50 {
        bay.cancel(&id).await.state("in_progress");
        tokio::task::yield_now().await;
    }
    assert_eq!(bay.lab.stops.load(Ordering::SeqCst), 1);
    // a question that was not answered in time is not the last
    tokio::time::sleep(Duration::from_secs(300)).await;
    bay.lab.hangs.store(false, Ordering::SeqCst);
    let before = bay.lab.stops.load(Ordering::SeqCst);
    bay.cancel(&id).await.state("in_progress");
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(bay.lab.stops.load(Ordering::SeqCst), before + 1);
}

/// OPS-7-4 OPS-6-7
#[tokio::test(start_paused = true)]
async fn a_stop_behind_a_fence_that_does_not_hold_does_not_keep_reconcile_from_being_asked() {
    let bay = Bay::new().await;
    let id = bay.propose("remember-then-wait").await;
    bay.confirm(&id).await.state("in_progress");
    bay.cancel(&id).await.state("in_progress");
    bay.lab.let_go.notify_one();
    let asked = || bay.lab.asks.load(Ordering::SeqCst) > 0;
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_secs(5)).await;
        bay.clock.advance(Duration::from_secs(600));
    }
    assert!(asked() && bay.lab.stops.load(Ordering::SeqCst) > 1);
    let ended = bay.read(&id).await;
    assert_eq!(ended.state("succeeded").json["result"]["summary"], "It had been done.");
}
