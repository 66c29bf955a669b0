//! Callers that go away.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::store::postgres::Postgres;
use pap_runtime::store::{FinishBy, Store as _};
use tokio::time::{Instant, sleep, timeout};

use crate::draft::{claim, done, finish, key, now, operation, propose, proposed, take, ticket};
use crate::server::{PATIENCE, fresh};

/// E11: a future that is dropped at whatever point leaves every connection usable, and no claim that
/// somebody performs.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_goes_away_leaves_nothing_half_done() {
    const MANY: u32 = 150;
    let store = Postgres::connect(fresh().connections(2)).await.unwrap();
    proposed(&store, MANY).await;
    let mut mine = Vec::new();
    for number in 1..=MANY {
        let patience = Duration::from_micros(u64::from(number) * 20);
        let claimed = timeout(patience, store.claim(claim(number, ticket(number)))).await;
        if claimed.is_ok_and(|answer| done(&answer.unwrap())) {
            mine.push(number);
        }
        drop(timeout(patience, store.propose(operation(MANY + number, now()))).await);
        drop(timeout(patience, store.history(&key(number))).await);
        drop(timeout(patience, store.read(&key(number))).await);
    }
    // every connection of the pool still begins and ends its own transactions
    for number in 0..8 {
        propose(&store, operation(10_000 + number, now())).await;
    }
    // a claim that was answered is its caller's; every other one is asked about
    let end = Instant::now() + PATIENCE;
    for number in 1..=MANY {
        loop {
            let stored = store.read(&key(number)).await.unwrap().unwrap();
            let performed = stored.running.is_some_and(|running| running.performing);
            if !performed || mine.contains(&number) {
                break;
            }
            assert!(Instant::now() < end, "operation {number} is performed by nobody");
            drop(store.take_askable(take()).await.unwrap());
        }
    }
}

/// A claim whose caller went away is nobody's: it is asked about at once, though its process lives.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_claimed_for_nobody_is_asked_about() {
    let store = Postgres::connect(fresh()).await.unwrap();
    proposed(&store, 20).await;
    for number in 1..=20 {
        let mut claiming = store.claim(claim(number, ticket(number)));
        // once, and no more: handed over, and nobody is there when it is answered
        let answered = poll_fn(|cx| Poll::Ready(claiming.as_mut().poll(cx).is_ready())).await;
        assert!(!answered, "a server takes its time");
    }
    let end = Instant::now() + PATIENCE;
    let mut asked = BTreeSet::new();
    while asked.len() < 20 {
        let taken = store.take_askable(take()).await.unwrap();
        asked.extend(taken.into_iter().map(|question| question.stored.key.id));
        assert!(Instant::now() < end, "what was claimed is asked about: {asked:?}");
    }
    for number in 1..=20 {
        let state = store.read(&key(number)).await.unwrap().unwrap().state;
        assert_eq!(state, State::InProgress);
    }
}

/// A finish stands when its caller has gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_finish_stands_without_its_caller() {
    let store = Postgres::connect(fresh()).await.unwrap();
    proposed(&store, 1).await;
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    let finishing = store.finish(finish(1, FinishBy::Performer(ticket(1)), State::Succeeded));
    drop(timeout(Duration::ZERO, finishing).await);
    let end = Instant::now() + PATIENCE;
    while store.read(&key(1)).await.unwrap().unwrap().state != State::Succeeded {
        assert!(Instant::now() < end, "it was handed over");
        sleep(Duration::from_millis(5)).await;
    }
}
