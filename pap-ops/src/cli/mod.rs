//! The command `pap-ops`, also for a company that puts it into a program of its own.
//!
//! A command asks the admin router: of the store that it opens, or at an address. What it prints with `--json`
//! is that router's answer, whose form is [`crate::form`].

mod args;
mod command;
mod console;
#[cfg(test)]
mod documented;
mod exit;
mod source;
mod store;
mod table;
mod words;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::Arc;

use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _};
use http::StatusCode;
use http::request::Parts;
use pap_runtime::operators::Operators;
use pap_runtime::store::Search;

pub use exit::Exit;

use crate::admin::{Operator, router};
use args::{Cli, Global};
use command::Needs;
use console::{Console, Stop};
use source::{Remote, Source};
use store::Named;
use words::plain;

type Variables = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// What surrounds a run: the environment, and whether a person is there.
#[derive(Clone)]
pub struct Surroundings {
    variables: Variables,
    interactive: bool,
    over: Option<Operators>,
}

impl Surroundings {
    /// With these environment variables; nobody is asked anything.
    pub fn with(variables: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { variables: Arc::new(variables), interactive: false, over: None }
    }

    /// A person is at the terminal, who can be asked.
    #[must_use]
    pub fn interactive(self) -> Self {
        Self { interactive: true, ..self }
    }

    /// Over a company that runs in this process, or a store that is open already: no `--store` is needed.
    #[must_use]
    pub fn over(self, operators: Operators) -> Self {
        Self { over: Some(operators), ..self }
    }

    /// A flag's value, or its variable's.
    fn or_variable(&self, flag: Option<&String>, variable: &str) -> Option<String> {
        flag.cloned().or_else(|| (self.variables)(variable)).filter(|value| !value.is_empty())
    }
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings")
            .field("interactive", &self.interactive)
            .finish_non_exhaustive()
    }
}

/// The streams of a run.
#[expect(clippy::exhaustive_structs, reason = "a process has these three")]
pub struct Streams<'a> {
    /// What a person answers.
    pub input: &'a mut (dyn BufRead + Send),
    /// What was asked for.
    pub out: &'a mut (dyn Write + Send),
    /// Everything else.
    pub err: &'a mut (dyn Write + Send),
}

impl fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Streams").finish_non_exhaustive()
    }
}

/// Runs one command. A stream that somebody closed ends the run quietly.
///
/// # Examples
///
/// A company's own program gets the command for what runs in it:
///
/// ```
/// use std::io::{self, BufReader};
///
/// use pap_ops::cli::{Exit, Streams, Surroundings, run};
/// use pap_runtime::operators::Operators;
///
/// async fn ops(operators: Operators, arguments: Vec<std::ffi::OsString>) -> Exit {
///     let surroundings = Surroundings::with(|name| std::env::var(name).ok()).over(operators);
///     let streams = Streams {
///         input: &mut BufReader::new(io::stdin()),
///         out: &mut io::stdout(),
///         err: &mut io::stderr(),
///     };
///     run(arguments, &surroundings, streams).await
/// }
/// ```
pub async fn run(
    arguments: impl IntoIterator<Item = OsString>,
    surroundings: &Surroundings,
    streams: Streams<'_>,
) -> Exit {
    let Streams { input, out, err } = streams;
    let cli = match parsed(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let (to, exit): (&mut dyn Write, _) =
                if error.use_stderr() { (err, Exit::Usage) } else { (out, Exit::Done) };
            return write!(to, "{}", error.render()).map_or_else(|error| closed(&error), |()| exit);
        }
    };
    let (json, interactive) = (cli.global.json, surroundings.interactive);
    let mut console = Console { out, err, input, interactive, json };
    let ended = dispatch(&cli, surroundings, &mut console).await;
    exit_of(ended, &mut console)
}

fn parsed(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    // `render` is written as plain text, so nothing here may ask the terminal for colour
    let command = Cli::command().color(ColorChoice::Never);
    let matches = command.try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

async fn dispatch(
    cli: &Cli,
    surroundings: &Surroundings,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let needs = command::needs(&cli.command);
    if needs == Needs::Store {
        if cli.global.admin.is_some() {
            let what =
                "this command is about the store itself, which a company that runs cannot do";
            return Err(Stop::usage(what).help("name it with --store instead of --admin"));
        }
        let store = named_store(&cli.global, surroundings)?;
        return store::upkeep(&cli.command, &store, console).await;
    }
    let source = source(cli, needs, surroundings, console).await?;
    command::run(&cli.command, &source, console).await
}

/// Whom the command asks.
async fn source(
    cli: &Cli,
    needs: Needs,
    surroundings: &Surroundings,
    console: &mut Console<'_>,
) -> Result<Source, Stop> {
    let global = &cli.global;
    let who = command::who(&cli.command);
    if let Some(operators) = &surroundings.over {
        return here(operators.clone(), needs, who);
    }
    // a flag is nearer than a variable, whichever it names
    let admin = match &global.store {
        Some(_) => None,
        None => surroundings.or_variable(global.admin.as_ref(), "PAP_ADMIN"),
    };
    if let Some(address) = admin {
        if who.is_some() {
            let what = "--who goes with --store: at an address your token says who you are";
            return Err(Stop::usage(what).help("leave --who out"));
        }
        let token = (surroundings.variables)(&global.token_env).filter(|token| !token.is_empty());
        return Ok(Source::There(Remote::at(&address, token)?));
    }
    let store = named_store(global, surroundings)?;
    let company = surroundings.or_variable(global.company.as_ref(), "PAP_COMPANY");
    let company = company.ok_or_else(|| {
        Stop::usage("a store can hold several companies, and none was named")
            .help("add --company 'NAME', as in `.name(\"NAME\")`, or set PAP_COMPANY")
    })?;
    let operators = store::open(&store, &company, needs).await?;
    say_if_nobodys(&operators, console).await?;
    here(operators, needs, who)
}

/// A company that is misspelt has nothing in progress either: nobody should go back to sleep on that.
async fn say_if_nobodys(operators: &Operators, console: &mut Console<'_>) -> Result<(), Stop> {
    let one = Search { limit: 1, ..Search::default() };
    // an error is the command's own to meet
    let Ok(page) = operators.find(one).await else { return Ok(()) };
    if page.operations.is_empty() && page.next.is_none() {
        console.say(&format!(
            "note: this store has no operation of a company `{}`: is that its name, letter by letter?",
            plain(operators.company())
        ))?;
    }
    Ok(())
}

fn here(operators: Operators, needs: Needs, who: Option<&str>) -> Result<Source, Stop> {
    let who = match (needs, who.map(str::trim).filter(|who| !who.is_empty())) {
        (_, Some(who)) => who,
        (Needs::Look | Needs::Store, None) => "pap-ops",
        (Needs::Change, None) => {
            let what = "nobody was named who does this: it is kept on the record";
            return Err(Stop::usage(what).help("add --who NAME"));
        }
    };
    let operator = Operator::named(who);
    let guard = move |_: &Parts| Ok::<_, StatusCode>(operator.clone());
    Ok(Source::Here(router(operators, guard)))
}

fn named_store(global: &Global, surroundings: &Surroundings) -> Result<Named, Stop> {
    let store = surroundings.or_variable(global.store.as_ref(), "PAP_STORE").ok_or_else(|| {
        Stop::usage("no store was named").help(
            "add --store sqlite:PATH, or --admin URL for a company that runs, or set PAP_STORE or PAP_ADMIN",
        )
    })?;
    let schema = surroundings.or_variable(global.schema.as_ref(), "PAP_SCHEMA");
    let ca_file = surroundings.or_variable(global.ca_file.as_ref(), "PAP_CA_FILE");
    Ok(Named { store, schema, ca_file: ca_file.map(Into::into) })
}

fn exit_of(ended: Result<Exit, Stop>, console: &mut Console<'_>) -> Exit {
    match ended {
        Ok(exit) => exit,
        Err(Stop::Console(error)) => closed(&error),
        Err(Stop::Not(not)) => {
            let exit = not.exit;
            console.not_done(&not).map_or_else(|error| closed(&error), |()| exit)
        }
    }
}

/// A closed pipe is the reader's choice, not an error.
fn closed(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe { Exit::Done } else { Exit::Failed }
}
