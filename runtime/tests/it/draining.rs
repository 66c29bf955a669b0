//! A process that is to stop claims nothing more and lets its handlers end; one that was taken for dead goes
//! on under a new life.

use std::sync::atomic::Ordering;
use std::time::Duration;

use pap_runtime::store::{Beat, Life};
use pap_runtime::{Refusal, State};

use crate::fleet::Fleet;

/// E15
/// Row E15.
#[tokio::test(start_paused = true)]
async fn a_draining_process_claims_nothing_and_lets_its_handlers_end() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    fleet.yard.slow.store(true, Ordering::SeqCst);
    let (id, confirming) = fleet.renting(&node, "a").await;
    fleet.yard.started.notified().await;
    let next = fleet.propose(&node, "b", 1).await.operation_id;

    let draining = tokio::spawn({
        let node = node.clone();
        async move { node.drain(Duration::from_secs(60)).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    let refused = fleet.confirm(&node, &next).await.unwrap_err();
    assert!(matches!(refused, Refusal::Unavailable), "{refused:?}");
    assert_eq!(fleet.stored(&next).await.state, State::Proposed, "refused before the claim");
    node.read(&fleet.ada, id.as_str()).await.unwrap();
    assert!(!draining.is_finished(), "a handler runs");

    fleet.yard.let_go.notify_one();
    assert_eq!(draining.await.unwrap().unwrap(), 0, "no handler is left");
    assert_eq!(confirming.await.unwrap().unwrap().state, State::Succeeded);
    assert_eq!(fleet.yard.effects(), 1);
}

/// E15
/// Row E15.
#[tokio::test(start_paused = true)]
async fn what_is_left_when_the_drain_is_over_is_asked_about_by_others_at_once() {
    let fleet = Fleet::new();
    let (node, _other) = (fleet.node(|builder| builder).await, fleet.node(|builder| builder).await);
    fleet.yard.slow.store(true, Ordering::SeqCst);
    let (id, _confirming) = fleet.renting(&node, "a").await;
    fleet.yard.started.notified().await;
    assert_eq!(node.drain(Duration::from_secs(1)).await.unwrap(), 1);
    // no clock has moved: the life has ended, which is enough
    fleet.until(&id, |stored| stored.running.as_ref().is_some_and(|r| r.asks > 0)).await;
    // its own answer still counts
    fleet.yard.let_go.notify_one();
    assert_eq!(fleet.ended(&id).await.state, State::Succeeded);
    assert_eq!(fleet.yard.effects(), 1);
}

/// D6
/// Row E16.
#[tokio::test(start_paused = true)]
async fn a_process_that_was_taken_for_dead_claims_under_a_new_life_and_finishes_what_it_holds() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    fleet.yard.slow.store(true, Ordering::SeqCst);
    let (id, confirming) = fleet.renting(&node, "a").await;
    fleet.yard.started.notified().await;
    let first = fleet.running(&id).await.life.unwrap();
    fleet.store.end_life(first).await.unwrap();
    // its next sign of life finds out
    tokio::time::sleep(Duration::from_secs(10)).await;
    let (other, _confirming) = fleet.renting(&node, "b").await;
    fleet.yard.started.notified().await;
    let second = fleet.running(&other).await.life.unwrap();
    assert_ne!(first, second);
    assert!(fleet.running(&other).await.performing);

    fleet.yard.let_go.notify_waiters();
    confirming.await.unwrap().unwrap();
    assert_eq!(fleet.ended(&id).await.state, State::Succeeded);
    assert_eq!(fleet.ended(&other).await.state, State::Succeeded);
    assert_eq!(fleet.yard.effects(), 2);
}

#[tokio::test]
async fn a_life_that_was_never_begun_does_not_live() {
    let fleet = Fleet::new();
    let beat = Beat { life: Life([7; 16]), dead_after: Duration::from_secs(30) };
    assert!(!fleet.store.heartbeat(beat).await.unwrap());
}

#[tokio::test]
async fn settings_that_cannot_work_are_all_told_at_once() {
    let fleet = Fleet::new();
    let refused = pap_runtime::Company::builder(fleet.yard.clone())
        .name("Fleet")
        .origin(crate::shop::ORIGIN)
        .shared_store(fleet.store.clone())
        .operations(pap_runtime::operations![crate::fleet::wash])
        .limits("fleet.fly", pap_runtime::Limits::new().perform(0))
        .heartbeat(Duration::from_secs(5), Duration::from_secs(6))
        .release_within(Duration::ZERO)
        .start()
        .await
        .unwrap_err();
    insta::assert_snapshot!(refused, @r#"
    the company was not started:
      - `.limits("fleet.fly", …)`: no operation of the list has this action
      - `.limits("fleet.fly", …)`: a limit is at least 1; to hold an action back, pause it
      - `.heartbeat(every, dead_after)`: a process that lives says so at least twice before it may be taken for dead: make `dead_after` at least twice `every`
      - `.release_within(0ns)`: a company that is given no time to answer lets nothing go: at least 1 ms, such as `.release_within(Duration::from_secs(60))`
    "#);
}

#[tokio::test]
async fn a_release_that_is_given_for_ever_is_refused() {
    let fleet = Fleet::new();
    let within = |wait| {
        pap_runtime::Company::builder(fleet.yard.clone())
            .name("Fleet")
            .origin(crate::shop::ORIGIN)
            .shared_store(fleet.store.clone())
            .operations(pap_runtime::operations![crate::fleet::wash])
            .release_within(wait)
            .start()
    };
    let refused = within(Duration::MAX).await.unwrap_err();
    insta::assert_snapshot!(refused, @"
    the company was not started:
      - `.release_within(18446744073709551615.999999999s)`: what a process died telling is told again after twice this time, and others wait for it: at most 24 h, such as `.release_within(Duration::from_secs(60))`
    ");
    let day = Duration::from_secs(24 * 3600);
    assert!(within(day + Duration::from_millis(1)).await.is_err());
    within(day).await.unwrap();
    within(Duration::from_millis(1)).await.unwrap();
}
