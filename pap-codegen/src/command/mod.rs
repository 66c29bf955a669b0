//! The commands, and what they share: from arguments to an exit code.

mod check;
mod explain;
mod generate;
mod guard;
mod init;
mod list;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{ColorChoice, CommandFactory, FromArgMatches};
use pap_protocol::catalogue::Catalogue;

pub use guard::guarded;

use crate::backend::{self, Input};
use crate::cli::{Cli, Command, Global};
use crate::config::Config;
use crate::console::{Console, Stop, Surroundings};
use crate::diagnostic::Problem;
use crate::exit::Exit;
use crate::load;
use crate::output::FileSet;

/// Runs one command: what was asked for goes to `out`, everything else to `err`.
///
/// A stream that somebody closed ends the run quietly.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    surroundings: &Surroundings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Exit {
    match parsed(arguments) {
        Ok(cli) => {
            let mut console = Console::new(&cli.global, surroundings, out, err);
            let ended = dispatch(&cli, surroundings, &mut console);
            exit_of(ended, &mut console)
        }
        Err(error) => {
            let text = error.render();
            let (said, exit) = if error.use_stderr() {
                (write!(err, "{text}"), Exit::Usage)
            } else {
                (write!(out, "{text}"), Exit::Done)
            };
            said.map_or_else(|error| closed(&error), |()| exit)
        }
    }
}

fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    // `render` is written as plain text, so nothing here may ask the terminal for colour
    let command = Cli::command().color(ColorChoice::Never);
    let matches = command.try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

fn dispatch(
    cli: &Cli,
    surroundings: &Surroundings,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let work = |console: &mut Console<'_>| Work::load(&cli.global, surroundings, console);
    match &cli.command {
        Command::Init(arguments) => init::init(arguments, surroundings, console),
        Command::Explain(arguments) => explain::explain(arguments, console),
        Command::Check => check::check(&work(console)?, console),
        Command::List => list::list(&work(console)?, console),
        Command::Generate(arguments) if arguments.check => check::check(&work(console)?, console),
        Command::Generate(arguments) => {
            backend::known(&arguments.targets)?;
            generate::generate(&work(console)?, arguments, console)
        }
    }
}

fn exit_of(ended: Result<Exit, Stop>, console: &mut Console<'_>) -> Exit {
    match ended {
        Ok(exit) => exit,
        Err(Stop::Console(error)) => closed(&error),
        Err(Stop::Problems(problems)) => {
            let exit = problems.iter().map(Problem::exit).max().unwrap_or(Exit::Declarations);
            match say_all(&problems, console) {
                Ok(()) => exit,
                Err(error) => closed(&error),
            }
        }
    }
}

fn say_all(problems: &[Problem], console: &mut Console<'_>) -> io::Result<()> {
    for (index, problem) in problems.iter().enumerate() {
        if index > 0 {
            console.gap()?;
        }
        console.problem(problem)?;
    }
    Ok(())
}

/// A closed pipe is the reader's choice, not an error.
fn closed(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe { Exit::Done } else { Exit::Io }
}

/// What every command about operations starts from.
struct Work {
    config: Config,
    catalogue: Catalogue,
}

impl Work {
    fn load(
        global: &Global,
        surroundings: &Surroundings,
        console: &mut Console<'_>,
    ) -> Result<Self, Stop> {
        let named = global.config.as_deref().or(surroundings.config.as_deref());
        let config = Config::load(named, &surroundings.directory)?;
        let saved = global.catalogue.as_deref();
        let catalogue = load::load(&config, saved, surroundings, console)?;
        Ok(Self { config, catalogue })
    }

    /// The files of the wanted targets, and what should be said about them.
    fn files(
        &self,
        is_selected: &dyn Fn(&str) -> bool,
    ) -> Result<(FileSet, Vec<Problem>), Vec<Problem>> {
        let mut files = FileSet::default();
        let mut warnings = Vec::new();
        let mut problems = Vec::new();
        for target in self.config.targets.iter().filter(|target| is_selected(target.name)) {
            let (_, backend) = backend::find(target.name).map_err(|problem| vec![problem])?;
            let input = Input::new(&self.config, target, &self.catalogue.operations);
            let added = backend
                .files(&input, &mut warnings)
                .and_then(|written| files.add(backend.name(), written));
            if let Err(found) = added {
                problems.extend(found);
            }
        }
        if problems.is_empty() { Ok((files, warnings)) } else { Err(problems) }
    }
}
