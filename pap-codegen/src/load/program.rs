//! Asks the company's own program for its declared operations.
//!
//! The program is started with `PAP_DESCRIBE` set to a marker that nobody can guess, and answers with
//! one line: the marker and the catalogue. Every other line that it prints is ignored, so a stray
//! `println!` does no harm.

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::codes::Code;
use crate::console::{Console, Stop};
use crate::diagnostic::Problem;

/// The variable that asks a program to describe itself.
const ASK: &str = "PAP_DESCRIBE";

/// A program of the company's.
pub(super) struct Program {
    name: String,
    command: OsString,
    arguments: Vec<String>,
    build: Option<Vec<String>>,
}

impl Program {
    /// A program that Cargo builds and starts.
    pub(super) fn built(package: &str, bin: Option<&str>, cargo: &Path) -> Self {
        let mut choice = vec!["--quiet".to_owned(), "--package".to_owned(), package.to_owned()];
        if let Some(bin) = bin {
            choice.extend(["--bin".to_owned(), bin.to_owned()]);
        }
        let with = |verb: &str| {
            let mut arguments = vec![verb.to_owned()];
            arguments.extend(choice.iter().cloned());
            arguments
        };
        Self {
            name: bin.unwrap_or(package).to_owned(),
            command: cargo.into(),
            arguments: with("run"),
            build: Some(with("build")),
        }
    }

    /// A program that is there already.
    pub(super) fn at(path: &Path) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self { name, command: path.into(), arguments: Vec::new(), build: None }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Builds it, however long that takes: only what comes after has a time limit.
    pub(super) fn build(&self, root: &Path, console: &mut Console<'_>) -> Result<(), Stop> {
        let Some(arguments) = &self.build else { return Ok(()) };
        let mut command = Command::new(&self.command);
        command.args(arguments).current_dir(root);
        let mut child = self.spawn(&mut command)?;
        let said = listen(&mut child);
        while let Ok(said) = said.recv() {
            if let Said::Err(bytes) = said {
                console.err.write_all(&bytes)?;
            }
        }
        let status = self.wait(&mut child)?;
        if status.success() {
            return Ok(());
        }
        let message = format!("`{}` could not be built: `cargo` ended with {status}", self.name);
        Err(Problem::new(Code::BuildFailed, message).help(self.build_help()).into())
    }

    /// Its declared operations as JSON.
    pub(super) fn describe(
        &self,
        root: &Path,
        patience: Duration,
        console: &mut Console<'_>,
    ) -> Result<String, Stop> {
        let marker = marker();
        let mut command = Command::new(&self.command);
        command.args(&self.arguments).env(ASK, &marker).current_dir(root);
        let mut child = self.spawn(&mut command)?;
        let said = listen(&mut child);
        let deadline = Instant::now() + patience;
        let mut answer = None;
        loop {
            match said.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Said::Out(line)) => {
                    answer = line.strip_prefix(&marker).map(str::to_owned).or(answer);
                }
                Ok(Said::Err(bytes)) => console.err.write_all(&bytes)?,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.end(&mut child)?;
                    let waited = format!("was still running after {} s", patience.as_secs());
                    return Err(self.silent(&waited).into());
                }
            }
        }
        let status = self.wait(&mut child)?;
        match answer {
            Some(answer) if status.success() => Ok(answer),
            _ => Err(self.silent(&format!("ended with {status}")).into()),
        }
    }

    fn spawn(&self, command: &mut Command) -> Result<Child, Problem> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().map_err(|error| self.unstarted(&error))
    }

    fn wait(&self, child: &mut Child) -> Result<ExitStatus, Problem> {
        child.wait().map_err(|error| self.unstarted(&error))
    }

    fn end(&self, child: &mut Child) -> Result<(), Problem> {
        child.kill().and_then(|()| child.wait()).map(drop).map_err(|error| self.unstarted(&error))
    }

    fn unstarted(&self, error: &std::io::Error) -> Problem {
        let message = format!("`{}` could not be started: {error}", self.command.to_string_lossy());
        Problem::new(Code::BuildFailed, message).help(self.build_help())
    }

    fn build_help(&self) -> &'static str {
        if self.build.is_some() {
            "make `cargo build` succeed for this package, or name a saved catalogue with `--catalogue`"
        } else {
            "build it first, or name a saved catalogue with `--catalogue`"
        }
    }

    fn silent(&self, ended: &str) -> Problem {
        let message = format!("`{}` did not print its operations: it {ended}", self.name);
        Problem::new(Code::NoAnswer, message)
            .help("make `pap_runtime::describe_if_asked(operations);` the first line of its `main`")
    }
}

/// What a started program said.
enum Said {
    /// A line on its standard output, without the line's end.
    Out(String),
    /// Something on its standard error.
    Err(Vec<u8>),
}

fn listen(child: &mut Child) -> Receiver<Said> {
    let (sender, receiver) = mpsc::channel();
    if let Some(out) = child.stdout.take() {
        hear(out, sender.clone(), |line| {
            Said::Out(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned())
        });
    }
    if let Some(err) = child.stderr.take() {
        hear(err, sender, Said::Err);
    }
    receiver
}

fn hear(stream: impl Read + Send + 'static, to: Sender<Said>, said: fn(Vec<u8>) -> Said) {
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        loop {
            let mut line = Vec::new();
            let more = stream.read_until(b'\n', &mut line).is_ok_and(|read| read > 0);
            if !more || to.send(said(line)).is_err() {
                return;
            }
        }
    });
}

/// 128 bits that no output contains by accident.
fn marker() -> String {
    let part = || RandomState::new().build_hasher().finish();
    format!("pap-describe-{:016x}{:016x}:", part(), part())
}
