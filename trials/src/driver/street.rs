//! A whole trial in one folder: a store, a downstream with its ledger, and an agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::agent::Agent;
use super::compare::{Found, compare};
use super::process::{Process, Program};
use super::record::Record;
use crate::Fault;
use crate::downstream::{Client, ledger};
use crate::node::Options;
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

    /// A node with these fail-points armed; `None` if it died before it served.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub async fn armed(&self, armed: &str) -> Result<Option<Process>, Fault> {
        self.program.node(&self.options, armed).await
    }

    /// A node.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub async fn node(&self) -> Result<Process, Fault> {
        let node = self.armed("").await?;
        node.ok_or_else(|| "the node did not start: its log says why".into())
    }

    /// How often every key took effect, from the ledger's file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn all_effects(&self) -> Result<BTreeMap<String, u32>, Fault> {
        ledger::read(&self.ledger)
    }

    /// How often a key took effect, from the ledger's file.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn effects(&self, id: &str, step: &str) -> Result<u32, Fault> {
        let effects = self.all_effects()?;
        Ok(effects.get(&format!("{id}:{step}")).copied().unwrap_or_default())
    }

    /// Compares ledger, store and what the agent was told. No node may hold the store.
    ///
    /// # Errors
    ///
    /// If the store does not open.
    pub async fn compare(&self) -> Result<Found, Fault> {
        let effects = self.all_effects()?;
        let opened = self.options.place.open().await?;
        let found = compare(&opened.store, &effects, self.agent.record()).await;
        opened.close().await;
        found
    }
}
