//! What happens to nodes and to the server: they are killed, paused, told to end and restarted, at random.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::Fault;
use crate::dice::Dice;
use crate::driver::process::Process;
use crate::driver::street::Street;
use crate::node::Does;
use crate::place::Ground;

/// The longest time between two misfortunes.
const QUIET_MS: u64 = 1_500;

/// The longest pause; longer than a handler may take.
const PAUSE_MS: u64 = 1_600;

/// The longest time that a killed node stays away.
const AWAY_MS: u64 = 300;

/// A node may be started while the server is away.
const COMES_WITHIN: Duration = Duration::from_secs(30);

/// What happened, and how often.
#[derive(Debug, Clone, Copy, Default)]
pub struct Toll {
    /// Nodes that were killed.
    pub kills: u64,
    /// Nodes that were paused and went on.
    pub pauses: u64,
    /// Nodes that were told to end (SIGTERM), and did.
    pub ends: u64,
    /// Servers that were ended without a checkpoint, and started again.
    pub servers: u64,
}

/// The nodes, and who is told which of them serve.
pub(super) struct Havoc {
    street: Arc<Street>,
    ground: Arc<Ground>,
    nodes: Vec<Process>,
    serving: watch::Sender<Vec<String>>,
    dice: Dice,
    toll: Toll,
}

impl Havoc {
    pub(super) fn new(
        street: Arc<Street>,
        ground: Arc<Ground>,
        serving: watch::Sender<Vec<String>>,
        dice: Dice,
    ) -> Self {
        Self { street, ground, nodes: Vec::new(), serving, dice, toll: Toll::default() }
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
            match self.dice.below(8) {
                0 => self.pause().await?,
                1 | 2 => self.restart().await?,
                3 if self.ground.has_server() => self.restart_server().await?,
                _ => self.kill().await?,
            }
        }
        Ok(())
    }

    /// The server is restarted so many times, and nothing else happens.
    pub(super) async fn restarts(&mut self, many: u64) -> Result<(), Fault> {
        for _ in 0..many {
            self.wait(QUIET_MS).await;
            self.restart_server().await?;
        }
        self.wait(QUIET_MS).await;
        Ok(())
    }

    /// Ends what still runs, and says what happened to how many.
    pub(super) async fn end(self) -> Result<Toll, Fault> {
        self.serving.send_replace(Vec::new());
        for node in self.nodes {
            if !node.end().await?.success() {
                return Err("a node did not end well".into());
            }
        }
        Ok(self.toll)
    }

    async fn kill(&mut self) -> Result<(), Fault> {
        let Some(node) = self.one() else { return Ok(()) };
        node.kill().await?;
        self.toll.kills = self.toll.kills.saturating_add(1);
        self.wait(AWAY_MS).await;
        self.another().await
    }

    async fn restart(&mut self) -> Result<(), Fault> {
        let Some(node) = self.one() else { return Ok(()) };
        if !node.end().await?.success() {
            return Err("a node did not end well".into());
        }
        self.toll.ends = self.toll.ends.saturating_add(1);
        self.another().await
    }

    /// It is not told to agents: their requests wait with it.
    async fn pause(&mut self) -> Result<(), Fault> {
        let wait = self.dice.below(PAUSE_MS);
        let Some(node) = self.dice.one_of(&self.nodes) else { return Ok(()) };
        node.pause()?;
        sleep(Duration::from_millis(wait)).await;
        node.go_on()?;
        self.toll.pauses = self.toll.pauses.saturating_add(1);
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
        let node = self.comes().await?;
        self.nodes.push(node);
        self.tell();
        Ok(())
    }

    /// A node of any kind that a company with several has; one that is alone does it all.
    async fn comes(&mut self) -> Result<Process, Fault> {
        let mut options = self.street.options.clone();
        if options.place.nodes() > 1 {
            options.does = self.dice.one_of(&Does::ALL).copied().unwrap_or(Does::Both);
        }
        options.limit = (self.dice.below(2) == 0).then_some(2);
        let give_up = Instant::now() + COMES_WITHIN;
        loop {
            match self.street.another(&options).await {
                Ok(node) => return Ok(node),
                Err(fault) if Instant::now() > give_up => return Err(fault),
                Err(_) => self.wait(AWAY_MS).await,
            }
        }
    }

    async fn restart_server(&mut self) -> Result<(), Fault> {
        let (ground, away) = (Arc::clone(&self.ground), self.dice.below(AWAY_MS));
        let away = Duration::from_millis(away);
        tokio::task::spawn_blocking(move || ground.restart_server(away)).await??;
        self.toll.servers = self.toll.servers.saturating_add(1);
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
