//! A process that is to stop claims nothing more and lets its handlers end; one that was taken for dead goes
//! on under a new life.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pap_runtime::company::Builder;
use pap_runtime::store::{Beat, Life};
use pap_runtime::{Refusal, State};

use crate::fleet::{Fleet, Yard};

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

type Set = fn(Builder<Arc<Yard>>, Duration) -> Builder<Arc<Yard>>;

/// A company of which nothing is wrong but what is set.
fn set(fleet: &Fleet) -> Builder<Arc<Yard>> {
    pap_runtime::Company::builder(fleet.yard.clone())
        .name("Fleet")
        .origin(crate::shop::ORIGIN)
        .shared_store(fleet.store.clone())
        .operations(pap_runtime::operations![crate::fleet::wash])
}

#[tokio::test]
async fn settings_that_cannot_work_are_all_told_at_once() {
    let (none, ever) = (Duration::ZERO, Duration::MAX);
    let refused = set(&Fleet::new())
        .limits("fleet.fly", pap_runtime::Limits::new().perform(0))
        .answer_within(ever)
        .perform_within(none)
        .retry_after(ever)
        .ask_again(ever, ever)
        .heartbeat(none, ever)
        .sweep_every(none)
        .release_within(none);
    insta::assert_snapshot!(refused.start().await.unwrap_err(), @r#"
    the company was not started:
      - `.limits("fleet.fly", …)`: no operation of the list has this action
      - `.limits("fleet.fly", …)`: a limit is at least 1; to hold an action back, pause it
      - `.answer_within(…)` is 18446744073709551615.999999999s, and may be from none to 24 h: an agent waits for the answer to its confirm (section 5.2: a few seconds); type `.answer_within(Duration::from_secs(3))`
      - `.perform_within(…)` is 0ns, and may be from 1 ms to 31 days: a handler needs time before it is asked about, and one that hangs has to be asked about some day; type `.perform_within(Duration::from_secs(60))`
      - `.retry_after(…)` is 18446744073709551615.999999999s, and may be from none to 24 h: an agent reads no result before; type `.retry_after(Duration::from_secs(2))`
      - `.ask_again(first, …)` is 18446744073709551615.999999999s, and may be from none to 24 h: what is not known stays so until it is asked about; type `.ask_again(Duration::from_secs(2), Duration::from_secs(600))`
      - `.ask_again(…, most)` is 18446744073709551615.999999999s, and may be from none to 31 days: what is not known stays so until it is asked about; type `.ask_again(Duration::from_secs(2), Duration::from_secs(600))`
      - `.heartbeat(every, …)` is 0ns, and may be from 1 ms to 24 h: each sign of life is a write, and a process without one is taken for dead; type `.heartbeat(Duration::from_secs(5), Duration::from_secs(30))`
      - `.heartbeat(…, dead_after)` is 18446744073709551615.999999999s, and may be from 1 ms to 31 days: what a process held that has died is asked about only then; type `.heartbeat(Duration::from_secs(5), Duration::from_secs(30))`
      - `.sweep_every(…)` is 0ns, and may be from 1 ms to 24 h: each look asks the store, and expiry and retention come on record by one; type `.sweep_every(Duration::from_secs(5))`
      - `.release_within(…)` is 0ns, and may be from 1 ms to 24 h: without time to answer nothing is let go, and what a process died telling waits twice as long; type `.release_within(Duration::from_secs(60))`
    "#);
    let refused = set(&Fleet::new()).heartbeat(Duration::from_secs(5), Duration::from_secs(6));
    insta::assert_snapshot!(refused.start().await.unwrap_err(), @"
    the company was not started:
      - `.heartbeat(every, dead_after)`: a process that lives says so at least twice before it may be taken for dead: make `dead_after` at least twice `every`
    ");
}

#[tokio::test]
async fn a_wait_that_cannot_be_kept_is_refused() {
    let (none, least, bit) = (Duration::ZERO, Duration::from_millis(1), Duration::from_nanos(1));
    let day = Duration::from_secs(24 * 3600);
    let month = 31 * day;
    let waits: [(Set, Duration, Duration); 9] = [
        (Builder::answer_within, none, day),
        (Builder::perform_within, least, month),
        (Builder::retry_after, none, day),
        (|builder, first| builder.ask_again(first, Duration::from_secs(600)), none, day),
        (|builder, most| builder.ask_again(Duration::ZERO, most), none, month),
        (|builder, every| builder.heartbeat(every, every.saturating_mul(2)), least, day),
        (|builder, dead| builder.heartbeat(Duration::from_millis(1), dead), 2 * least, month),
        (Builder::sweep_every, least, day),
        (Builder::release_within, least, day),
    ];
    for (place, (wait, least, most)) in waits.into_iter().enumerate() {
        for kept in [least, most] {
            let started = wait(set(&Fleet::new()), kept).start().await;
            assert!(started.is_ok(), "{place}: {kept:?}: {started:?}");
        }
        for lost in [least.checked_sub(bit), Some(most + bit), Some(Duration::MAX)] {
            let Some(lost) = lost else { continue };
            let refused = wait(set(&Fleet::new()), lost).start().await;
            assert!(refused.is_err(), "{place}: {lost:?}");
        }
    }
}
