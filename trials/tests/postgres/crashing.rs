//! Acknowledgements that are lost: connections that are cut, servers that are killed, under claims.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{ErrorKind, FinishBy, Proposed, Store as _, Stored, Written};
use pap_trials::cluster::Cluster;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::draft::{claim_of, done, finish, key, now, operation, propose, proposed, take, ticket};
use crate::server::{PATIENCE, connection};

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

/// How far performers and those who make trouble have come: neither is done before the other has begun, however
/// slow the machine makes one of them.
#[derive(Default)]
struct Pace {
    claims: AtomicU32,
    troubles: AtomicU32,
    waiting: AtomicU32,
}

impl Pace {
    /// A performer's half-way: from here on it goes when there was so much trouble.
    async fn halfway(&self, troubles: u32) {
        if self.troubles.load(Ordering::SeqCst) >= troubles {
            return;
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while self.troubles.load(Ordering::SeqCst) < troubles {
            sleep(Duration::from_millis(5)).await;
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    /// The next trouble: when so many more have claimed since the last one, or performers wait for it.
    async fn next_trouble(&self, claims: u32) {
        let least = self.claims.load(Ordering::SeqCst) + claims;
        while self.claims.load(Ordering::SeqCst) < least && self.waiting.load(Ordering::SeqCst) == 0
        {
            sleep(Duration::from_millis(1)).await;
        }
    }
}

/// Performers claim and finish operations `1..=many` until all of them were tried, while `trouble` is made, so
/// often at least.
async fn under(
    nodes: &[Postgres],
    many: u32,
    (pace, least): (&Arc<Pace>, u32),
    trouble: impl Future<Output = ()>,
) -> Told {
    let next = Arc::new(AtomicU32::new(1));
    let mut performers = JoinSet::new();
    for (who, node) in (1_u32..).zip(nodes.iter().cycle().take(24)) {
        let (node, next, pace) = (node.clone(), Arc::clone(&next), Arc::clone(pace));
        performers.spawn(async move {
            let mut told = Told::default();
            loop {
                let number = next.fetch_add(1, Ordering::SeqCst).div_ceil(2);
                if number > many {
                    return told;
                }
                if number > many / 2 {
                    pace.halfway(least).await;
                }
                match node.claim(claim_of(number, who)).await {
                    Ok(Written::Done(_)) => {
                        told.claimed.entry(number).or_default().push(who);
                        pace.claims.fetch_add(1, Ordering::SeqCst);
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
    let end = Instant::now() + PATIENCE;
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
    let end = Instant::now() + 2 * PATIENCE;
    for number in 1..=many {
        if told.claimed.contains_key(&number) {
            continue;
        }
        loop {
            let stored = read(store, number).await;
            match stored.running {
                Some(running) if running.performing => {
                    assert!(Instant::now() < end, "operation {number} is performed by nobody");
                    // a cut that is still on its way may meet this too
                    drop(store.take_askable(take()).await);
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
    let client = connection(&cluster).await;
    let pace = Arc::new(Pace::default());
    let cutting = async {
        let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                   WHERE application_name = 'pap-runtime'";
        loop {
            pace.next_trouble(10).await;
            let cuts: i64 = client.query_one(cut, &[]).await.unwrap().get(0);
            pace.troubles.fetch_add(u32::from(cuts > 0), Ordering::SeqCst);
        }
    };
    let told = under(&nodes, MANY, (&pace, 11), cutting).await;
    let cuts = || cluster.log().matches("terminating connection due to administrator").count();
    let end = Instant::now() + PATIENCE;
    while cuts() <= 10 {
        assert!(Instant::now() < end, "connections were cut");
        sleep(Duration::from_millis(20)).await;
    }
    let cuts = cuts();
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
    let ended = Arc::new(AtomicBool::new(false));
    let pace = Arc::new(Pace::default());
    let killing = std::thread::spawn({
        let (ended, pace) = (Arc::clone(&ended), Arc::clone(&pace));
        move || {
            while !ended.load(Ordering::SeqCst) && pace.troubles.load(Ordering::SeqCst) < KILLS {
                std::thread::sleep(Duration::from_millis(150));
                cluster.stop_immediate().unwrap();
                cluster.restart().unwrap();
                pace.troubles.fetch_add(1, Ordering::SeqCst);
            }
            cluster
        }
    });
    let told = under(&nodes, MANY, (&pace, 2), std::future::pending()).await;
    ended.store(true, Ordering::SeqCst);
    let cluster = killing.join().unwrap();
    let killed = pace.troubles.load(Ordering::SeqCst);
    println!(
        "{killed} kills: {} claimed, {} finished, {} unknown, {} refused",
        told.claimed.len(),
        told.finished.len(),
        told.unknown,
        told.refused
    );
    assert!(killed >= 2, "the server was killed");
    compare(&nodes[0], MANY, &told).await;
    // the last kill may have come after its last connection was used
    let end = Instant::now() + PATIENCE;
    let mut number = MANY;
    loop {
        number += 1;
        match nodes[1].propose(operation(number, now())).await {
            Ok(proposed) => break assert_eq!(proposed, Proposed::New),
            Err(error) => assert!(Instant::now() < end, "{error}"),
        }
    }
    drop(cluster);
}

/// E12: a server that stands still is not waited for without end; when it goes on, what was confirmed
/// meanwhile is on record at most once, and performed by nobody who was not told so. Row E12.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_stands_still_is_unknown_and_then_goes_on() {
    let cluster = Cluster::start().unwrap();
    let config = Config::at(cluster.url()).single_node();
    let patient = Postgres::connect(config.clone()).await.unwrap();
    let store = Postgres::connect(config.answer_within(Duration::from_secs(2))).await.unwrap();
    proposed(&patient, 2).await;
    assert!(done(&patient.claim(claim_of(1, 1)).await.unwrap()));
    // claims and ends have their connections once one of each was answered in time
    let end = Instant::now() + PATIENCE;
    for number in 3.. {
        assert!(Instant::now() < end, "the server answers");
        propose(&patient, operation(number, now())).await;
        let claimed = store.claim(claim_of(number, 1)).await;
        let by = FinishBy::Performer(ticket(number * 1_000 + 1));
        let ended = store.finish(finish(number, by, State::Succeeded)).await;
        if claimed.is_ok_and(|written| done(&written)) && ended.is_ok_and(|written| done(&written))
        {
            break;
        }
    }
    cluster.sigstop().unwrap();
    let answer = store.claim(claim_of(2, 1)).await;
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Unknown);
    let by = || FinishBy::Performer(ticket(1_001));
    let answer = store.finish(finish(1, by(), State::Succeeded)).await;
    // after an answer was lost nothing is sent before the server has answered again
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::NotWritten);
    cluster.sigcont().unwrap();

    let end = Instant::now() + PATIENCE;
    loop {
        // the performer keeps its answer, and tries again for as long as it lives
        match store.finish(finish(1, by(), State::Succeeded)).await {
            Ok(Written::Done(_) | Written::NotNow) => break,
            _ => assert!(Instant::now() < end, "the server goes on"),
        }
    }
    assert_eq!(patient.read(&key(1)).await.unwrap().unwrap().state, State::Succeeded);
    loop {
        let stored = patient.read(&key(2)).await.unwrap().unwrap();
        if stored.state == State::Proposed || stored.running.is_some_and(|r| !r.performing) {
            break;
        }
        assert!(Instant::now() < end, "nobody performs operation 2");
        drop(store.take_askable(take()).await);
    }
}
