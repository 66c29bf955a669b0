//! Runs steps in order, says which, and stops at the first that fails.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Error;
use crate::steps::plan::{Job, Plan, plan};
use crate::steps::{Step, openapi};
use crate::tidy;
use crate::tree::Tree;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "it passed or it did not")]
pub enum Ended {
    /// Every step passed.
    Passed,
    /// This step did not.
    FailedAt(&'static str),
}

/// Runs the steps in the repository at `root`. What cargo prints goes where ours goes: to the
/// terminal, untouched.
///
/// # Errors
///
/// [`Error`] if a step could not be tried at all.
pub fn run(root: &Path, steps: &[Step], out: &mut dyn Write) -> Result<Ended, Error> {
    let start = Instant::now();
    let tree = Tree::read(root)?;
    let nextest = has_nextest(root);
    for (index, step) in steps.iter().enumerate() {
        let place = format!("{} of {}, {}", index + 1, steps.len(), step.name);
        writeln!(out, "\n[{}/{}] {}: {}", index + 1, steps.len(), step.name, step.shows)?;
        out.flush()?;
        let tried = plan(step.work, &tree, nextest).and_then(|plan| failed(root, &plan, out));
        match tried {
            Ok(None) => {}
            Ok(Some(why)) => {
                writeln!(out, "\nFAILED at step {place}: {why}")?;
                return Ok(Ended::FailedAt(step.name));
            }
            Err(error) => {
                writeln!(out, "\nFAILED at step {place}: it could not be tried")?;
                return Err(error);
            }
        }
    }
    writeln!(out, "\nall {} steps passed in {} s", steps.len(), start.elapsed().as_secs())?;
    Ok(Ended::Passed)
}

/// Runs the trials' own program with these words; its last line says what was found.
///
/// # Errors
///
/// [`Error`] if it could not be tried at all.
pub fn trial(root: &Path, words: &[&str]) -> Result<Ended, Error> {
    let mut cargo = clean("cargo");
    cargo.current_dir(root).args(["run", "--quiet", "--locked", "-p", "pap-trials", "--"]);
    let status = cargo.args(words).status().map_err(|source| start_error("cargo", source))?;
    Ok(if status.success() { Ended::Passed } else { Ended::FailedAt("trials") })
}

/// Measures, in a build as a company ships it; the tables and plots go into `docs/`.
///
/// # Errors
///
/// [`Error`] if cargo could not be started.
pub fn bench(root: &Path, options: &[&str], out: &mut dyn Write) -> Result<Ended, Error> {
    const BUILT: [&str; 6] = ["run", "--quiet", "--release", "--locked", "-p", "pap-bench"];
    writeln!(out, "measuring: nothing else should run on this machine")?;
    out.flush()?;
    let mut cargo = clean("cargo");
    cargo.current_dir(root).args(BUILT).args(["--", "--write", "docs"]).args(options);
    let status = cargo.status().map_err(|source| start_error("cargo", source))?;
    Ok(if status.success() { Ended::Passed } else { Ended::FailedAt("bench") })
}

/// Why a step did not pass, if so.
fn failed(root: &Path, plan: &Plan, out: &mut dyn Write) -> Result<Option<String>, Error> {
    match plan {
        Plan::Nothing(why) => {
            writeln!(out, "nothing to do: {why}")?;
            Ok(None)
        }
        Plan::Tidy => {
            let found = tidy::findings(root)?;
            for finding in &found {
                writeln!(out, "{finding}")?;
            }
            Ok((!found.is_empty()).then(|| format!("findings: {}", found.len())))
        }
        Plan::Cargo(jobs) => {
            for job in jobs {
                writeln!(out, "  {}", job.typed())?;
                out.flush()?;
                let status = cargo(root, job).status();
                let status = status.map_err(|source| start_error("cargo", source))?;
                if !status.success() {
                    return Ok(Some(format!("`{}` ended with {status}", job.typed())));
                }
            }
            Ok(None)
        }
        Plan::OpenApi(documents) => openapi::failed(root, documents, out),
    }
}

fn cargo(root: &Path, job: &Job) -> Command {
    let mut cargo = clean("cargo");
    cargo.current_dir(root.join(&job.folder)).args(&job.args).stdin(Stdio::null());
    cargo.envs(job.env.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    cargo
}

/// A program without what `cargo run` told this one about its own package.
pub(crate) fn clean(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (key, _) in std::env::vars_os() {
        let name = key.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&key);
        }
    }
    command
}

pub(crate) fn start_error(program: &str, source: std::io::Error) -> Error {
    Error::Start { program: program.to_owned(), source }
}

fn has_nextest(root: &Path) -> bool {
    let mut ask = clean("cargo");
    ask.current_dir(root)
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    ask.status().is_ok_and(|status| status.success())
}
