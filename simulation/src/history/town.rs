//! Nodes on one store, and what each step of a history does to them.

use std::sync::Arc;
use std::time::Duration;

use pap_runtime::clock::Clock;
use pap_runtime::store::PauseOf;
use pap_runtime::store::Store;
use pap_runtime::store::memory::Memory;
use pap_runtime::value::Instant;
use pap_runtime::{
    Company, Limits, OperationId, Role, SettledBy, failed_unchanged, operations, succeeded,
};

use super::agent::Agent;
use super::downstream::Downstream;
use super::orders::{Order, Shop};
use super::process::{Process, Runs};
use super::steps::{Fence, History, NODES, Nodes, Step, What};
use super::store::{Broken, HeldBack, Reached};
use super::trace::Trace;

pub(super) const NAME: &str = "Shop";
const ACTION: &str = "shop.order";

/// How long a process can be silent before its life is declared over.
const DEAD_AFTER: Duration = Duration::from_secs(20);

/// The runtime's own time, which goes on by itself when nothing else is to be done.
#[derive(Debug, Clone)]
struct Passing(tokio::time::Instant);

impl Clock for Passing {
    fn now(&self) -> Instant {
        Instant::from_millis(1_800_000_000_000).saturating_add(self.0.elapsed())
    }
}

/// Everything that a history happens to.
pub(super) struct Town {
    pub(super) memory: Memory,
    pub(super) downstream: Arc<Downstream>,
    pub(super) agent: Arc<Agent>,
    pub(super) trace: Arc<Trace>,
    nodes: Vec<Node>,
    pub(super) held: Arc<HeldBack>,
    broken: Broken,
    seed: u64,
    are: Nodes,
    begun: u64,
}

/// A process, and its handle where it takes requests.
struct Node {
    process: Arc<Process>,
    store: Arc<Reached>,
    company: Option<Company<Shop>>,
}

impl Town {
    pub(super) async fn begin(history: &History, broken: Broken, wanted: bool) -> Option<Self> {
        let clock = Arc::new(Passing(tokio::time::Instant::now()));
        let mut town = Self {
            memory: Memory::on_clock(clock),
            downstream: Arc::default(),
            agent: Agent::new(),
            trace: Arc::new(Trace::begin(wanted)),
            nodes: Vec::new(),
            held: Arc::default(),
            broken,
            seed: history.seed,
            are: history.nodes,
            begun: 0,
        };
        for number in 0..NODES {
            let node = town.process(number).await?;
            town.nodes.push(node);
        }
        Some(town)
    }

    /// A new process of this node.
    async fn process(&mut self, number: usize) -> Option<Node> {
        self.begun += 1;
        let process = Arc::new(Process::new());
        let trace = Arc::clone(&self.trace);
        let node = u64::try_from(number).ok()?;
        // what its calls take is drawn anew for each process
        let drawn_by = (self.seed ^ (self.begun << 32), node);
        let (memory, runs) = (self.memory.clone(), Arc::clone(&process));
        let store = Arc::new(Reached::new(
            memory,
            runs,
            trace,
            (self.broken, Arc::clone(&self.held)),
            drawn_by,
        ));
        let shared: Arc<dyn Store> = Arc::<Reached>::clone(&store);
        let downstream = Arc::clone(&self.downstream);
        let shop = Shop { downstream, process: Arc::clone(&process) };
        let limits =
            if self.are.narrow { Limits::new().perform(1).reconcile(1) } else { Limits::new() };
        let serves = self.are.last_serves && number + 1 == NODES;
        let company = Company::builder(shop)
            .limits(ACTION, limits)
            .role(if serves { Role::Serve } else { Role::Both })
            .heartbeat(Duration::from_secs(5), DEAD_AFTER)
            .name(NAME)
            .origin("https://api.example.com")
            .shared_store(shared)
            .operations(operations![Order])
            .ask_again(Duration::from_secs(2), Duration::from_secs(30))
            .start()
            .await
            .ok()?;
        Some(Node { process, store, company: Some(company) })
    }

    /// Sends what the step says. Nobody waits for it.
    pub(super) async fn take(&mut self, step: Step) -> Option<()> {
        tokio::time::sleep(Duration::from_millis(step.after)).await;
        match step.what {
            What::Start => return self.start(step.node).await,
            What::Wait => return Some(()),
            _ => {}
        }
        let node = self.nodes.get_mut(step.node)?;
        match step.what {
            What::Kill => node.kill(&self.memory),
            What::Pause => node.pause(&self.memory),
            What::Resume => node.process.set(Runs::Yes),
            What::Fail { call, fault, times } => node.store.fail(call, fault, times),
            What::HoldBack { claims } => {
                if let Some(company) = node.company.clone() {
                    tokio::spawn(async move { hold_back(&company, claims).await });
                }
            }
            What::LetGo { claims } => {
                if let Some(company) = node.company.clone() {
                    tokio::spawn(async move { let_go(&company, claims).await });
                }
            }
            What::Close => {
                node.process.disturb();
                if let Some(company) = node.company.take() {
                    tokio::spawn(async move { drop(company.close().await) });
                }
            }
            _ => {
                if let Some(company) = node.company.clone() {
                    self.ask(company, step.what);
                }
            }
        }
        Some(())
    }

    /// A request at a node, in a task of its own.
    fn ask(&self, company: Company<Shop>, what: What) {
        let agent = Arc::clone(&self.agent);
        let of = |item| agent.order(item).map(|(id, _)| id);
        match what {
            What::Ask { item, size, way } => {
                self.downstream.goes(item, way);
                tokio::spawn(async move { agent.ask(company, item, size).await });
            }
            What::Revise { item, size } => {
                tokio::spawn(async move { agent.revise(company, item, size).await });
            }
            What::Confirm { item, old } => {
                tokio::spawn(async move { agent.confirm(company, item, old).await });
            }
            What::Cancel { item } => {
                if let Some(id) = of(item) {
                    tokio::spawn(async move { agent.cancel(company, id).await });
                }
            }
            What::Read { item } => {
                if let Some(id) = of(item) {
                    tokio::spawn(async move { agent.read(company, id).await });
                }
            }
            What::Settle { item } => {
                let fence = self.downstream.way(item).map(|way| way.fence);
                if let (Some(id), Some(fence)) = (of(item), fence) {
                    let downstream = Arc::clone(&self.downstream);
                    tokio::spawn(async move {
                        settle(&agent, &downstream, company, id, fence == Fence::Downstream).await;
                    });
                }
            }
            _ => {}
        }
    }

    async fn start(&mut self, number: usize) -> Option<()> {
        let node = self.nodes.get_mut(number)?;
        if node.company.is_some() {
            return Some(());
        }
        // one that was closed is gone by now
        node.kill(&self.memory);
        let new = self.process(number).await?;
        *self.nodes.get_mut(number)? = new;
        Some(())
    }

    /// Nothing fails any more, and every node runs.
    pub(super) async fn heal(&mut self) -> Option<()> {
        for number in 0..NODES {
            let node = self.nodes.get_mut(number)?;
            node.store.heal();
            node.process.set(Runs::Yes);
            self.start(number).await?;
        }
        let company = self.company()?;
        for claims in [true, false] {
            let_go(&company, claims).await?;
        }
        Some(())
    }

    /// A node that takes requests.
    pub(super) fn company(&self) -> Option<Company<Shop>> {
        self.nodes.iter().find_map(|node| node.company.clone())
    }
}

impl Node {
    fn kill(&mut self, memory: &Memory) {
        self.process.set(Runs::Killed);
        self.company = None;
        declare_dead(memory, &self.process, &self.store);
    }

    fn pause(&mut self, memory: &Memory) {
        self.process.set(Runs::HeldUp);
        declare_dead(memory, &self.process, &self.store);
    }
}

/// Other processes find that it has been silent for too long, unless it goes on by then.
fn declare_dead(memory: &Memory, process: &Arc<Process>, store: &Arc<Reached>) {
    let (memory, process, store) = (memory.clone(), Arc::clone(process), Arc::clone(store));
    tokio::spawn(async move {
        tokio::time::sleep(DEAD_AFTER).await;
        if let Some(life) = store.life().filter(|_| process.runs() != Runs::Yes) {
            drop(memory.end_life(life).await);
        }
    });
}

async fn hold_back(company: &Company<Shop>, claims: bool) {
    // a request that fails is not made again
    drop(company.pause(ACTION, held_of(claims), "operator", "the warehouse is closed").await);
}

async fn let_go(company: &Company<Shop>, claims: bool) -> Option<bool> {
    company.operators().resume(Some(ACTION), held_of(claims), "operator", "it is over").await.ok()
}

fn held_of(claims: bool) -> PauseOf {
    if claims { PauseOf::Claims } else { PauseOf::Proposals }
}

/// Somebody finds out what happened, and says so; without an answer nobody says anything.
pub(super) async fn settle(
    agent: &Agent,
    downstream: &Downstream,
    company: Company<Shop>,
    id: OperationId,
    voids: bool,
) {
    let happened = if voids {
        downstream.void(id.as_str())
    } else {
        downstream.order(id.as_str()).effects > 0
    };
    let outcome = match (happened, voids) {
        (true, _) => succeeded("It had been sent.", ()),
        (false, true) => failed_unchanged("It was never sent."),
        (false, false) => return,
    };
    downstream.settled(id.as_str());
    let known = agent.known();
    let by = SettledBy::new("operator", "looked it up");
    if let Ok(operation) = company.settle(&id, outcome, by).await {
        agent.look(&known, Ok(operation));
    }
}
