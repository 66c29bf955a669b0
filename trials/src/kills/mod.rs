//! Kill-point runs: in each a node is killed at one named fail-point, spread evenly over all of them.
//!
//! A run is one process. It takes over the store as the process killed before it left that, finds out about
//! what was in progress, takes up the errands whose answers were lost, and gets new ones, until it
//! reaches its own fail-point. After some runs the store is compared with the ledger, and a new one begun.

mod chain;
mod points;

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};
use std::path::PathBuf;
use std::sync::Arc;

use crate::Fault;
use crate::dice::Dice;
use crate::driver::compare::Found;
use crate::place::{Ground, Kind};
use chain::Chain;
pub use points::points_of;

/// Runs over one store before it is compared and a new one begun.
const RUNS_PER_STORE: usize = 45;

/// Stores that are worked on at a time: a commit mostly waits for the device.
const AT_A_TIME: usize = 4;

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many runs, at least; each fail-point gets as many as any other.
    pub runs: usize,
    /// What every choice comes from. Which of two requests is first the machine decides all the same.
    pub seed: u64,
    /// Over which stores.
    pub kinds: Vec<Kind>,
    /// The program whose nodes are killed.
    pub program: PathBuf,
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Runs, one process each.
    pub runs: usize,
    /// Processes that died at their fail-point, by its name.
    pub kills: BTreeMap<&'static str, usize>,
    /// Fail-points that were not reached; their processes were killed all the same.
    pub missed: Vec<&'static str>,
    /// What the comparisons found.
    pub found: Found,
    /// Folders that were kept, because something is wrong in them.
    pub kept: Vec<String>,
}

impl Report {
    /// Whether every run was one, and nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.missed.is_empty() && self.found.is_good()
    }

    fn add(&mut self, other: Self) {
        self.runs = self.runs.saturating_add(other.runs);
        for (point, kills) in other.kills {
            let all = self.kills.entry(point).or_default();
            *all = all.saturating_add(kills);
        }
        self.missed.extend(other.missed);
        self.found += other.found;
        self.kept.extend(other.kept);
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let kills: usize = self.kills.values().sum();
        write!(f, "{} runs, {kills} kills, ", self.runs)?;
        write!(f, "{} confirms, {}", self.found.confirms, self.found)
    }
}

/// Runs them. `tell` hears of each store that was compared, and the sum so far.
///
/// # Errors
///
/// If a trial cannot be run: never for what it finds.
pub async fn run(
    options: &Options,
    mut tell: impl FnMut(&Report, &Report),
) -> Result<Report, Fault> {
    let mut dice = Dice::of(options.seed);
    let ground = Arc::new(Ground::of(&options.kinds)?);
    let mut chains = Vec::new();
    for kind in &options.kinds {
        let share = options.runs.div_ceil(options.kinds.len());
        let mut points: Vec<&'static str> = points_of(*kind).cycle().take(share).collect();
        dice.shuffle(&mut points);
        let stores = points.chunks(RUNS_PER_STORE);
        chains.extend(stores.map(|points| (*kind, points.to_vec())));
    }
    let mut report = Report::default();
    let mut running = tokio::task::JoinSet::new();
    let mut chains = chains.into_iter();
    loop {
        while running.len() < AT_A_TIME
            && let Some((kind, points)) = chains.next()
        {
            let (program, dice) = (options.program.clone(), dice.another());
            let ground = Arc::clone(&ground);
            running.spawn(async move {
                Chain::new(&ground, kind, &program, dice).await?.run(points).await
            });
        }
        let Some(compared) = running.join_next().await else { return Ok(report) };
        let compared = compared??;
        report.add(compared.clone());
        tell(&compared, &report);
    }
}
