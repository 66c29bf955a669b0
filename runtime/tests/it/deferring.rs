//! What is confirmed where there is no room for it is performed once all the same.

use std::sync::atomic::Ordering;

use pap_runtime::store::EventKind;
use pap_runtime::{Limits, Role, State};

use crate::fleet::{ACTION, Fleet, is_deferred, until};

/// A7
#[tokio::test(start_paused = true)]
async fn what_a_serving_process_confirms_is_performed_by_one_that_performs() {
    let fleet = Fleet::new();
    let web = fleet.node(|builder| builder.role(Role::Serve)).await;
    let (id, confirming) = fleet.renting(&web, "a").await;
    let waiting = fleet.until(&id, |stored| stored.confirmed.is_some()).await;
    assert!(is_deferred(&waiting), "nobody performs here");
    let _worker = fleet.node(|builder| builder.role(Role::Perform)).await;
    let answer = confirming.await.unwrap().unwrap();
    assert_eq!(answer.state, State::Succeeded, "whoever confirmed hears of the end");
    assert_eq!(fleet.yard.effects(), 1);
}

/// A7
#[tokio::test(start_paused = true)]
async fn twenty_that_wait_are_started_once_each_by_five_processes() {
    let fleet = Fleet::new();
    let web = fleet.node(|builder| builder.role(Role::Serve)).await;
    let mut ids = Vec::new();
    for car in 0..20 {
        let (id, _confirming) = fleet.renting(&web, &format!("car {car}")).await;
        ids.push(id);
    }
    for id in &ids {
        fleet.until(id, is_deferred).await;
    }
    let mut workers = Vec::new();
    for _ in 0..5 {
        workers.push(fleet.node(|builder| builder.role(Role::Perform)).await);
    }
    for id in &ids {
        assert_eq!(fleet.ended(id).await.state, State::Succeeded);
        let history = web.history(id).await.unwrap();
        let starts = history.events.iter().filter(|event| event.kind == EventKind::Started);
        assert_eq!(starts.count(), 1);
    }
    assert_eq!(fleet.yard.effects(), 20);
}

#[tokio::test(start_paused = true)]
async fn no_more_handlers_run_at_once_than_an_action_allows() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder.limits(ACTION, Limits::new().perform(2))).await;
    let mut confirming = Vec::new();
    for car in 0..9 {
        confirming.push(fleet.renting(&node, &format!("car {car}")).await.1);
    }
    for answer in confirming {
        assert_eq!(answer.await.unwrap().unwrap().state, State::Succeeded);
    }
    assert_eq!(fleet.yard.effects(), 9);
    assert_eq!(fleet.yard.most_running.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn no_more_questions_run_at_once_than_an_action_allows() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    fleet.yard.slow.store(true, Ordering::SeqCst);
    let mut ids = Vec::new();
    for car in 0..8 {
        let (id, confirming) = fleet.renting(&node, &format!("car {car}")).await;
        fleet.yard.started.notified().await;
        confirming.abort();
        ids.push(id);
    }
    // as if the process were gone
    let life = fleet.running(&ids[0]).await.life.unwrap();
    fleet.yard.effects.store(8, Ordering::SeqCst);
    drop(node);
    fleet.store.end_life(life).await.unwrap();
    let _next = fleet.node(|builder| builder.limits(ACTION, Limits::new().reconcile(3))).await;
    for id in &ids {
        assert_eq!(fleet.ended(id).await.state, State::Succeeded);
    }
    assert_eq!(fleet.yard.most_asking.load(Ordering::SeqCst), 3);
}

/// A7 OPS-7-5
#[tokio::test(start_paused = true)]
async fn one_that_waits_is_cancelled_before_anybody_starts_it() {
    let fleet = Fleet::new();
    let web = fleet.node(|builder| builder.role(Role::Serve)).await;
    let (id, confirming) = fleet.renting(&web, "a").await;
    fleet.until(&id, is_deferred).await;
    let cancelled = web.cancel(&fleet.ada, id.as_str()).await.unwrap();
    assert_eq!(cancelled.state, State::Cancelled);
    let told = cancelled.result.unwrap().summary;
    assert_eq!(told, "This was stopped before it was started. Nothing was changed.");
    let _worker = fleet.node(|builder| builder.role(Role::Perform)).await;
    assert_eq!(confirming.await.unwrap().unwrap().state, State::Cancelled);
    assert_eq!(fleet.yard.effects(), 0);
}

/// A7
#[tokio::test(start_paused = true)]
async fn a_stop_that_a_dying_process_put_on_record_is_heeded_by_who_would_start() {
    let fleet = Fleet::new();
    let web = fleet.node(|builder| builder.role(Role::Serve)).await;
    let (id, _confirming) = fleet.renting(&web, "a").await;
    let waiting = fleet.until(&id, is_deferred).await;
    let stop = pap_runtime::store::RequestStop { key: waiting.key, proof: None };
    drop(fleet.store.request_stop(stop).await.unwrap());
    let _worker = fleet.node(|builder| builder.role(Role::Perform)).await;
    assert_eq!(fleet.ended(&id).await.state, State::Cancelled);
    assert_eq!(fleet.yard.effects(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_waits_is_not_asked_about_however_long_it_waits() {
    let fleet = Fleet::new();
    let web = fleet.node(|builder| builder.role(Role::Serve)).await;
    let (id, _confirming) = fleet.renting(&web, "a").await;
    fleet.until(&id, is_deferred).await;
    fleet.clock.advance(std::time::Duration::from_secs(24 * 3600));
    let life = pap_runtime::store::Life([9; 16]);
    fleet.store.begin_life(life).await.unwrap();
    fleet.store.end_life(life).await.unwrap();
    assert_eq!(web.ask_due().await.unwrap(), 0);
    assert!(is_deferred(&fleet.stored(&id).await));
}

#[tokio::test(start_paused = true)]
async fn a_full_action_holds_up_no_other_action() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder.limits(ACTION, Limits::new().perform(1))).await;
    fleet.yard.slow.store(true, Ordering::SeqCst);
    let (_, _one) = fleet.renting(&node, "a").await;
    fleet.yard.started.notified().await;
    let (waits, _two) = fleet.renting(&node, "b").await;
    fleet.until(&waits, is_deferred).await;
    let washing = node
        .propose::<crate::fleet::wash>(&fleet.ada, crate::fleet::WashTerms { car: "a".into() })
        .await
        .unwrap();
    let done = fleet.confirm(&node, &washing.operation_id).await.unwrap();
    assert_eq!(done.state, State::Succeeded);
    fleet.yard.let_go.notify_one();
    until("the second handler runs", || fleet.yard.running.load(Ordering::SeqCst) == 1).await;
    fleet.yard.let_go.notify_one();
    assert_eq!(fleet.ended(&waits).await.state, State::Succeeded);
}
