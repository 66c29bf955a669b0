//! Without anybody asking: proposals expire, what hung on them is released, old operations go.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{Cursor, EventKind};
use pap_runtime::{Refusal, ReleasedBecause, State};

use crate::fleet::{Fleet, until};
use crate::shop::clock;

/// B3
#[tokio::test(start_paused = true)]
async fn a_proposal_expires_and_its_hold_is_released_though_nobody_asks() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let id = fleet.propose(&node, "a", 3).await.operation_id;
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(fleet.stored(&id).await.state, State::Proposed, "it is still in time");
    fleet.clock.advance(Duration::from_secs(15 * 60 + 1));
    assert_eq!(fleet.ended(&id).await.state, State::Expired);
    until("the hold is released", || !fleet.yard.released().is_empty()).await;
    assert_eq!(fleet.yard.released(), [("a".to_owned(), 3, ReleasedBecause::Expired)]);
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(fleet.yard.released().len(), 1, "once is enough where it was taken");
}

#[tokio::test(start_paused = true)]
async fn each_revision_that_is_not_performed_is_released_with_its_own_terms() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    fleet.propose(&node, "a", 2).await;
    fleet.propose(&node, "a", 3).await;
    node.cancel(&fleet.ada, id.as_str()).await.unwrap();
    let performed = fleet.propose(&node, "b", 9).await.operation_id;
    fleet.confirm(&node, &performed).await.unwrap();
    until("all are released", || fleet.yard.released().len() == 3).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let mut released = fleet.yard.released();
    released.sort_by_key(|(_, days, _)| *days);
    let expected = [
        ("a".to_owned(), 1, ReleasedBecause::Revised),
        ("a".to_owned(), 2, ReleasedBecause::Revised),
        ("a".to_owned(), 3, ReleasedBecause::Cancelled),
    ];
    assert_eq!(released, expected, "and nothing of what was performed");
}

#[tokio::test(start_paused = true)]
async fn a_release_that_fails_is_told_again_until_it_is_taken() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    fleet.yard.refuses.store(5, Ordering::SeqCst);
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    node.cancel(&fleet.ada, id.as_str()).await.unwrap();
    for _ in 0..200 {
        fleet.clock.advance(Duration::from_secs(60));
        tokio::time::sleep(Duration::from_secs(5)).await;
        if !fleet.yard.released().is_empty() {
            break;
        }
    }
    assert_eq!(fleet.yard.released(), [("a".to_owned(), 1, ReleasedBecause::Cancelled)]);
    let history = node.history(&id).await.unwrap();
    let told = history.events.iter().filter(|event| event.kind == EventKind::Released);
    assert_eq!(told.count(), 1);
}

/// However many releases hang, a few are told at a time, expiry is recorded and what is old goes meanwhile.
#[tokio::test(start_paused = true)]
async fn nothing_waits_for_releases_that_hang() {
    let fleet = Fleet::new();
    let within = Duration::from_secs(3600);
    let node = fleet.node(|builder| builder.release_within(within)).await;
    let done = fleet.propose(&node, "done", 1).await.operation_id;
    fleet.confirm(&node, &done).await.unwrap();
    fleet.yard.hangs.store(true, Ordering::SeqCst);
    for car in 0..40 {
        let id = fleet.propose(&node, &format!("car {car}"), 1).await.operation_id;
        node.cancel(&fleet.ada, id.as_str()).await.unwrap();
    }
    until("releases hang", || fleet.yard.telling.load(Ordering::SeqCst) > 0).await;
    let late = fleet.propose(&node, "late", 1).await.operation_id;
    fleet.clock.advance(Duration::from_secs(31 * 24 * 3600));
    let begun = tokio::time::Instant::now();
    assert_eq!(fleet.ended(&late).await.state, State::Expired, "it is recorded");
    for _ in 0..1000 {
        if node.history(&done).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(node.history(&done).await.is_err(), "and what is kept no longer goes");
    assert!(begun.elapsed() < within, "all that while they hang");
    assert!(fleet.yard.telling.load(Ordering::SeqCst) > 0, "they still do");
    assert!(fleet.yard.most_telling.load(Ordering::SeqCst) <= 16, "a few at a time");
}

/// What one go does not tell of, the next does, and at once.
#[tokio::test(start_paused = true)]
async fn many_releases_are_told_without_a_pause_in_between() {
    let fleet = Fleet::new();
    let wait = Duration::from_secs(3600);
    let node = fleet.node(|builder| builder.sweep_every(wait)).await;
    for car in 0..40 {
        let id = fleet.propose(&node, &format!("car {car}"), 1).await.operation_id;
        node.cancel(&fleet.ada, id.as_str()).await.unwrap();
    }
    let begun = tokio::time::Instant::now();
    tokio::time::sleep(wait).await;
    until("all are told", || fleet.yard.released().len() == 40).await;
    assert!(begun.elapsed() < wait + Duration::from_secs(60), "with the first sweep");
}

/// E19 E20 OPS-3.2-6 Row E20
#[tokio::test(start_paused = true)]
async fn a_final_operation_goes_after_its_time_and_one_in_progress_never() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let done = fleet.propose(&node, "a", 1).await.operation_id;
    fleet.confirm(&node, &done).await.unwrap();
    fleet.yard.started.notified().await;
    fleet.yard.slow.store(true, Ordering::SeqCst);
    let (stuck, _confirming) = fleet.renting(&node, "b").await;
    fleet.yard.started.notified().await;
    fleet.clock.advance(Duration::from_secs(29 * 24 * 3600));
    tokio::time::sleep(Duration::from_secs(30)).await;
    node.read(&fleet.ada, done.as_str()).await.unwrap();

    fleet.clock.advance(Duration::from_secs(2 * 24 * 3600));
    tokio::time::sleep(Duration::from_secs(30)).await;
    let gone = node.read(&fleet.ada, done.as_str()).await.unwrap_err();
    assert!(matches!(gone, Refusal::OperationNotFound), "{gone:?}");
    let confirmed = fleet.confirm(&node, &done).await.unwrap_err();
    assert!(matches!(confirmed, Refusal::OperationNotFound), "an old approval hits nothing");
    assert_eq!(node.read(&fleet.ada, stuck.as_str()).await.unwrap().state, State::InProgress);
    assert_eq!(fleet.yard.effects(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_feed_tells_every_event_once_in_the_order_of_its_operation() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let mut ids = Vec::new();
    for car in 0..7 {
        let id = fleet.propose(&node, &format!("car {car}"), 1).await.operation_id;
        fleet.confirm(&node, &id).await.unwrap();
        ids.push(id);
    }
    let (mut seen, mut after) = (Vec::new(), Cursor::START);
    loop {
        let feed = node.events(after, 4).await.unwrap();
        // a cursor is kept as text
        after = feed.next.to_string().parse().unwrap();
        if feed.events.is_empty() {
            break;
        }
        seen.extend(feed.events);
    }
    assert_eq!(seen.len(), 21);
    for id in ids {
        let kinds: Vec<_> = seen.iter().filter(|event| event.id == id).map(|e| e.kind).collect();
        assert_eq!(kinds, [EventKind::Proposed, EventKind::Confirmed, EventKind::Ended]);
    }
    let again = node.events(after, 10).await.unwrap();
    assert!(again.events.is_empty(), "what was read is not told again");
    let foreign = node.events(Cursor::at("another store"), 10).await;
    assert!(foreign.is_err());
}

/// What cannot be read is left out, and keeps nobody from hearing of the others at once.
#[tokio::test(flavor = "multi_thread")]
async fn releases_that_cannot_be_read_do_not_end_the_round() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let clock = clock();
    let open = || Arc::new(Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap());
    let fleet = Fleet::on(open(), clock.clone());
    let node = fleet.node(|builder| builder).await;
    for car in 0..100 {
        fleet.propose(&node, &format!("car {car}"), 1).await;
    }
    node.close().await.unwrap();
    drop((node, fleet));
    let by_hand = rusqlite::Connection::open(&path).unwrap();
    by_hand
        .execute_batch(
            "DROP TRIGGER a_revision_is_fixed;
             UPDATE revisions SET digest = zeroblob(32) WHERE operation IN
                 (SELECT key FROM operations ORDER BY key LIMIT 64)",
        )
        .unwrap();
    drop(by_hand);
    clock.advance(Duration::from_secs(15 * 60 + 1));
    let fleet = Fleet::on(open(), clock);
    let _node = fleet.node(|builder| builder.sweep_every(Duration::from_secs(3600))).await;
    until("the others are released", || fleet.yard.released().len() == 36).await;
}
