//! Which servers are trusted with what is confirmed.

use pap_runtime::store::postgres::{Config, Postgres};
use pap_trials::cluster::Cluster;

use crate::server::{fresh, schema, shared};

/// E2: a server whose settings could let it forget is refused, and everything is told at once.
/// Row E2.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_could_forget_is_refused() {
    let lines = ["fsync = off", "full_page_writes = off", "synchronous_commit = off"];
    let cluster = Cluster::start_with(&lines).unwrap();
    let config = Config::at(cluster.url());
    let refused = Postgres::connect(config.clone()).await.unwrap_err().to_string();
    for told in ["fsync", "full_page_writes", "synchronous_commit", "synchronous_standby_names"] {
        assert!(refused.contains(told), "`{told}` in: {refused}");
    }
    let schemas = cluster.psql("SELECT count(*) FROM pg_namespace WHERE nspname = 'pap'").unwrap();
    assert_eq!(schemas, "0", "nothing is made where nothing is trusted");
    assert!(Postgres::connect(config.single_node()).await.is_err(), "no word makes up for it");
}

/// E2: without a standby, the operator has to say what keeps a commit. Row E2.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_without_a_standby_needs_the_operators_word() {
    let config = Config::at(shared().url()).schema(schema());
    let refused = Postgres::connect(config.clone()).await.unwrap_err().to_string();
    assert!(refused.contains(".single_node()"), "{refused}");
    Postgres::connect(config.clone().single_node()).await.unwrap();
    Postgres::connect(config.replicated("the storage below")).await.unwrap();
}

/// A role whose statements are broken off is refused, with what to type; once typed, it is accepted.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_told_to_type_helps() {
    let role = format!("hasty_{}", schema());
    shared()
        .psql(&format!(
            "CREATE ROLE {role} LOGIN SUPERUSER; ALTER ROLE {role} SET statement_timeout = '8s'"
        ))
        .unwrap();
    let url = shared().url().replace("postgres@", &format!("{role}@"));
    let config = Config::at(url).schema(schema()).single_node();
    let refused = Postgres::connect(config.clone()).await.unwrap_err().to_string();
    let typed = format!("ALTER ROLE {role} SET statement_timeout = 0;");
    assert!(refused.contains(&typed), "{refused}");
    shared().psql(&typed).unwrap();
    Postgres::connect(config).await.unwrap();
}

/// A database whose name is somebody else's stays as it is: tables go into a schema of their own.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_is_reached_over_the_socket_too() {
    let config = Config::at(shared().socket_url()).schema(schema()).single_node();
    Postgres::connect(config).await.unwrap();
    drop(fresh());
}
