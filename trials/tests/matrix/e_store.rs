//! E: store and machine.

use std::time::Duration;

use pap_trials::place::Place;
use rusqlite::Connection;
use serde_json::json;

use crate::trial::{HOUR_MS, Trial, on_a_clock, trials, until};

/// The file of a trial on SQLite; rows that are about that file have nothing to do elsewhere.
fn file(trial: &Trial) -> Option<&std::path::Path> {
    match &trial.street.options.place {
        Place::Sqlite(path) => Some(path),
        Place::Postgres(_) => None,
    }
}

/// The store says that it is full at the claim: whatever a device says, nothing is performed without it.
#[tokio::test]
async fn e5_a_store_that_is_full_at_the_claim_is_told_as_unavailable_and_performs_nothing() {
    for trial in trials().await {
        // a file's writer tries each write twice: together with others, and alone
        let many = if file(&trial).is_some() { 6 } else { 3 };
        let refusals: Vec<String> =
            (1..=many).map(|passage| format!("store.claim.within=error@{passage}")).collect();
        let node = trial.armed(&refusals.join(",")).await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        for _ in 0..3 {
            let refused = trial.confirm(&node, &asked).await;
            assert_eq!((refused.status, refused.error()), (503, "temporarily_unavailable"));
            assert!(refused.retry_after.is_some_and(|seconds| seconds >= 1));
            assert_eq!(trial.read(&node, &asked).await.state(), "proposed", "reading goes on");
        }
        assert_eq!(trial.effects(&asked), 0);
        assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded");
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

/// The store says that it is full when the effect has happened: nothing final is told that is not durable.
#[tokio::test]
async fn e6_a_store_that_is_full_at_the_finish_is_told_as_in_progress_and_tried_again() {
    for mut trial in trials().await {
        trial.street.options.answer_within = Duration::from_millis(20);
        // a file's writer tries each write twice: together with others, and alone
        let many = if file(&trial).is_some() { 8 } else { 4 };
        // and then it takes as long as the test says
        let refuses = |until: &str| {
            let refusals = (1..=many).map(|passage| format!("store.finish.within=error@{passage}"));
            let at_last =
                format!("store.finish.within=hang:{}@{}", trial.file(until).display(), many + 1);
            refusals.chain([at_last]).collect::<Vec<String>>().join(",")
        };
        let node = trial.armed(&refuses("there is room")).await;
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        let answer = trial.confirm(&node, &asked).await;
        assert_eq!(answer.state(), "in_progress");
        assert!(answer.retry_after.is_some_and(|seconds| seconds >= 1));
        trial.logged("the store did not take how it ended", 2).await;
        assert_eq!(trial.read(&node, &asked).await.state(), "in_progress");
        trial.let_go("there is room");
        assert_eq!(trial.until(&node, &asked, "succeeded").await.status, 200);
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;

        // and if the process dies before the store takes it, it is asked about
        let node = trial.armed(&refuses("never")).await;
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        trial.confirm(&node, &asked).await;
        until("its effect", async || trial.effects(&asked) == 1).await;
        assert_eq!(trial.read(&node, &asked).await.state(), "in_progress");
        node.kill().await.unwrap();
        let node = trial.node().await;
        trial.until(&node, &asked, "succeeded").await;
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

/// Another program holds the database: a claim is refused in bounded time, and nothing is performed.
#[tokio::test]
async fn e7_a_claim_against_a_held_lock_is_refused_and_can_be_repeated() {
    for trial in trials().await {
        let Some(path) = file(&trial) else { continue };
        let node = trial.node().await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        let holds = Connection::open(path).unwrap();
        holds.execute_batch("BEGIN IMMEDIATE").unwrap();
        let refused = trial.confirm(&node, &asked).await;
        assert_eq!((refused.status, refused.error()), (503, "temporarily_unavailable"));
        assert!(refused.retry_after.is_some());
        assert_eq!(trial.read(&node, &asked).await.state(), "proposed", "reading goes on");
        assert_eq!(trial.effects(&asked), 0);
        holds.execute_batch("ROLLBACK").unwrap();
        assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded");
        assert_eq!(trial.effects(&asked), 1);
        drop(holds);
        trial.holds(node).await;
    }
}

/// The lock of the file lasts through a pause, and ends with the process however that ends.
#[tokio::test]
async fn e8_a_second_process_is_refused_also_while_the_first_is_paused() {
    for trial in trials().await {
        if file(&trial).is_none() {
            continue;
        }
        let first = trial.node().await;
        first.pause().unwrap();
        first.until_stopped().await.unwrap();
        assert!(trial.street.armed("").await.is_err(), "it did not start");
        assert!(trial.log().contains("is in use"), "{}", trial.log());
        first.go_on().unwrap();
        let asked = trial.ask(&first, "fenced", json!({})).await;
        assert_eq!(trial.confirm(&first, &asked).await.state(), "succeeded");
        first.kill().await.unwrap();
        let second = trial.node().await;
        assert_eq!(trial.read(&second, &asked).await.state(), "succeeded");
        trial.holds(second).await;
    }
}

/// A reader that holds an old snapshot keeps the log from being put into the file; serving goes on, and
/// when the reader is gone the log is bounded again.
#[tokio::test]
async fn e10_serving_goes_on_while_a_reader_holds_the_log() {
    for trial in trials().await {
        let Some(path) = file(&trial) else { continue };
        let node = trial.node().await;
        trial.ask(&node, "fenced", json!({})).await;
        let reader = Connection::open(path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM operations").unwrap();
        for _ in 0..20 {
            let asked = trial.ask(&node, "fenced", json!({})).await;
            assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded");
        }
        let log = path.with_extension("db-wal");
        let held = std::fs::metadata(&log).unwrap().len();
        assert!(held > 0);
        reader.execute_batch("COMMIT").unwrap();
        drop(reader);
        assert!(node.end().await.unwrap().success());
        until("the log to be put away", async || {
            std::fs::metadata(&log).map_or(0, |log| log.len()) < held
        })
        .await;
        trial.compares().await;
    }
}

#[tokio::test]
async fn e13_a_clock_that_jumps_ahead_asks_early_and_performs_nothing_more() {
    for trial in trials().await.into_iter().map(on_a_clock) {
        if file(&trial).is_none() {
            continue;
        }
        let points = [("handler.before_effect", "goes on"), ("handler.after_effect", "ends")];
        let node = trial.waiting_at_each(&points).await;
        let performed = trial.ask(&node, "unfenced", json!({})).await;
        let unknown = trial.ask(&node, "fenced", json!({ "how": "lost" })).await;
        let proposed = trial.ask(&node, "fenced", json!({})).await;
        // one has not begun its effect when the clock jumps, and of the other nobody has heard how it ended
        let mut confirms = Vec::new();
        for (asked, point) in
            [(&performed, "handler.before_effect"), (&unknown, "handler.after_effect")]
        {
            confirms.push(trial.confirming(&node, asked));
            trial.reached(point, 1).await;
        }
        trial.set_apart(HOUR_MS);
        let later = trial.agent().ahead(HOUR_MS / 1_000);
        let expired = later.confirm(node.address(), &proposed.id, 1).await.unwrap();
        assert_eq!(expired.state(), "expired", "by the store's clock");
        let read = later.read(node.address(), &performed.id).await.unwrap();
        assert_eq!(read.state(), "in_progress");
        trial.let_go("goes on");
        trial.let_go("ends");
        for confirm in confirms {
            drop(confirm.await.unwrap());
        }
        for asked in [&performed, &unknown] {
            let ended = later.until_ended(node.address(), &asked.id).await.unwrap();
            assert_eq!(ended.state(), "succeeded");
            assert_eq!(trial.effects(asked), 1);
        }
        assert_eq!(trial.effects(&proposed), 0);
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn e14_what_has_expired_stays_so_when_the_clock_jumps_back() {
    for trial in trials().await.into_iter().map(on_a_clock) {
        if file(&trial).is_none() {
            continue;
        }
        trial.set_apart(HOUR_MS);
        let node = trial.node().await;
        let ahead = trial.agent().ahead(HOUR_MS / 1_000);
        let request = json!({ "item": "seen", "expires_ms": 1 });
        let seen = ahead.propose(node.address(), "fenced", &request).await.unwrap();
        let request = json!({ "item": "unseen", "expires_ms": 50 });
        let unseen = ahead.propose(node.address(), "fenced", &request).await.unwrap();
        let (seen, unseen) = (seen.id().unwrap(), unseen.id().unwrap());
        let expired = ahead.until_ended(node.address(), seen).await.unwrap();
        // time that the store has told on, after the last moment of the one that nobody looked at
        let after = json!({ "item": "after", "expires_ms": 100 });
        let after = ahead.propose(node.address(), "fenced", &after).await.unwrap();
        ahead.until_ended(node.address(), after.id().unwrap()).await.unwrap();

        trial.set_apart(0);
        let confirms = async |node: &str| {
            let seen = trial.agent().confirm(node, seen, 1).await.unwrap();
            assert_eq!(seen.json, expired.json);
            let unseen_now = trial.agent().confirm(node, unseen, 1).await.unwrap();
            assert_eq!((unseen_now.status, unseen_now.state()), (200, "expired"));
        };
        confirms(node.address()).await;
        node.kill().await.unwrap();
        // a new process goes on from the newest moment that is on record
        let node = trial.node().await;
        confirms(node.address()).await;
        assert_eq!(trial.street.effects(unseen, "effect").unwrap(), 0);
        trial.holds(node).await;
    }
}
