//! The server that the tests of this program share, each in a schema of its own.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use pap_runtime::store::postgres::Config;
use pap_trials::cluster::Cluster;
use tokio_postgres::{Client, NoTls};

/// The longest that anything is waited for: a machine that is loaded twenty-fold still gets there.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// One server for all tests that leave it running.
pub fn shared() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    SHARED.get_or_init(|| Cluster::start().unwrap())
}

/// A connection that is not a store's.
pub async fn connection(cluster: &Cluster) -> Client {
    let (client, connection) = tokio_postgres::connect(&cluster.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Waits until a statement answers this, and not for ever.
pub async fn answers(client: &Client, statement: &str, answer: &str) {
    let end = tokio::time::Instant::now() + PATIENCE;
    loop {
        let told: String = client.query_one(statement, &[]).await.unwrap().get(0);
        if told == answer {
            return;
        }
        assert!(
            tokio::time::Instant::now() < end,
            "`{statement}` answers {told}, and not {answer}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until a server that was put back has come to the end of its log.
pub async fn recovered(cluster: &Cluster) {
    answers(&connection(cluster).await, "SELECT pg_is_in_recovery()::text", "false").await;
}

/// A server that no other test has, and a store on it.
pub fn apart() -> (Cluster, Config) {
    let cluster = Cluster::start().unwrap();
    let config = Config::at(cluster.url()).schema(schema()).single_node();
    (cluster, config)
}

/// A schema that no other test has.
pub fn schema() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    format!("pap_{}", MADE.fetch_add(1, Ordering::SeqCst))
}

/// A store on the shared server, in a schema of its own.
pub fn fresh() -> Config {
    Config::at(shared().url()).schema(schema()).single_node()
}
