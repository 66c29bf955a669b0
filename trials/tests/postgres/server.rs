//! The server that the tests of this program share, each in a schema of its own.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use pap_runtime::store::postgres::Config;
use pap_trials::cluster::Cluster;

/// One server for all tests that leave it running.
pub fn shared() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    SHARED.get_or_init(|| Cluster::start().unwrap())
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
