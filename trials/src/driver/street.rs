//! A whole trial in one folder: a store, a downstream with its ledger, and an agent.

use std::path::{Path, PathBuf};

use super::agent::Agent;
use super::compare::{Found, Happened, compare};
use super::process::{Process, Program};
use super::record::Record;
use crate::Fault;
use crate::downstream::ledger::{Counts, Noted};
use crate::downstream::{Client, ledger};
use crate::machine_clock::MachineClock;
use crate::node::{Options, beside};
use crate::place::Place;

/// One store, one downstream, one agent. The folder outlives it: it is the caller's.
#[derive(Debug)]
pub struct Street {
    program: Program,
    ledger: PathBuf,
    /// Its process; killed when this is dropped.
    _serves: Process,
    /// What nodes are started with.
    pub options: Options,
    /// Speaks to the downstream.
    pub downstream: Client,
    /// The agent, with all that it was told.
    pub agent: Agent,
}

impl Street {
    /// A new trial over this store; `folder` takes the ledger.
    ///
    /// # Errors
    ///
    /// If the downstream cannot be started.
    pub async fn new(program: Program, folder: &Path, place: Place) -> Result<Self, Fault> {
        let ledger = folder.join("ledger");
        let serves = program.downstream(&ledger).await?;
        let downstream = Client::at(serves.address())?;
        let options = Options::new(place, serves.address());
        let agent = Agent::of("ada", Record::default())?;
        Ok(Self { program, ledger, _serves: serves, options, downstream, agent })
    }

    /// Nodes are started on this clock from now on.
    #[must_use]
    pub fn on(self, clock: &MachineClock) -> Self {
        Self { program: self.program.on(clock), ..self }
    }

    /// A node with these fail-points armed; `None` if it died before it served.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub async fn armed(&self, armed: &str) -> Result<Option<Process>, Fault> {
        self.program.node(&self.options, armed).await
    }

    /// A node that is set up in another way than the street's.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub async fn another(&self, options: &Options) -> Result<Process, Fault> {
        let node = self.program.node(options, "").await?;
        node.ok_or_else(|| "the node did not start: its log says why".into())
    }

    /// A node that is another program, with these fail-points armed.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub async fn of(&self, program: &Program, armed: &str) -> Result<Process, Fault> {
        let node = program.node(&self.options, armed).await?;
        node.ok_or_else(|| "the node did not start: its log says why".into())
    }

    /// A node.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub async fn node(&self) -> Result<Process, Fault> {
        self.another(&self.options).await
    }

    /// How often every key took effect: downstream, and in the store's own database.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub async fn all_effects(&self) -> Result<Counts, Fault> {
        let beside = beside(&self.options.place).await?;
        let mut effects = ledger::read(&self.ledger)?;
        // a key has a place of its own in one of them
        effects.extend(beside.effects);
        Ok(effects)
    }

    /// How often a key took effect downstream, from the ledger's file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn effects(&self, id: &str, step: &str) -> Result<u32, Fault> {
        let effects = ledger::read(&self.ledger)?;
        Ok(effects.get(&format!("{id}:{step}")).copied().unwrap_or_default())
    }

    /// How many of the holds of this operation's proposals were let go of.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn let_go(&self, id: &str) -> Result<usize, Fault> {
        let let_go = ledger::read_noted(&self.ledger, Noted::LetGo)?;
        let of = format!("{id}:");
        Ok(let_go.keys().filter(|hold| hold.starts_with(&of)).count())
    }

    /// Compares ledger, store and what the agent was told. No node may hold the store.
    ///
    /// # Errors
    ///
    /// If the store does not open.
    pub async fn compare(&self) -> Result<Found, Fault> {
        let happened = Happened {
            effects: self.all_effects().await?,
            held: ledger::read_noted(&self.ledger, Noted::Held)?,
            let_go: ledger::read_noted(&self.ledger, Noted::LetGo)?,
            owed: beside(&self.options.place).await?.owed,
        };
        let opened = self.options.place.open().await?;
        let found = compare(&opened.store, &happened, self.agent.record()).await;
        opened.close().await;
        found
    }
}
