//! What happens to nodes: they are killed, paused, and told to end, at random.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::Fault;
use crate::dice::Dice;
use crate::driver::process::Process;
use crate::driver::street::Street;

/// The longest time between two misfortunes.
const QUIET_MS: u64 = 1_500;

/// The longest pause; longer than a handler may take.
const PAUSE_MS: u64 = 1_600;

/// The longest time that a killed node stays away.
const AWAY_MS: u64 = 300;

/// The nodes, and who is told which of them serve.
pub(super) struct Havoc {
    street: Arc<Street>,
    nodes: Vec<Process>,
    serving: watch::Sender<Vec<String>>,
    dice: Dice,
    kills: u64,
    pauses: u64,
    restarts: u64,
}

impl Havoc {
    pub(super) fn new(
        street: Arc<Street>,
        serving: watch::Sender<Vec<String>>,
        dice: Dice,
    ) -> Self {
        let nodes = Vec::new();
        Self { street, nodes, serving, dice, kills: 0, pauses: 0, restarts: 0 }
    }

    /// As many nodes as the store takes.
    pub(super) async fn begin(mut self) -> Result<Self, Fault> {
        for _ in 0..self.street.options.place.nodes() {
            self.another().await?;
        }
        Ok(self)
    }

    /// One misfortune after the other, for so long.
    pub(super) async fn lasts(&mut self, lasts: Duration) -> Result<(), Fault> {
        let end = Instant::now() + lasts;
        while Instant::now() < end {
            self.wait(QUIET_MS).await;
            match self.dice.below(6) {
                0 => self.pause().await?,
                1 => self.restart().await?,
                _ => self.kill().await?,
            }
        }
        Ok(())
    }

    /// Ends what still runs, and says what happened to how many.
    pub(super) async fn end(self) -> Result<(u64, u64, u64), Fault> {
        self.serving.send_replace(Vec::new());
        for node in self.nodes {
            if !node.end().await?.success() {
                return Err("a node did not end well".into());
            }
        }
        Ok((self.kills, self.pauses, self.restarts))
    }

    async fn kill(&mut self) -> Result<(), Fault> {
        let Some(node) = self.one() else { return Ok(()) };
        node.kill().await?;
        self.kills = self.kills.saturating_add(1);
        self.wait(AWAY_MS).await;
        self.another().await
    }

    async fn restart(&mut self) -> Result<(), Fault> {
        let Some(node) = self.one() else { return Ok(()) };
        if !node.end().await?.success() {
            return Err("a node did not end well".into());
        }
        self.restarts = self.restarts.saturating_add(1);
        self.another().await
    }

    /// It is not told to agents: their requests wait with it.
    async fn pause(&mut self) -> Result<(), Fault> {
        let wait = self.dice.below(PAUSE_MS);
        let Some(node) = self.dice.one_of(&self.nodes) else { return Ok(()) };
        node.pause()?;
        sleep(Duration::from_millis(wait)).await;
        node.go_on()?;
        self.pauses = self.pauses.saturating_add(1);
        Ok(())
    }

    /// Takes one out of those that serve.
    fn one(&mut self) -> Option<Process> {
        let many = u64::try_from(self.nodes.len()).unwrap_or_default();
        let at = usize::try_from(self.dice.below(many)).unwrap_or_default();
        let node = (at < self.nodes.len()).then(|| self.nodes.swap_remove(at));
        self.tell();
        node
    }

    async fn another(&mut self) -> Result<(), Fault> {
        let node = self.street.node().await?;
        self.nodes.push(node);
        self.tell();
        Ok(())
    }

    fn tell(&self) {
        let addresses = self.nodes.iter().map(|node| node.address().to_owned());
        self.serving.send_replace(addresses.collect());
    }

    async fn wait(&mut self, most_ms: u64) {
        sleep(Duration::from_millis(self.dice.below(most_ms))).await;
    }
}
