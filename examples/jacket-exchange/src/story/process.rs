//! The shop as the story runs it: this same program, as a process of its own, with its log.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::watch;

use super::Told;
use super::gateway::short;
use crate::serve::CrashAfter;

/// The longest that anything here is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) struct ShopProcess {
    pub(super) address: SocketAddr,
    child: Child,
    log: watch::Receiver<Vec<String>>,
}

impl ShopProcess {
    /// A shop on the files in this folder, which is to die at that moment.
    pub(super) async fn start(data: &Path, crash_after: Option<CrashAfter>) -> Told<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["serve", "--port", "0", "--data"]).arg(data);
        if let Some(moment) = crash_after {
            command.args(["--crash-after", &moment.to_string()]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn()?;

        let (lines, log) = watch::channel(Vec::new());
        let stderr = child.stderr.take().ok_or("the shop has no log")?;
        tokio::spawn(keep(BufReader::new(stderr).lines(), lines));
        let stdout = child.stdout.take().ok_or("the shop says nothing")?;
        let mut said = BufReader::new(stdout).lines();
        let Some(first) = tokio::time::timeout(PATIENCE, said.next_line()).await?? else {
            return Err(format!("the shop did not start:\n{}", log.borrow().join("\n")).into());
        };
        let address = first.strip_prefix("listening on http://").unwrap_or(&first).parse()?;
        Ok(Self { address, child, log })
    }

    /// Is over when the process has died.
    pub(super) async fn until_dead(&mut self) -> Told<()> {
        tokio::time::timeout(PATIENCE, self.child.wait()).await??;
        Ok(())
    }

    /// Ends the process as a power cut would.
    pub(super) async fn kill(mut self) -> Told<()> {
        Ok(self.child.kill().await?)
    }

    /// What the log says from `words` on, in the first line that has them and `about`, as soon as it is
    /// there. With short ids.
    pub(super) async fn logged(&mut self, words: &str, about: &str) -> Told<String> {
        let find = |lines: &Vec<String>| {
            let line = lines.iter().find(|line| line.contains(words) && line.contains(about))?;
            line.find(words).and_then(|at| line.get(at..)).map(str::to_owned)
        };
        let logged = self.log.wait_for(|lines| find(lines).is_some());
        let lines = tokio::time::timeout(PATIENCE, logged).await??;
        Ok(short(&find(&lines).unwrap_or_default()))
    }
}

/// Keeps the log until the process ends.
async fn keep(mut log: Lines<BufReader<ChildStderr>>, to: watch::Sender<Vec<String>>) {
    while let Ok(Some(line)) = log.next_line().await {
        to.send_modify(|lines| lines.push(line));
    }
}
