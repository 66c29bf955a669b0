//! One store, and the processes that die over it one after the other.

use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::Report;
use super::points::{Way, way_to};
use crate::Fault;
use crate::dice::Dice;
use crate::driver::errand::{Aim, Errand};
use crate::driver::process::{Process, Program};
use crate::driver::settle::settle;
use crate::driver::street::Street;
use crate::place::{Ground, Kind};

/// How long a process may take to come to its fail-point.
const COMES_WITHIN: Duration = Duration::from_secs(20);

/// A point that only a race leads to may not be reached when the machine is slow: each try is slower than the
/// one before, so many times.
const SLOWER: [u32; 4] = [1, 2, 8, 32];

/// How long the last process of a store gets to find out about everything.
const FINDS_OUT_WITHIN: Duration = Duration::from_secs(60);

/// An errand that came to no end so often is left to recovery.
const TRIES: u32 = 4;

/// A store with its processes.
pub(super) struct Chain {
    street: Street,
    kind: Kind,
    dice: Dice,
    open: Vec<Errand>,
    all: Vec<Errand>,
    report: Report,
    folder: TempDir,
}

impl Chain {
    pub(super) async fn new(
        ground: &Ground,
        kind: Kind,
        program: &Path,
        dice: Dice,
    ) -> Result<Self, Fault> {
        let folder = tempfile::tempdir()?;
        let place = ground.new_place(kind, folder.path())?;
        let program = Program::new(program, folder.path().join("log"));
        let street = Street::new(program, folder.path(), place).await?;
        let (open, all, report) = (Vec::new(), Vec::new(), Report::default());
        Ok(Self { street, kind, dice, open, all, report, folder })
    }

    pub(super) async fn run(mut self, points: Vec<&'static str>) -> Result<Report, Fault> {
        let ran = self.run_all(points).await;
        if ran.is_ok() && self.report.is_good() {
            return Ok(self.report);
        }
        // what it was found in stays for whoever looks
        let kept = self.folder.keep();
        let kept = format!("see {}", kept.display());
        ran.map_err(|fault| format!("{fault} ({kept})"))?;
        self.report.kept.push(kept);
        Ok(self.report)
    }

    async fn run_all(&mut self, points: Vec<&'static str>) -> Result<(), Fault> {
        for point in points {
            self.report.runs = self.report.runs.saturating_add(1);
            let mut comes = false;
            for slower in SLOWER {
                let ran = self.to(point, slower).await;
                comes = ran.map_err(|fault| format!("on the way to {point}: {fault}"))?;
                if comes {
                    break;
                }
            }
            if !comes {
                self.report.missed.push(point);
            }
        }
        self.settle().await?;
        self.report.found = self.street.compare().await?;
        Ok(())
    }

    /// One run: a process that dies at this point; `false` if it does not come there.
    async fn to(&mut self, point: &'static str, slower: u32) -> Result<bool, Fault> {
        let (way, passage) = way_to(point, self.kind, &mut self.dice);
        self.set_up(way);
        let node = self.street.armed(&format!("{point}=kill@{passage}")).await?;
        let Some(mut node) = node else {
            self.killed(point);
            return Ok(true);
        };
        if let Some(aims) = way.aims() {
            let run = self.report.runs;
            let new = aims.into_iter().zip(["a", "b"]);
            self.open.extend(
                new.map(|(aim, which)| Errand::new(aim, format!("{run}{which}")).slower(slower)),
            );
        }
        let died = tokio::select! {
            died = self.errands(&node, way) => died?,
            () = tokio::time::sleep(COMES_WITHIN) => false,
        };
        let died = died || node.is_dead_within(COMES_WITHIN).await?;
        if died {
            self.killed(point);
        } else {
            node.kill().await?;
        }
        Ok(died)
    }

    fn set_up(&mut self, way: Way) {
        let options = &mut self.street.options;
        let hurries = matches!(way, Way::AskTooMuch(_));
        options.perform_within =
            if hurries { Duration::from_millis(30) } else { Duration::from_secs(10) };
        options.limit = matches!(way, Way::Crowd(_)).then_some(1);
        let sweeps = matches!(way, Way::Sweep(_));
        options.sweep_every =
            if sweeps { Duration::from_millis(30) } else { Duration::from_secs(5) };
    }

    /// Runs what is open; those that are done are open no more.
    async fn errands(&mut self, node: &Process, way: Way) -> Result<bool, Fault> {
        let mut running = tokio::task::JoinSet::new();
        for mut errand in self.open.drain(..) {
            let (agent, address) = (self.street.agent.clone(), node.address().to_owned());
            running.spawn(async move {
                let done = errand.run(&agent, &address).await.is_ok();
                (errand, done)
            });
        }
        while let Some(ran) = running.join_next().await {
            let (errand, done) = ran?;
            if done || errand.tries() >= TRIES {
                self.all.push(errand);
            } else {
                self.open.push(errand);
            }
        }
        if way == Way::End {
            // it may be dead already
            drop(node.ask_to_end());
        }
        Ok(false)
    }

    fn killed(&mut self, point: &'static str) {
        let kills = self.report.kills.entry(point).or_default();
        *kills = kills.saturating_add(1);
    }

    /// A last process that nothing happens to, until all is known that can be.
    async fn settle(&mut self) -> Result<(), Fault> {
        self.set_up(Way::Start);
        let node = self.street.node().await?;
        self.street.downstream.let_go().await?;
        self.errands(&node, Way::Ask([Aim::Revise; 2])).await?;
        let all: Vec<Errand> = self.all.iter().chain(&self.open).cloned().collect();
        settle(&self.street, node.address(), &all, FINDS_OUT_WITHIN).await?;
        let ended = node.end().await?;
        if ended.success() { Ok(()) } else { Err("the last node did not end well".into()) }
    }
}
