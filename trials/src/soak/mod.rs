//! Soak: nodes confirm under load, while they and their database are killed, paused and restarted at random.

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
pub use havoc::Toll;

/// Agents that ask and confirm at the same time.
const AGENTS: u64 = 16;

/// How long the last node gets to find out about everything.
const FINDS_OUT_WITHIN: Duration = Duration::from_secs(60);

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// What happens meanwhile.
    pub havoc: Plan,
    /// What every choice comes from; the machine decides the rest.
    pub seed: u64,
    /// The program whose nodes are killed.
    pub program: PathBuf,
}

/// What happens while agents ask and confirm.
#[derive(Debug, Clone, Copy)]
pub enum Plan {
    /// Anything, for so long.
    Anything(Duration),
    /// The database is restarted so many times, and nothing else.
    Restarts(u64),
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Report {
    /// What happened to nodes and to their database.
    pub toll: Toll,
    /// What the comparison found.
    pub found: Found,
    /// The folder, if something is wrong in it.
    pub kept: Option<String>,
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let Self { toll: Toll { kills, pauses, ends, servers }, found, .. } = self;
        write!(
            f,
            "{} confirms, {kills} kills, {pauses} pauses, {ends} SIGTERMs, ",
            found.confirms
        )?;
        write!(f, "{servers} database restarts, {found}")
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
    let ground = Arc::new(Ground::of(&[kind])?);
    let place = ground.new_place(kind, folder.path())?;
    let mut street = Street::new(program, folder.path(), place).await?;
    // what nothing can end is asked about for ever, so not too often
    street.options.ask_most = Duration::from_secs(10);
    street.options.perform_within = Duration::from_secs(1);
    street.options.sweep_every = Duration::from_millis(500);
    let (ran, report) = soak(options, Arc::clone(&ground), Arc::new(street))
        .await
        .map_or_else(|fault| (Err(fault), None), |report| (Ok(()), Some(report)));
    // the server was needed until here
    drop(ground);
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

async fn soak(
    options: &Options,
    ground: Arc<Ground>,
    street: Arc<Street>,
) -> Result<Report, Fault> {
    let mut dice = Dice::of(options.seed);
    let (nodes, serving) = watch::channel(Vec::new());
    let havoc = Havoc::new(Arc::clone(&street), ground, nodes, dice.another());
    let mut havoc = havoc.begin().await?;
    let (ends, ended) = watch::channel(false);
    let mut load = tokio::task::JoinSet::new();
    for number in 0..AGENTS {
        let (street, serving) = (Arc::clone(&street), serving.clone());
        let (ended, dice) = (ended.clone(), dice.another());
        load.spawn(async move { load::goes_on(&street, serving, ended, number, dice).await });
    }
    match options.havoc {
        Plan::Anything(lasts) => havoc.lasts(lasts).await?,
        Plan::Restarts(many) => havoc.restarts(many).await?,
    }
    ends.send_replace(true);
    let mut errands: Vec<Errand> = Vec::new();
    while let Some(done) = load.join_next().await {
        errands.extend(done?);
    }
    let toll = havoc.end().await?;
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
    Ok(Report { toll, found, kept: None })
}
