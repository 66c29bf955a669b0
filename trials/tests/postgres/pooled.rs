//! Through a pooler that hands out a server for a transaction at a time.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{FinishBy, Store, conformance};
use pap_trials::cluster::Cluster;
use pap_trials::port::Port;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::draft::{claim_of, done, finish, key, proposed, ticket};
use crate::server::{PATIENCE, schema};

/// `PgBouncer` in transaction mode before a server, with fewer of its connections than a store has.
struct Pooler {
    // nobody else's: the feed waits for every transaction of a server
    _cluster: Cluster,
    process: Child,
    port: Port,
}

impl Pooler {
    async fn start() -> Self {
        let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"]
            .into_iter()
            .find(|p| Path::new(p).exists());
        let program = program.expect("this trial needs PgBouncer: `apt-get install pgbouncer`");
        let cluster = Cluster::start().unwrap();
        let (held, folder) = (Port::take().unwrap(), cluster.folder());
        let port = held.number();
        let users = folder.join(format!("users-{port}"));
        std::fs::write(&users, "\"postgres\" \"\"\n").unwrap();
        let file = folder.join(format!("pgbouncer-{port}.ini"));
        let text = format!(
            "[databases]\npostgres = host=127.0.0.1 port={} dbname=postgres\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
             auth_type = trust\nauth_file = {}\npool_mode = transaction\ndefault_pool_size = 3\n\
             ignore_startup_parameters = extra_float_digits\n",
            cluster.port(),
            users.display(),
        );
        std::fs::write(&file, text).unwrap();
        // it refuses to run as root, and ends with its input's owner
        let mut command = Command::new("setpriv");
        command.args([
            "--pdeathsig",
            "KILL",
            "--reuid=nobody",
            "--regid=nogroup",
            "--clear-groups",
        ]);
        let process = command.arg(program).arg(&file).stdin(Stdio::null()).stdout(Stdio::null());
        let process = process.stderr(Stdio::null()).spawn().unwrap();
        let pooler = Self { _cluster: cluster, process, port: held };
        let end = Instant::now() + PATIENCE;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < end, "the pooler does not listen");
            sleep(Duration::from_millis(20)).await;
        }
        pooler
    }

    fn config(&self) -> Config {
        Config::at(format!("postgres://postgres@127.0.0.1:{}/postgres", self.port.number()))
            .schema(schema())
            .single_node()
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Every promise of the contract holds through a pooler.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_promise_holds_through_a_pooler() {
    let pooler = Pooler::start().await;
    conformance::check_all(async |clock| {
        let store = Postgres::connect(pooler.config().on_clock(clock)).await.unwrap();
        let store: Arc<dyn Store> = Arc::new(store);
        store
    })
    .await;
}

/// Two nodes over one pooler: every operation is claimed once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_nodes_behind_a_pooler_one_claims() {
    let pooler = Pooler::start().await;
    of_two_nodes_one_claims(pooler.config()).await;
}

/// Somebody said that there is no pooler, and there is one: a statement that was prepared in another session runs
/// nothing, and is sent as it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn behind_a_pooler_that_nobody_told_of_one_claims_all_the_same() {
    let pooler = Pooler::start().await;
    of_two_nodes_one_claims(pooler.config().without_pooler()).await;
}

async fn of_two_nodes_one_claims(config: Config) {
    const MANY: u32 = 200;
    let nodes = [
        Postgres::connect(config.clone()).await.unwrap(),
        Postgres::connect(config).await.unwrap(),
    ];
    proposed(&nodes[0], MANY).await;
    let mut races = JoinSet::new();
    for number in 1..=MANY {
        for (who, node) in (1..).zip(nodes.clone()) {
            races.spawn(async move {
                let claimed = done(&node.claim(claim_of(number, who)).await.unwrap());
                if claimed {
                    let by = FinishBy::Performer(ticket(number * 1_000 + who));
                    assert!(done(
                        &node.finish(finish(number, by, State::Succeeded)).await.unwrap()
                    ));
                }
                u32::from(claimed)
            });
        }
    }
    assert_eq!(races.join_all().await.iter().sum::<u32>(), MANY);
    for number in 1..=MANY {
        assert_eq!(nodes[1].read(&key(number)).await.unwrap().unwrap().state, State::Succeeded);
    }
}
