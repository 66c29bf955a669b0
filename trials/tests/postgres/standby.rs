//! A standby that does not answer.

use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{ErrorKind, Store as _};
use pap_trials::cluster::Cluster;
use tokio::time::{Instant, sleep};

use crate::draft::{claim, done, key, proposed, take, ticket};
use crate::server::{PATIENCE, answers, connection};

/// E3: a commit that the server reports without its standby's word is no success, however it is reported.
/// Row E3.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_commit_without_its_standby_is_unknown() {
    let cluster = Cluster::start().unwrap();
    // its waiting is ended by the server's word, and never by its own patience
    let config = Config::at(cluster.url()).single_node().answer_within(PATIENCE);
    let store = Postgres::connect(config).await.unwrap();
    proposed(&store, 2).await;
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    cluster.psql("ALTER SYSTEM SET synchronous_standby_names = '*'").unwrap();
    cluster.psql("SELECT pg_reload_conf()").unwrap();
    let client = connection(&cluster).await;
    answers(&client, "SELECT current_setting('synchronous_standby_names')", "*").await;

    let claiming = tokio::spawn({
        let store = store.clone();
        async move { store.claim(claim(2, ticket(2))).await }
    });
    // as an impatient operator, or a time-out, would
    let cancel =
        "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    let mut cancelled = 0;
    while !claiming.is_finished() {
        cancelled += client.query_one(cancel, &[]).await.unwrap().get::<_, i64>(0);
        sleep(Duration::from_millis(10)).await;
    }
    assert!(cancelled > 0, "a commit waited for its standby");
    assert!(cluster.log().contains("canceling wait for synchronous replication"));
    let answer = claiming.await.unwrap();
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::Unknown, "no standby has it");
    let read = store.read(&key(2)).await.unwrap_err();
    assert_eq!(read.kind(), ErrorKind::NotWritten, "what a fail-over could take back is not told");
    let there = "SELECT state FROM pap.operations WHERE operation_id = 'exc_2'";
    assert_eq!(cluster.psql(there).unwrap(), "in_progress", "though it is there to be seen");

    cluster.psql("ALTER SYSTEM RESET synchronous_standby_names").unwrap();
    cluster.psql("SELECT pg_reload_conf()").unwrap();
    let end = Instant::now() + PATIENCE;
    loop {
        let asked = store.take_askable(take()).await.unwrap_or_default();
        if asked.iter().any(|asked| asked.stored.key == key(2)) {
            break;
        }
        assert!(Instant::now() < end, "what nobody performs is asked about");
        sleep(Duration::from_millis(50)).await;
    }
    let stored = store.read(&key(2)).await.unwrap().unwrap();
    assert_eq!(stored.state, State::InProgress);
}

/// No answer rests on a replica: neither a new store nor one whose server has become one reads there.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_replica_is_asked_nothing() {
    let mut cluster = Cluster::start().unwrap();
    let config = Config::at(cluster.url()).single_node();
    let store = Postgres::connect(config.clone()).await.unwrap();
    proposed(&store, 1).await;
    cluster.stop_fast().unwrap();
    std::fs::write(cluster.folder().join("data/standby.signal"), "").unwrap();
    cluster.restart().unwrap();
    assert_eq!(cluster.psql("SELECT pg_is_in_recovery()").unwrap(), "t");

    let refused = Postgres::connect(config).await.unwrap_err().to_string();
    assert!(refused.contains("the server is a replica"), "{refused}");
    let read = store.read(&key(1)).await.unwrap_err();
    assert!(read.to_string().contains("replica"), "{read}");
    let answer = store.claim(claim(1, ticket(1))).await;
    assert_eq!(answer.unwrap_err().kind(), ErrorKind::NotWritten);
}
