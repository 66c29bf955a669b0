//! Soak: nodes confirm under load, while they are killed, paused and restarted at random.

mod havoc;
mod load;

use std::fmt::{Display, Formatter};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::Fault;
use crate::dice::Dice;
use crate::driver::compare::Found;
use crate::driver::errand::Errand;
use crate::driver::process::Program;
use crate::driver::settle::settle;
use crate::driver::street::Street;
use crate::place::{Ground, Kind};
use havoc::Havoc;

/// Agents that ask and confirm at the same time.
const AGENTS: u64 = 16;

/// How long the last node gets to find out about everything.
const FINDS_OUT_WITHIN: Duration = Duration::from_secs(60);

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// For how long.
    pub lasts: Duration,
    /// What every choice comes from; the machine decides the rest.
    pub seed: u64,
    /// The program whose nodes are killed.
    pub program: PathBuf,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Report {
    /// Nodes that were killed.
    pub kills: u64,
    /// Nodes that were paused and went on.
    pub pauses: u64,
    /// Nodes that were told to end, and did.
    pub restarts: u64,
    /// What the comparison found.
    pub found: Found,
    /// The folder, if something is wrong in it.
    pub kept: Option<String>,
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { kills, pauses, restarts, found, .. } = self;
        write!(f, "{} confirms, {kills} kills, {pauses} pauses, ", found.confirms)?;
        write!(f, "{restarts} restarts, {found}")
    }
}

/// Soaks one store.
///
/// # Errors
///
/// If the trial cannot be run: never for what it finds.
pub async fn run(options: &Options, kind: Kind) -> Result<Report, Fault> {
    let folder = tempfile::tempdir()?;
    let program = Program::new(&options.program, folder.path().join("log")).quiet();
    let ground = Ground::of(&[kind])?;
    let place = ground.new_place(kind, folder.path())?;
    let mut street = Street::new(program, folder.path(), place).await?;
    // what nothing can end is asked about for ever, so not too often
    street.options.ask_most = Duration::from_secs(10);
    street.options.perform_within = Duration::from_secs(1);
    let (ran, report) = soak(options, Arc::new(street))
        .await
        .map_or_else(|fault| (Err(fault), None), |report| (Ok(()), Some(report)));
    match report {
        Some(report) if report.found.is_good() => Ok(report),
        // what it was found in stays for whoever looks
        report => {
            let kept = format!("see {}", folder.keep().display());
            ran.map_err(|fault| format!("{fault} ({kept})"))?;
            let report = report.ok_or("there is no report")?;
            Ok(Report { kept: Some(kept), ..report })
        }
    }
}

async fn soak(options: &Options, street: Arc<Street>) -> Result<Report, Fault> {
    let mut dice = Dice::of(options.seed);
    let (nodes, serving) = watch::channel(Vec::new());
    let havoc = Havoc::new(Arc::clone(&street), nodes, dice.another());
    let mut havoc = havoc.begin().await?;
    let (ends, ended) = watch::channel(false);
    let mut load = tokio::task::JoinSet::new();
    for number in 0..AGENTS {
        let (street, serving) = (Arc::clone(&street), serving.clone());
        let (ended, dice) = (ended.clone(), dice.another());
        load.spawn(async move { load::goes_on(&street, serving, ended, number, dice).await });
    }
    havoc.lasts(options.lasts).await?;
    ends.send_replace(true);
    let mut errands: Vec<Errand> = Vec::new();
    while let Some(done) = load.join_next().await {
        errands.extend(done?);
    }
    let (kills, pauses, restarts) = havoc.end().await?;
    let node = street.node().await?;
    for errand in errands.iter_mut().filter(|errand| errand.id().is_none()) {
        // its proposal was never answered: asked for again, or there is nothing to compare
        drop(errand.run(&street.agent, node.address()).await);
    }
    settle(&street, node.address(), &errands, FINDS_OUT_WITHIN).await?;
    if !node.end().await?.success() {
        return Err("the last node did not end well".into());
    }
    let found = street.compare().await?;
    Ok(Report { kills, pauses, restarts, found, kept: None })
}
