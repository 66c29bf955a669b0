//! Another process of this program: told by lines, answering by lines.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child as Process, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::agent::Agent;
use crate::error::Error;
use crate::load::{Requests, load};
use crate::serve::{Kind, Place};

/// A process that ends when this is dropped.
#[derive(Debug)]
struct Child {
    process: Process,
    told: Option<ChildStdin>,
    says: BufReader<ChildStdout>,
}

impl Child {
    fn start(args: &[&str], place: Place<'_>) -> Result<Self, Error> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(args);
        match place {
            Place::Folder(folder) => command.arg(folder),
            Place::Database(url) => command.args(["--database", url, "."]),
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let says = process.stdout.take().ok_or_else(|| Error::said("a process says nothing"))?;
        let told = process.stdin.take();
        Ok(Self { process, told, says: BufReader::new(says) })
    }

    fn tell(&mut self, line: &str) -> Result<String, Error> {
        let told = self.told.as_mut().ok_or_else(|| Error::said("a process is not told"))?;
        writeln!(told, "{line}")?;
        told.flush()?;
        self.said()
    }

    fn said(&mut self) -> Result<String, Error> {
        let mut line = String::new();
        self.says.read_line(&mut line)?;
        if line.is_empty() {
            return Err(Error::said("a process ended before it answered"));
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // the end of its input is its end
        drop(self.told.take());
        let ended = self.process.wait();
        drop(ended);
    }
}

/// What a slice of time came to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slice {
    pub(crate) per_second: f64,
    /// CPU time of the server for each confirm, in microseconds.
    pub(crate) cpu_us: f64,
    /// Milliseconds.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    /// Memory of the server afterwards, in KiB.
    pub(crate) resident: f64,
}

/// A server in a process of its own, with confirms to send to it.
#[derive(Debug)]
pub(crate) struct Server<'a> {
    child: Child,
    port: u16,
    agent: &'a Agent,
    proposed: Vec<String>,
}

impl<'a> Server<'a> {
    pub(crate) fn start(kind: Kind, place: Place<'_>, agent: &'a Agent) -> Result<Self, Error> {
        let (kind, thumbprint) = (kind.word(), agent.thumbprint());
        // one word: a thumbprint may begin with a dash
        let thumbprint = format!("--thumbprint={thumbprint}");
        let mut child = Child::start(&["serve", kind, &thumbprint], place)?;
        let port = child.said()?.parse()?;
        Ok(Self { child, port, agent, proposed: Vec::new() })
    }

    /// Has it hold so many more operations that have ended.
    pub(crate) fn end(&mut self, count: u64) -> Result<(), Error> {
        self.child.tell(&format!("end {count}")).map(drop)
    }

    /// Confirms over so many connections for so long. Operations and proofs are made before.
    pub(crate) async fn slice(
        &mut self,
        connections: usize,
        most: usize,
        during: Duration,
    ) -> Result<Slice, Error> {
        self.propose(most)?;
        let mut proposed = std::mem::take(&mut self.proposed);
        let slice = self.confirm(&mut proposed, connections, during).await;
        self.proposed = proposed;
        slice
    }

    /// The same with what another process on the same store proposed.
    pub(crate) async fn slice_of(
        &mut self,
        other: &mut Self,
        connections: usize,
        most: usize,
        during: Duration,
    ) -> Result<Slice, Error> {
        other.propose(most)?;
        self.confirm(&mut other.proposed, connections, during).await
    }

    /// Has so many operations ready.
    fn propose(&mut self, most: usize) -> Result<(), Error> {
        let missing = most.saturating_sub(self.proposed.len());
        if missing > 0 {
            let ids = self.child.tell(&format!("propose {missing}"))?;
            self.proposed.extend(ids.split(' ').map(str::to_owned));
        }
        Ok(())
    }

    async fn confirm(
        &mut self,
        proposed: &mut Vec<String>,
        connections: usize,
        during: Duration,
    ) -> Result<Slice, Error> {
        let signed = proposed.iter().rev().map(|id| self.agent.confirm(id));
        let requests: Requests = Arc::new(Mutex::new(signed.collect::<Result<_, _>>()?));
        let (before, _) = self.usage()?;
        let loaded = load(self.port, connections, &requests, during).await?;
        let (after, resident) = self.usage()?;
        let confirmed = loaded.latencies.len();
        proposed.drain(..confirmed.min(proposed.len()));
        let (count, mut latencies) = (number(confirmed), loaded.latencies);
        latencies.sort_unstable();
        Ok(Slice {
            per_second: count / loaded.elapsed.as_secs_f64(),
            cpu_us: after.saturating_sub(before).as_secs_f64() * 1e6 / count,
            p50: at(&latencies, 50),
            p99: at(&latencies, 99),
            resident,
        })
    }

    fn usage(&mut self) -> Result<(Duration, f64), Error> {
        let said = self.child.tell("usage")?;
        let (cpu, resident) = said.split_once(' ').unwrap_or_default();
        Ok((Duration::from_micros(cpu.parse()?), number(resident.parse()?)))
    }
}

/// The bare store in a process of its own.
#[derive(Debug)]
pub(crate) struct BareStore(Child);

impl BareStore {
    pub(crate) fn start(place: Place<'_>) -> Result<Self, Error> {
        let mut child = Child::start(&["bare"], place)?;
        child.said()?;
        Ok(Self(child))
    }

    /// Confirms by so many clients, in batches of this size, for so long.
    pub(crate) fn slice(
        &mut self,
        (clients, batch): (usize, usize),
        during: Duration,
    ) -> Result<Slice, Error> {
        let said = self.0.tell(&format!("{clients} {batch} {}", during.as_micros()))?;
        let numbers = said.split(' ').map(str::parse).collect::<Result<Vec<u32>, _>>()?;
        let &[count, elapsed_us, cpu_us] = numbers.as_slice() else {
            return Err(Error::said("the bare store says three numbers"));
        };
        let count = f64::from(count);
        Ok(Slice {
            per_second: count * 1e6 / f64::from(elapsed_us),
            cpu_us: f64::from(cpu_us) / count,
            ..Slice::default()
        })
    }
}

/// The value below which so many of a hundred are, in milliseconds.
fn at(sorted: &[Duration], percent: usize) -> f64 {
    let index = sorted.len().saturating_sub(1) * percent / 100;
    sorted.get(index).copied().unwrap_or_default().as_secs_f64() * 1e3
}

/// A count as a number to calculate with; counts here are far below what it holds exactly.
pub(crate) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
