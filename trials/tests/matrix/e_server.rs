//! E: rows that need a server, or files, of their own.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::sqlite::Sqlite;
use pap_trials::cluster::Cluster;
use pap_trials::place::Place;
use serde_json::json;

use crate::trial::{Asked, PATIENCE, Trial};

/// A trial over this place.
async fn over(place: impl FnOnce(&Path) -> Place) -> Trial {
    let folder = tempfile::tempdir().unwrap();
    Trial::over(place(folder.path()), folder).await
}

/// Performed after the copy was made, it is performed by nobody once the copy is in use.
async fn is_performed_once(trial: &Trial, asked: &Asked) {
    let node = trial.node().await;
    assert_eq!(trial.confirm(&node, asked).await.state(), "expired");
    assert_eq!(trial.effects(asked), 1);
    let again = trial.ask(&node, "fenced", json!({})).await;
    assert_ne!(again.id, asked.id);
    assert_eq!(trial.confirm(&node, &again).await.state(), "succeeded");
    node.kill().await.unwrap();
}

/// Nothing is served from it, and the log says why.
async fn is_refused(trial: &Trial) {
    trial.street.armed("").await.expect_err("it does not serve");
    trial.logged("this is not the newest state of the store", 1).await;
}

#[tokio::test]
async fn e4_a_file_from_a_copy_serves_nobody_until_it_is_taken_into_use() {
    let trial = over(|folder| Place::Sqlite(folder.join("operations.db"))).await;
    let file = trial.file("operations.db");
    let beside = |file: &Path, end: &str| PathBuf::from(format!("{}{end}", file.display()));
    let node = trial.node().await;
    let asked = trial.ask(&node, "fenced", json!({})).await;
    node.kill().await.unwrap();
    let copy = trial.file("copy.db");
    for end in ["", "-wal"] {
        std::fs::copy(beside(&file, end), beside(&copy, end)).unwrap();
    }
    let node = trial.node().await;
    assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded");
    node.kill().await.unwrap();
    for end in ["", "-wal"] {
        std::fs::rename(beside(&copy, end), beside(&file, end)).unwrap();
    }
    drop(std::fs::remove_file(beside(&file, "-shm")));

    is_refused(&trial).await;
    Sqlite::restore(&file).unwrap().close().await;
    is_performed_once(&trial, &asked).await;
}

#[tokio::test]
async fn e4_a_server_from_a_backup_serves_nobody_until_it_is_taken_into_use() {
    let mut cluster = Cluster::start().unwrap();
    let trial = over(|_| Place::Postgres(format!("{}#pap", cluster.url()))).await;
    let node = trial.node().await;
    let asked = trial.ask(&node, "fenced", json!({})).await;
    let mut copy = cluster.backup().unwrap();
    assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded");
    node.kill().await.unwrap();
    cluster.stop_immediate().unwrap();
    copy.recover().unwrap();
    copy.take_port_of(&cluster).unwrap();
    copy.restart().unwrap();
    let end = Instant::now() + PATIENCE;
    while copy.psql("SELECT pg_is_in_recovery()").unwrap() != "f" {
        assert!(Instant::now() < end, "it goes through its log");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    is_refused(&trial).await;
    Postgres::restore(Config::at(copy.url()).single_node()).await.unwrap().close();
    is_performed_once(&trial, &asked).await;
}

#[tokio::test]
async fn e11_without_a_connection_a_confirm_is_refused_before_the_claim_and_can_be_repeated() {
    let cluster = Cluster::start().unwrap();
    cluster
        .psql("CREATE ROLE service LOGIN; GRANT CREATE ON DATABASE postgres TO service")
        .unwrap();
    let url = cluster.url().replace("postgres@", "service@");
    let trial = over(|_| Place::Postgres(format!("{url}#pap"))).await;
    let node = trial.node().await;
    let asked = trial.ask(&node, "fenced", json!({})).await;
    let count = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'service'";
    let terminate =
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'service'";
    // whatever it had is gone, and there is no other
    cluster.psql("ALTER ROLE service CONNECTION LIMIT 0").unwrap();
    cluster.psql(terminate).unwrap();
    let end = Instant::now() + PATIENCE;
    while cluster.psql(count).unwrap() != "0" {
        assert!(Instant::now() < end, "its connections end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let refused = trial.confirm(&node, &asked).await;
    assert_eq!((refused.status, refused.error()), (503, "temporarily_unavailable"));
    assert!(refused.retry_after.is_some());
    let state = format!("SELECT state FROM pap.operations WHERE operation_id = '{}'", asked.id);
    assert_eq!(cluster.psql(&state).unwrap(), "proposed");
    assert_eq!(trial.effects(&asked), 0);

    cluster.psql("ALTER ROLE service CONNECTION LIMIT -1").unwrap();
    assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded");
    assert_eq!(trial.effects(&asked), 1);
    let open = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'";
    assert_eq!(cluster.psql(open).unwrap(), "0", "no connection stays in a transaction");
    trial.holds(node).await;
}
