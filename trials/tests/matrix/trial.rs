//! One row on one store: a street of processes, and what tests ask of it.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use pap_runtime::store::{History, Key};
use pap_trials::cluster::Cluster;
use pap_trials::driver::agent::{Agent, Answer};
pub(crate) use pap_trials::driver::process::PATIENCE;
use pap_trials::driver::process::{Process, Program};
use pap_trials::driver::street::Street;
use pap_trials::machine_clock::MachineClock;
use pap_trials::place::{Ground, Kind, Place};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// The stores that every row is tried on.
const KINDS: [Kind; 2] = [Kind::Sqlite, Kind::Postgres];

/// Every final state.
pub(crate) const FINAL: [&str; 4] = ["succeeded", "failed", "cancelled", "expired"];

/// What is said where nothing took effect and nothing can any more.
pub(crate) const NOTHING: &str = "This was not done. Nothing was changed.";

pub(crate) struct Trial {
    pub(crate) street: Street,
    pub(crate) folder: TempDir,
    items: Cell<u32>,
}

/// A trial for every store that is there.
pub(crate) async fn trials() -> Vec<Trial> {
    // one server for all rows, each in a schema of its own; it ends with this program
    static GROUND: LazyLock<Ground> = LazyLock::new(|| Ground::of(&KINDS).unwrap());
    let mut trials = Vec::new();
    for kind in KINDS {
        let folder = tempfile::tempdir().unwrap();
        let place = GROUND.new_place(kind, folder.path()).unwrap();
        trials.push(Trial::over(place, folder).await);
    }
    trials
}

/// Every trial whose store takes several nodes.
pub(crate) async fn fleets() -> impl Iterator<Item = Trial> {
    trials().await.into_iter().filter(|trial| trial.street.options.place.nodes() > 1)
}

/// A proposal that was answered.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) revision: u64,
    pub(crate) request: Value,
}

impl Trial {
    pub(crate) async fn over(place: Place, folder: TempDir) -> Self {
        let program = env!("CARGO_BIN_EXE_pap-trials");
        let program = Program::new(program, folder.path().join("log"));
        let mut street = Street::new(program, folder.path(), place).await.unwrap();
        // so long that what a test waits for decides, and no clock: also on a machine that is slow
        street.options.answer_within = PATIENCE / 2;
        street.options.perform_within = 2 * PATIENCE;
        street.options.drain_within = PATIENCE / 2;
        Self { street, folder, items: Cell::new(0) }
    }

    pub(crate) fn agent(&self) -> &Agent {
        &self.street.agent
    }

    pub(crate) async fn node(&self) -> Process {
        self.street.node().await.unwrap()
    }

    pub(crate) async fn armed(&self, armed: &str) -> Process {
        self.street.armed(armed).await.unwrap().expect("it serves first")
    }

    /// A node with the code of the next deployment.
    pub(crate) async fn next_code(&self, armed: &str) -> Process {
        let program = env!("CARGO_BIN_EXE_pap-trials-next");
        let program = Program::new(program, self.folder.path().join("log"));
        self.street.of(&program, armed).await.unwrap()
    }

    /// The same trial, whose nodes are started on a clock of their own; the agent and the downstream are not.
    pub(crate) fn on_a_machine(self) -> (Self, MachineClock) {
        let clock = MachineClock::in_folder(self.folder.path()).unwrap();
        (Self { street: self.street.on(&clock), ..self }, clock)
    }

    /// The fail-points at which the first handlers, so many, wait until the file is there.
    pub(crate) fn first_at(&self, many: u32, point: &str, file: &str) -> String {
        let file = self.file(file);
        let each = |passage| format!("{point}=hang:{}@{passage}", file.display());
        (1..=many).map(each).collect::<Vec<_>>().join(",")
    }

    /// A file that no fail-point waits for yet.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A node that waits at this point until the file is there.
    pub(crate) async fn waiting_at(&self, point: &str, file: &str) -> Process {
        self.waiting_at_each(&[(point, file)]).await
    }

    pub(crate) fn let_go(&self, file: &str) {
        std::fs::write(self.file(file), "").unwrap();
    }

    /// A node that waits at each of these points for that point's own file.
    pub(crate) async fn waiting_at_each(&self, points: &[(&str, &str)]) -> Process {
        let hang = |(point, file): &(&str, &str)| {
            let file = self.file(file);
            format!("{point}=hang:{}", file.display())
        };
        let armed: Vec<String> = points.iter().map(hang).collect();
        self.armed(&armed.join(",")).await
    }

    /// Proposes something that was never proposed here before.
    pub(crate) async fn ask(&self, node: &Process, action: &str, request: Value) -> Asked {
        self.items.set(self.items.get() + 1);
        let mut request = request;
        request["item"] = json!(format!("item {}", self.items.get()));
        let answer = self.agent().propose(node.address(), action, &request).await.unwrap();
        assert_eq!((answer.status, answer.state()), (202, "proposed"), "{}", answer.json);
        let id = answer.id().unwrap().to_owned();
        Asked { id, revision: answer.revision(), request }
    }

    pub(crate) async fn confirm(&self, node: &Process, asked: &Asked) -> Answer {
        let agent = self.agent();
        agent.confirm(node.address(), &asked.id, asked.revision).await.unwrap()
    }

    /// Proposes something new and confirms it at a node that dies at this point.
    pub(crate) async fn dies_confirming(&self, armed: &str, action: &str, request: Value) -> Asked {
        let node = self.armed(armed).await;
        let asked = self.ask(&node, action, request).await;
        self.confirm_into_death(node, &asked).await;
        asked
    }

    /// Confirms in a task of its own: what it was told, once it is. Whoever aborts it hangs up.
    pub(crate) fn confirming(&self, node: &Process, asked: &Asked) -> JoinHandle<Answer> {
        let (agent, address) = (self.agent().clone(), node.address().to_owned());
        let (id, revision) = (asked.id.clone(), asked.revision);
        tokio::spawn(async move { agent.confirm(&address, &id, revision).await.unwrap() })
    }

    /// Confirms while the node dies: there is no answer.
    pub(crate) async fn confirm_into_death(&self, mut node: Process, asked: &Asked) {
        let confirmed =
            self.agent().confirm(node.address(), &asked.id, asked.revision).await.map(drop);
        confirmed.expect_err("the node has died");
        assert!(node.is_dead_within(PATIENCE).await.unwrap());
    }

    pub(crate) async fn read(&self, node: &Process, asked: &Asked) -> Answer {
        self.agent().read(node.address(), &asked.id).await.unwrap()
    }

    pub(crate) async fn until(&self, node: &Process, asked: &Asked, state: &str) -> Answer {
        self.agent().until(node.address(), &asked.id, &[state]).await.unwrap()
    }

    pub(crate) async fn ended(&self, node: &Process, asked: &Asked) -> Answer {
        self.agent().until_ended(node.address(), &asked.id).await.unwrap()
    }

    /// Confirms, without waiting for what becomes of it.
    pub(crate) fn state_told(&self, node: &Process, asked: &Asked) -> JoinHandle<String> {
        self.state_told_at(node.address(), asked)
    }

    pub(crate) fn state_told_at(&self, address: &str, asked: &Asked) -> JoinHandle<String> {
        let (agent, address) = (self.agent().clone(), address.to_owned());
        let asked = asked.clone();
        tokio::spawn(async move {
            let answer = agent.confirm(&address, &asked.id, asked.revision).await;
            answer.map(|answer| answer.state().to_owned()).unwrap_or_default()
        })
    }

    /// How often its one effect happened.
    pub(crate) fn effects(&self, asked: &Asked) -> u32 {
        self.street.effects(&asked.id, "effect").unwrap()
    }

    /// Everything on record; of a file, while no node holds it.
    pub(crate) async fn history(&self, asked: &Asked) -> History {
        let opened = self.street.options.place.open().await.unwrap();
        let key = Key { company: "Trials".to_owned(), id: asked.id.parse().unwrap() };
        let history = opened.store.history(&key).await.unwrap().unwrap();
        opened.close().await;
        history
    }

    /// How often its question was asked, where it can be looked at.
    pub(crate) async fn times_asked(&self, asked: &Asked) -> usize {
        let events = self.history(asked).await.events;
        events.iter().filter(|event| event.kind.word() == "asked").count()
    }

    /// Waits until the nodes' log has these words so many times.
    pub(crate) async fn logged(&self, words: &str, times: usize) {
        let counts = || self.log().matches(words).count() >= times;
        until(&format!("the log to have `{words}` {times} times"), async || counts()).await;
    }

    /// Waits until a fail-point was reached so many times; what it does is done then, or begins.
    pub(crate) async fn reached(&self, point: &str, times: usize) {
        self.logged(&format!("PAP_FAILPOINTS: {point}"), times).await;
    }

    /// Sets the clock of the nodes that are on one apart from the machine's.
    pub(crate) fn set_apart(&self, ms: i64) {
        std::fs::write(self.file("next clock"), ms.to_string()).unwrap();
        std::fs::rename(self.file("next clock"), self.file("clock")).unwrap();
    }

    /// So much has passed since the beginning, for nodes on a clock and for the agent.
    pub(crate) fn has_passed(&mut self, ms: i64) {
        self.set_apart(ms);
        self.street.agent = self.street.agent.ahead(ms / 1_000);
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Ends the node, and compares what happened with what is on record and with what was told.
    pub(crate) async fn holds(&self, node: Process) {
        assert!(node.end().await.unwrap().success());
        self.compares().await;
    }

    /// The same, where no node is left.
    pub(crate) async fn compares(&self) {
        let found = self.street.compare().await.unwrap();
        let wrong: Vec<&String> = found.wrong().collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

/// A trial whose nodes have a clock that the test sets apart from the machine's; nothing expires by itself
/// and is recorded so before anybody looks.
pub(crate) fn on_a_clock(mut trial: Trial) -> Trial {
    trial.street.options.clock = Some(trial.file("clock"));
    trial.street.options.sweep_every = Duration::from_secs(3_600);
    trial
}

/// So far a clock is set apart, in milliseconds: everything is over by then.
pub(crate) const HOUR_MS: i64 = 3_600_000;

/// A server on a clock of its own, and a trial over it: nodes, agent and downstream have the machine's.
pub(crate) async fn on_a_server_with_a_clock() -> (Cluster, Trial, MachineClock) {
    let mut cluster = Cluster::start().unwrap();
    cluster.stop_fast().unwrap();
    let clock = MachineClock::in_folder(cluster.folder()).unwrap();
    cluster.set_environment(clock.environment());
    cluster.restart().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = Place::Postgres(format!("{}#pap", cluster.url()));
    let trial = Trial::over(place, folder).await;
    (cluster, trial, clock)
}

/// Waits for a condition, and not for ever.
pub(crate) async fn until(what: &str, condition: impl AsyncFn() -> bool) {
    let give_up = tokio::time::Instant::now() + PATIENCE;
    while !condition().await {
        assert!(tokio::time::Instant::now() < give_up, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
