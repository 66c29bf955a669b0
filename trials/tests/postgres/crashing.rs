//! Acknowledgements that are lost: connections that are cut, servers that are killed, under claims.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{ErrorKind, FinishBy, Store as _, Stored, Written};
use pap_trials::cluster::Cluster;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::draft::{claim_of, done, finish, key, now, operation, propose, proposed, take, ticket};

/// What became of the claims that some performers sent.
#[derive(Default)]
struct Told {
    /// Operations, each with the performers that were told to perform it.
    claimed: HashMap<u32, Vec<u32>>,
    /// Operations whose end was acknowledged.
    finished: Vec<u32>,
    /// Answers that said that nobody knows.
    unknown: u32,
    /// Answers that said that nothing was written.
    refused: u32,
}

/// Performers claim and finish operations `1..=many` until all of them were tried, while `trouble` is made.
async fn under(nodes: &[Postgres], many: u32, trouble: impl Future<Output = ()>) -> Told {
    let next = Arc::new(AtomicU32::new(1));
    let mut performers = JoinSet::new();
    for (who, node) in (1_u32..).zip(nodes.iter().cycle().take(24)) {
        let (node, next) = (node.clone(), Arc::clone(&next));
        performers.spawn(async move {
            let mut told = Told::default();
            loop {
                let number = next.fetch_add(1, Ordering::SeqCst).div_ceil(2);
                if number > many {
                    return told;
                }
                match node.claim(claim_of(number, who)).await {
                    Ok(Written::Done(_)) => {
                        told.claimed.entry(number).or_default().push(who);
                        let by = FinishBy::Performer(ticket(number * 1_000 + who));
                        let end = finish(number, by, State::Succeeded);
                        match node.finish(end).await {
                            Ok(written) => {
                                assert!(done(&written), "nobody else ends operation {number}");
                                told.finished.push(number);
                            }
                            Err(error) => assert_ne!(error.kind(), ErrorKind::Corrupt, "{error}"),
                        }
                    }
                    Ok(_) => {}
                    Err(error) if error.kind() == ErrorKind::Unknown => told.unknown += 1,
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::NotWritten, "{error}");
                        told.refused += 1;
                        sleep(Duration::from_millis(20)).await;
                    }
                }
            }
        });
    }
    let performing = async {
        let mut all = Told::default();
        while let Some(told) = performers.join_next().await {
            let told = told.unwrap();
            for (number, who) in told.claimed {
                all.claimed.entry(number).or_default().extend(who);
            }
            all.finished.extend(told.finished);
            all.unknown += told.unknown;
            all.refused += told.refused;
        }
        all
    };
    tokio::select! {
        told = performing => told,
        () = async { trouble.await; std::future::pending().await } => unreachable!(),
    }
}

/// What is on record about an operation. A cut that is still on its way may meet a few of the first reads.
async fn read(store: &Postgres, number: u32) -> Stored {
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        match store.read(&key(number)).await {
            Ok(stored) => return stored.unwrap(),
            Err(error) => assert!(Instant::now() < end, "{error}"),
        }
        sleep(Duration::from_millis(20)).await;
    }
}

/// Compares what was answered with what is on record: nothing that was acknowledged is missing, nothing was
/// given to two, and what nobody performs is asked about.
async fn compare(store: &Postgres, many: u32, told: &Told) {
    for (number, who) in &told.claimed {
        assert_eq!(who.len(), 1, "operation {number} was given to {who:?}");
        let stored = read(store, *number).await;
        assert!(stored.confirmed.is_some(), "operation {number} was claimed");
    }
    for number in &told.finished {
        let state = read(store, *number).await.state;
        assert_eq!(state, State::Succeeded, "the end of operation {number} was acknowledged");
    }
    let end = Instant::now() + Duration::from_secs(60);
    for number in 1..=many {
        if told.claimed.contains_key(&number) {
            continue;
        }
        loop {
            let stored = read(store, number).await;
            match stored.running {
                Some(running) if running.performing => {
                    assert!(Instant::now() < end, "operation {number} is performed by nobody");
                    drop(store.take_askable(take()).await.unwrap());
                    sleep(Duration::from_millis(10)).await;
                }
                Some(_) => break,
                None => {
                    assert_eq!(
                        stored.state,
                        State::Proposed,
                        "operation {number} was never claimed"
                    );
                    break;
                }
            }
        }
    }
}

/// A5, C8: connections that are cut under claims cost nothing but time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn cut_connections_lose_and_double_nothing() {
    const MANY: u32 = 1_500;
    let cluster = Cluster::start().unwrap();
    let config = Config::at(cluster.url()).single_node();
    let nodes = [
        Postgres::connect(config.clone()).await.unwrap(),
        Postgres::connect(config).await.unwrap(),
    ];
    proposed(&nodes[0], MANY).await;
    let cluster = Arc::new(cluster);
    let cutting = {
        let cluster = Arc::clone(&cluster);
        async move {
            loop {
                let cluster = Arc::clone(&cluster);
                let cut = tokio::task::spawn_blocking(move || {
                    cluster.psql(
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                         WHERE application_name = 'pap-runtime'",
                    )
                });
                cut.await.unwrap().unwrap();
                sleep(Duration::from_millis(15)).await;
            }
        }
    };
    let told = under(&nodes, MANY, cutting).await;
    let cuts = cluster.log().matches("terminating connection due to administrator").count();
    assert!(cuts > 10, "connections were cut");
    assert!(told.claimed.len() > 100, "{} were claimed", told.claimed.len());
    println!(
        "{cuts} cuts: {} claimed, {} finished, {} unknown, {} refused",
        told.claimed.len(),
        told.finished.len(),
        told.unknown,
        told.refused
    );
    compare(&nodes[0], MANY, &told).await;
}

/// E1, A5, C8: a server that is killed again and again under claims loses nothing that was acknowledged,
/// and nothing is given to two. Row E1.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_is_killed_again_and_again_loses_and_doubles_nothing() {
    const MANY: u32 = 6_000;
    const KILLS: u32 = 8;
    let mut cluster = Cluster::start().unwrap();
    let config = Config::at(cluster.url()).single_node();
    let nodes = [
        Postgres::connect(config.clone()).await.unwrap(),
        Postgres::connect(config).await.unwrap(),
    ];
    proposed(&nodes[0], MANY).await;
    let killed = AtomicU32::new(0);
    let (told, cluster) = {
        let ended = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&ended);
        let kills = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&kills);
        let killing = std::thread::spawn(move || {
            while !stop.load(Ordering::SeqCst) && count.load(Ordering::SeqCst) < KILLS {
                std::thread::sleep(Duration::from_millis(150));
                cluster.stop_immediate().unwrap();
                cluster.restart().unwrap();
                count.fetch_add(1, Ordering::SeqCst);
            }
            cluster
        });
        let told = under(&nodes, MANY, std::future::pending()).await;
        ended.store(true, Ordering::SeqCst);
        let cluster = killing.join().unwrap();
        killed.store(kills.load(Ordering::SeqCst), Ordering::SeqCst);
        (told, cluster)
    };
    println!(
        "{killed:?} kills: {} claimed, {} finished, {} unknown, {} refused",
        told.claimed.len(),
        told.finished.len(),
        told.unknown,
        told.refused
    );
    assert!(killed.load(Ordering::SeqCst) > 0, "the server was killed");
    compare(&nodes[0], MANY, &told).await;
    propose(&nodes[1], operation(MANY + 1, now())).await;
    drop(cluster);
}

/// E12: a server that stands still is not waited for without end; when it goes on, what was confirmed
/// meanwhile is on record at most once, and performed by nobody who was not told so. Row E12.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_stands_still_is_unknown_and_then_goes_on() {
    let cluster = Cluster::start().unwrap();
    let config = Config::at(cluster.url()).single_node().answer_within(Duration::from_secs(2));
    let store = Postgres::connect(config).await.unwrap();
    proposed(&store, 3).await;
    for number in [1, 3] {
        assert!(done(&store.claim(claim_of(number, 1)).await.unwrap()));
    }
    // each has its connection by then
    let by = FinishBy::Performer(ticket(3_001));
    assert!(done(&store.finish(finish(3, by, State::Succeeded)).await.unwrap()));
    cluster.sigstop().unwrap();
    let answer = store.claim(claim_of(2, 1)).await;
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Unknown);
    let by = || FinishBy::Performer(ticket(1_001));
    let answer = store.finish(finish(1, by(), State::Succeeded)).await;
    // after an answer was lost nothing is sent before the server has answered again
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::NotWritten);
    cluster.sigcont().unwrap();

    let end = Instant::now() + Duration::from_secs(30);
    loop {
        // the performer keeps its answer, and tries again for as long as it lives
        match store.finish(finish(1, by(), State::Succeeded)).await {
            Ok(Written::Done(_) | Written::NotNow) => break,
            _ => assert!(Instant::now() < end, "the server goes on"),
        }
    }
    assert_eq!(store.read(&key(1)).await.unwrap().unwrap().state, State::Succeeded);
    loop {
        let stored = store.read(&key(2)).await.unwrap().unwrap();
        if stored.state == State::Proposed || stored.running.is_some_and(|r| !r.performing) {
            break;
        }
        assert!(Instant::now() < end, "nobody performs operation 2");
        drop(store.take_askable(take()).await);
    }
}
