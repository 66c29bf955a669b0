//! Where output goes: what was asked for to `out`, everything else to `err`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::cli::{Colour, Global, MessageFormat};
use crate::diagnostic::Problem;

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// These are wrong.
    Problems(Vec<Problem>),
    /// Nobody can be told: a stream is closed or broken.
    Console(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Console(error)
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Problems(vec![problem])
    }
}

impl From<Vec<Problem>> for Stop {
    fn from(problems: Vec<Problem>) -> Self {
        Self::Problems(problems)
    }
}

/// What surrounds a run: folder, environment and terminal.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Surroundings {
    /// The folder that the command runs in.
    pub directory: PathBuf,
    /// `PAP_CONFIG`: the `pap.toml` to read if no flag names one.
    pub config: Option<PathBuf>,
    /// The cargo that builds and starts the company's program.
    pub cargo: PathBuf,
    /// Whether colour suits `out`, unless `--color` says otherwise.
    pub colour_out: bool,
    /// Whether colour suits `err`, unless `--color` says otherwise.
    pub colour_err: bool,
    /// How long the company's program, once built, may take to print its operations.
    pub patience: Duration,
}

impl Surroundings {
    /// Runs in `directory`, with `cargo` from the path, without colour.
    pub fn at(directory: PathBuf) -> Self {
        Self {
            directory,
            config: None,
            cargo: PathBuf::from("cargo"),
            colour_out: false,
            colour_err: false,
            patience: Duration::from_secs(60),
        }
    }
}

/// The two streams of a run and how to speak on them.
pub(crate) struct Console<'a> {
    /// What was asked for.
    pub(crate) out: &'a mut dyn Write,
    /// Everything else.
    pub(crate) err: &'a mut dyn Write,
    pub(crate) colour_out: bool,
    pub(crate) colour_err: bool,
    pub(crate) format: MessageFormat,
    quiet: bool,
}

impl<'a> Console<'a> {
    pub(crate) fn new(
        global: &Global,
        surroundings: &Surroundings,
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
    ) -> Self {
        let colour = |suits| match global.color {
            Colour::Auto => suits,
            Colour::Always => true,
            Colour::Never => false,
        };
        Self {
            out,
            err,
            colour_out: colour(surroundings.colour_out),
            colour_err: colour(surroundings.colour_err),
            format: global.message_format,
            quiet: global.quiet,
        }
    }

    /// A line for a person who watches; machines and `-q` do without.
    pub(crate) fn say(&mut self, line: &str) -> io::Result<()> {
        if self.quiet || self.format == MessageFormat::Json {
            return Ok(());
        }
        writeln!(self.err, "{line}")
    }

    /// A fact for a machine.
    pub(crate) fn fact(&mut self, fact: &Value) -> io::Result<()> {
        if self.format == MessageFormat::Json { writeln!(self.out, "{fact}") } else { Ok(()) }
    }

    /// An empty line between two problems.
    pub(crate) fn gap(&mut self) -> io::Result<()> {
        if self.format == MessageFormat::Human { writeln!(self.err) } else { Ok(()) }
    }

    pub(crate) fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        match self.format {
            MessageFormat::Human => problem.write_human(self.err, self.colour_err),
            MessageFormat::Json => problem.write_json(self.out),
        }
    }
}
