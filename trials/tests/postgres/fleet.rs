//! Several companies over one server, and the company's own rows beside its operations.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{EventKind, PauseOf};
use pap_runtime::{
    ApprovedBy, Company, ConfirmRequest, Confirmed, ExtensionDescriptor, Operation, OperationId,
    OrSay, Outcome, Refusal, Revision, Role, Session, SettledBy, State, operation, operations,
    succeeded, unknown,
};
use tokio::time::{Instant, sleep};
use tokio_postgres::Client;

use crate::server::{PATIENCE, connection, fresh, shared};

/// Where a handler stops for good, or for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stops {
    Nowhere,
    /// Its whole process stands still, as under SIGSTOP, until it is let go.
    BeforeItBegins,
    BeforeItCommits,
    AfterItCommitted,
}

/// One process of the yard, and its rows in the same database.
#[derive(Debug)]
struct Yard {
    table: String,
    stops: Stops,
    reached: Sender<bool>,
    let_go: Mutex<Receiver<()>>,
}

impl Yard {
    async fn stops_at(&self, here: Stops) {
        if self.stops == here {
            self.reached.send(true).unwrap();
            std::future::pending::<()>().await;
        }
    }
}

async fn database() -> Client {
    connection(shared()).await
}

/// Rents a car: a row, and nothing else.
#[operation(action = "yard.rent", scopes = ["rent"], summary = "Rent {car}.", terms = { car: String },
            reconcile = same_store)]
async fn rent(yard: &Arc<Yard>, op: Confirmed<RentTerms>) -> Outcome {
    if yard.stops == Stops::BeforeItBegins {
        yard.reached.send(true).unwrap();
        yard.let_go.lock().unwrap().recv().unwrap();
    }
    let mut client = database().await;
    let mut transaction = client.transaction().await.or_unknown("the database")?;
    let insert = format!("INSERT INTO {} (car) VALUES ($1)", yard.table);
    transaction.execute(&insert, &[&op.terms.car]).await.or_unknown("the database")?;
    let settled = op.settle_in(&mut transaction, succeeded("It is yours.", ())).await;
    if yard.stops == Stops::BeforeItBegins {
        yard.reached.send(settled.is_ok()).unwrap();
    }
    let settled = settled?;
    yard.stops_at(Stops::BeforeItCommits).await;
    transaction.commit().await.or_unknown("the database")?;
    yard.stops_at(Stops::AfterItCommitted).await;
    settled.committed()
}

/// Washes a car, which a webhook tells about.
#[operation(action = "yard.wash", scopes = ["rent"], summary = "Wash {car}.", terms = { car: String },
            reconcile = operator)]
async fn wash(_yard: &Arc<Yard>, _op: Confirmed<WashTerms>) -> Outcome {
    unknown("the wash tells when it is done")
}

/// After how long without a sign a process wants to be taken for dead that will die, or stand still.
const SOON: Duration = Duration::from_millis(1_500);

/// The same of one that lives, however slowly.
const NEVER: Duration = Duration::from_secs(3_600);

type Node = Company<Arc<Yard>>;

/// One schema, and a table of the company's.
struct Fleet {
    config: Config,
    table: String,
    ada: Session,
}

impl Fleet {
    fn new() -> Self {
        let schema = crate::server::schema();
        let table = format!("rented_{schema}");
        shared().psql(&format!("CREATE TABLE {table} (car text NOT NULL)")).unwrap();
        let ada = Session::new("ses_1", "https://juniper.example/agent.json", "ada")
            .signed_in("acc_ada", ["rent"])
            .with_extensions([("operations".to_owned(), ExtensionDescriptor::new("1"))].into());
        Self { config: fresh().schema(schema), table, ada }
    }

    async fn node(&self, role: Role) -> Node {
        let ((reached, _), (_, let_go)) = (channel(), channel());
        let (table, stops) = (self.table.clone(), Stops::Nowhere);
        let yard = Yard { table, stops, reached, let_go: Mutex::new(let_go) };
        start(self.config.clone(), yard, role, NEVER).await
    }

    /// A process that confirms one renting and stops there.
    fn stopping(&self, stops: Stops) -> Stopping {
        let ((reached, has_reached), (lets_go, let_go)) = (channel(), channel());
        let yard = Yard { table: self.table.clone(), stops, reached, let_go: Mutex::new(let_go) };
        let (config, ada) = (self.config.clone(), self.ada.clone());
        let (dies, mut dead) = tokio::sync::oneshot::channel();
        let (tells, told) = channel();
        let process = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.unwrap();
            runtime.block_on(async {
                let node = start(config, yard, Role::Both, SOON).await;
                let id = propose(&node, &ada, "a").await;
                tells.send(id.clone()).unwrap();
                tokio::select! {
                    _answered = confirm(&node, &ada, &id) => drop((&mut dead).await),
                    _dead = &mut dead => {}
                }
                // no goodbye
                std::mem::forget(node);
            });
            runtime.shutdown_background();
        });
        let id = told.recv().unwrap();
        assert!(has_reached.recv_timeout(PATIENCE).unwrap());
        Stopping { id, dies, lets_go, has_reached, process }
    }

    fn rows(&self) -> String {
        shared().psql(&format!("SELECT count(*) FROM {}", self.table)).unwrap()
    }
}

/// A process whose handler has stopped.
struct Stopping {
    id: OperationId,
    dies: tokio::sync::oneshot::Sender<()>,
    lets_go: Sender<()>,
    has_reached: Receiver<bool>,
    process: std::thread::JoinHandle<()>,
}

impl Stopping {
    fn die(self) {
        self.dies.send(()).unwrap();
        self.process.join().unwrap();
    }
}

async fn start(config: Config, yard: Yard, role: Role, dead_after: Duration) -> Node {
    start_beating(config, yard, role, (Duration::from_millis(200), dead_after)).await
}

/// A node that says so often that it lives, and is to be taken for dead after so long without.
async fn start_beating(
    config: Config,
    yard: Yard,
    role: Role,
    (every, dead_after): (Duration, Duration),
) -> Node {
    let store = Postgres::connect(config).await.unwrap();
    Company::builder(Arc::new(yard))
        .name("Yard")
        .origin("https://yard.example.com")
        .shared_store(Arc::new(store))
        .operations(operations![rent, wash])
        .role(role)
        .ask_again(Duration::from_millis(20), Duration::from_millis(200))
        .heartbeat(every, dead_after)
        .answer_within(PATIENCE)
        .start()
        .await
        .unwrap()
}

async fn propose(node: &Node, ada: &Session, car: &str) -> OperationId {
    node.propose::<rent>(ada, RentTerms { car: car.to_owned() }).await.unwrap().operation_id
}

async fn confirm(node: &Node, ada: &Session, id: &OperationId) -> Result<Operation, Refusal> {
    let request = ConfirmRequest::new(Revision::FIRST, ApprovedBy::User);
    node.confirm(ada, id.as_str(), request).await
}

async fn ended(node: &Node, id: &OperationId) -> State {
    let end = Instant::now() + PATIENCE;
    loop {
        let state = node.history(id).await.unwrap().stored.state;
        if state.is_final() {
            return state;
        }
        assert!(Instant::now() < end, "{id} does not end");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn rows_and_outcome_come_together() {
    let fleet = Fleet::new();
    let node = fleet.node(Role::Both).await;
    let id = propose(&node, &fleet.ada, "a").await;
    assert_eq!(confirm(&node, &fleet.ada, &id).await.unwrap().state, State::Succeeded);
    assert_eq!(fleet.rows(), "1");
}

/// OPS-6-6
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_process_that_dies_before_its_commit_has_done_nothing() {
    let fleet = Fleet::new();
    let stopping = fleet.stopping(Stops::BeforeItCommits);
    let id = stopping.id.clone();
    let node = fleet.node(Role::Both).await;
    stopping.die();
    assert_eq!(ended(&node, &id).await, State::Failed);
    assert_eq!(fleet.rows(), "0");
}

/// OPS-6-6
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_process_that_dies_after_its_commit_has_succeeded() {
    let fleet = Fleet::new();
    let stopping = fleet.stopping(Stops::AfterItCommitted);
    let id = stopping.id.clone();
    let node = fleet.node(Role::Both).await;
    stopping.die();
    assert_eq!(ended(&node, &id).await, State::Succeeded);
    assert_eq!(fleet.rows(), "1");
}

/// A process stands still before its transaction begins, another one takes it for dead and ends the operation;
/// what the first one then writes is undone.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_transaction_that_comes_after_recovery_is_undone() {
    let fleet = Fleet::new();
    let stopping = fleet.stopping(Stops::BeforeItBegins);
    let id = stopping.id.clone();
    let node = fleet.node(Role::Both).await;
    assert_eq!(ended(&node, &id).await, State::Failed);
    stopping.lets_go.send(()).unwrap();
    let settled = stopping.has_reached.recv_timeout(PATIENCE).unwrap();
    assert!(!settled, "it was ended meanwhile");
    stopping.die();
    assert_eq!(fleet.rows(), "0");
    assert_eq!(ended(&node, &id).await, State::Failed);
}

/// A process that was taken for dead says at once how long its new life may be silent: others would judge that
/// by their own word until its next beat, and take it for dead again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_new_life_says_at_once_how_long_it_may_be_silent() {
    const EVERY: Duration = Duration::from_secs(6);
    let name = crate::server::schema();
    let ((reached, _), (_, let_go)) = (channel(), channel());
    let (table, stops) = (String::new(), Stops::Nowhere);
    let yard = Yard { table, stops, reached, let_go: Mutex::new(let_go) };
    let node = start_beating(fresh().schema(&name), yard, Role::Both, (EVERY, NEVER)).await;
    let ask = |question: &str| shared().psql(&format!("{question} FROM {name}.lives")).unwrap();
    shared().psql(&format!("UPDATE {name}.lives SET ended_at = begun_at")).unwrap();
    let end = Instant::now() + PATIENCE;
    let said =
        "SELECT max(beat_at - begun_at) FILTER (WHERE ended_at IS NULL AND dead_after = 3600000)";
    while ask(said).is_empty() {
        assert!(Instant::now() < end, "no new life");
        sleep(Duration::from_millis(20)).await;
    }
    let silent: u128 = ask(said).parse().unwrap();
    assert!(silent < EVERY.as_millis(), "it waited {silent} ms for its next beat");
    drop(node);
}

/// A webhook ends an operation with rows of its own; what it rolls back did not happen.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_webhook_settles_with_its_own_rows() {
    let fleet = Fleet::new();
    let node = fleet.node(Role::Both).await;
    let terms = WashTerms { car: "a".to_owned() };
    let id = node.propose::<wash>(&fleet.ada, terms).await.unwrap().operation_id;
    assert_eq!(confirm(&node, &fleet.ada, &id).await.unwrap().state, State::InProgress);
    let by = || SettledBy::new("the wash", "webhook 17");
    let mut client = database().await;
    let insert = format!("INSERT INTO {} (car) VALUES ('a')", fleet.table);
    for commits in [false, true] {
        let mut transaction = client.transaction().await.unwrap();
        transaction.execute(&insert, &[]).await.unwrap();
        node.settle_in(&mut transaction, &id, succeeded("It is clean.", ()), by()).await.unwrap();
        if commits {
            transaction.commit().await.unwrap();
        } else {
            transaction.rollback().await.unwrap();
            assert_eq!(node.history(&id).await.unwrap().stored.state, State::InProgress);
            assert_eq!(fleet.rows(), "0");
        }
    }
    assert_eq!(ended(&node, &id).await, State::Succeeded);
    let mut transaction = client.transaction().await.unwrap();
    let late = node.settle_in(&mut transaction, &id, succeeded("Again.", ()), by()).await;
    late.expect_err("it has ended");
    transaction.rollback().await.unwrap();
    assert_eq!(fleet.rows(), "1");
}

/// What a serving process confirms is started once, by one of many.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_starts_one_wins() {
    const MANY: usize = 12;
    let fleet = Fleet::new();
    let web = fleet.node(Role::Serve).await;
    let mut ids = Vec::new();
    for car in 0..MANY {
        let id = propose(&web, &fleet.ada, &format!("car {car}")).await;
        let (web, ada, own) = (web.clone(), fleet.ada.clone(), id.clone());
        tokio::spawn(async move { confirm(&web, &ada, &own).await });
        ids.push(id);
    }
    let workers = [fleet.node(Role::Perform).await, fleet.node(Role::Perform).await];
    for id in &ids {
        assert_eq!(ended(&web, id).await, State::Succeeded);
        let history = web.history(id).await.unwrap();
        let starts = history.events.iter().filter(|event| event.kind == EventKind::Started);
        assert_eq!(starts.count(), 1, "{id}");
    }
    assert_eq!(fleet.rows(), MANY.to_string());
    drop(workers);
}

/// A pause holds on every node from the moment it returns.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_pause_holds_on_every_node() {
    let fleet = Fleet::new();
    let nodes = [fleet.node(Role::Both).await, fleet.node(Role::Both).await];
    let id = propose(&nodes[0], &fleet.ada, "a").await;
    nodes[0].pause("yard.rent", PauseOf::Claims, "ada", "the yard is flooded").await.unwrap();
    for node in &nodes {
        let refused = confirm(node, &fleet.ada, &id).await.unwrap_err();
        assert!(matches!(refused, Refusal::Unavailable), "{refused:?}");
    }
    assert_eq!(fleet.rows(), "0");
    assert!(
        nodes[1]
            .operators()
            .resume(Some("yard.rent"), PauseOf::Claims, "ada", "it is dry")
            .await
            .unwrap()
    );
    assert_eq!(confirm(&nodes[0], &fleet.ada, &id).await.unwrap().state, State::Succeeded);
    assert_eq!(fleet.rows(), "1");
}
