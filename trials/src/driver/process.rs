//! Processes of the trials, and the signals they are sent.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::Fault;
use crate::machine_clock::MachineClock;
use crate::node::Options;

/// The longest that anything is waited for: a machine that is loaded twenty-fold still gets there.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A process that serves, until it is killed; at the latest when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    address: String,
}

/// How to start processes of the trials: this program, and where their words go.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    log: PathBuf,
    level: &'static str,
    environment: Vec<(OsString, OsString)>,
}

impl Program {
    /// This program or, in a test, the one that was built beside it; what it logs goes to `log`.
    pub fn new(path: impl Into<PathBuf>, log: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), log: log.into(), level: "info", environment: Vec::new() }
    }

    /// Logs what went wrong alone.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self { level: "error", ..self }
    }

    /// Nodes are started on this clock from now on; the downstream has the machine's.
    #[must_use]
    pub fn on(self, clock: &MachineClock) -> Self {
        Self { environment: clock.environment(), ..self }
    }

    /// A node; `armed` are fail-points as in `PAP_FAILPOINTS`. `None` if it died before it served.
    ///
    /// # Errors
    ///
    /// If it cannot be started or says nothing.
    pub async fn node(&self, options: &Options, armed: &str) -> Result<Option<Process>, Fault> {
        let mut command = self.command("node")?;
        command.args(options.to_arguments()).env(pap_runtime::failpoint::VARIABLE, armed);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        serving(command).await
    }

    /// A downstream over this ledger.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub async fn downstream(&self, ledger: &Path) -> Result<Process, Fault> {
        let mut command = self.command("downstream")?;
        command.arg("--ledger").arg(ledger);
        serving(command).await?.ok_or_else(|| "the downstream did not start".into())
    }

    fn command(&self, what: &str) -> Result<Command, Fault> {
        let log = File::options().create(true).append(true).open(&self.log)?;
        let mut command = Command::new(&self.path);
        command.arg(what).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log);
        command.env("PAP_TRIALS_LOG", self.level).kill_on_drop(true);
        Ok(command)
    }
}

/// Starts it and waits for its address; `None` if it ends without one.
async fn serving(mut command: Command) -> Result<Option<Process>, Fault> {
    let mut child = command.spawn()?;
    let out = child.stdout.take().ok_or("it has no standard output")?;
    let mut lines = BufReader::new(out).lines();
    let Some(first) = timeout(PATIENCE, lines.next_line()).await?? else {
        was_killed(timeout(PATIENCE, child.wait()).await??)?;
        return Ok(None);
    };
    let address = first.trim().strip_prefix("listening on ").ok_or("it said something else")?;
    Ok(Some(Process { child, address: address.to_owned() }))
}

/// A process that ended in any other way has a defect that no trial is about.
fn was_killed(ended: ExitStatus) -> Result<(), Fault> {
    if ended.signal() == Some(Signal::KILL.as_raw()) {
        return Ok(());
    }
    Err(format!("it was not killed, and ended ({ended}): its log says why").into())
}

impl Process {
    /// Where it listens.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Kills it (SIGKILL), and waits until it is gone.
    ///
    /// # Errors
    ///
    /// If it cannot be waited for.
    pub async fn kill(mut self) -> Result<(), Fault> {
        self.child.start_kill()?;
        timeout(PATIENCE, self.child.wait()).await??;
        Ok(())
    }

    /// Asks it to end (SIGTERM), and waits until it is gone.
    ///
    /// # Errors
    ///
    /// If it does not end.
    pub async fn end(mut self) -> Result<ExitStatus, Fault> {
        self.send(Signal::TERM)?;
        Ok(timeout(PATIENCE, self.child.wait()).await??)
    }

    /// Asks it to end (SIGTERM).
    ///
    /// # Errors
    ///
    /// If it is gone.
    pub fn ask_to_end(&self) -> Result<(), Fault> {
        self.send(Signal::TERM)
    }

    /// Pauses it (SIGSTOP).
    ///
    /// # Errors
    ///
    /// If it is gone.
    pub fn pause(&self) -> Result<(), Fault> {
        self.send(Signal::STOP)
    }

    /// Lets it go on (SIGCONT).
    ///
    /// # Errors
    ///
    /// If it is gone.
    pub fn go_on(&self) -> Result<(), Fault> {
        self.send(Signal::CONT)
    }

    /// Waits until it has died by itself, at most so long; `false` if it lives.
    ///
    /// # Errors
    ///
    /// If it cannot be waited for.
    pub async fn is_dead_within(&mut self, within: Duration) -> Result<bool, Fault> {
        match timeout(within, self.child.wait()).await {
            Ok(ended) => was_killed(ended?).map(|()| true),
            Err(_elapsed) => Ok(false),
        }
    }

    /// Waits until it has stopped itself at a fail-point.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub async fn until_stopped(&self) -> Result<(), Fault> {
        let stat = format!("/proc/{}/stat", self.child.id().ok_or("it is gone")?);
        let give_up = Instant::now() + PATIENCE;
        while Instant::now() < give_up {
            let stat = std::fs::read_to_string(&stat)?;
            if stat.rsplit(") ").next().is_some_and(|after| after.starts_with('T')) {
                return Ok(());
            }
            sleep(Duration::from_millis(2)).await;
        }
        Err("it did not stop".into())
    }

    fn send(&self, signal: Signal) -> Result<(), Fault> {
        let id = self.child.id().ok_or("it is gone")?;
        let pid = Pid::from_raw(i32::try_from(id)?).ok_or("it has no id")?;
        Ok(kill_process(pid, signal)?)
    }
}
