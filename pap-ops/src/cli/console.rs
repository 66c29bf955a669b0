//! Where output goes: what was asked for to `out`, everything else to `err`.

use std::io::{self, BufRead, Write};

use super::exit::Exit;
use crate::form::{Fault, VERSION};

/// Why a command ends early.
#[derive(Debug)]
pub(super) enum Stop {
    /// It was not done.
    Not(Box<NotDone>),
    /// Nobody can be told: a stream is closed or broken.
    Console(io::Error),
}

/// What was not done, and what to type.
#[derive(Debug)]
pub(super) struct NotDone {
    pub(super) exit: Exit,
    /// A word that does not change.
    pub(super) error: String,
    pub(super) what: String,
    pub(super) help: Option<String>,
}

impl Stop {
    pub(super) fn new(exit: Exit, error: &str, what: impl Into<String>) -> Self {
        Self::Not(Box::new(NotDone {
            exit,
            error: error.to_owned(),
            what: what.into(),
            help: None,
        }))
    }

    pub(super) fn usage(what: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", what)
    }

    pub(super) fn unreached(what: impl Into<String>) -> Self {
        Self::new(Exit::Unreached, "not_reached", what)
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        if let Self::Not(not) = &mut self {
            not.help = Some(help.into());
        }
        self
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Console(error)
    }
}

/// The streams of a run and how to speak on them.
pub(super) struct Console<'a> {
    /// What was asked for.
    pub(super) out: &'a mut (dyn Write + Send),
    /// Everything else.
    pub(super) err: &'a mut (dyn Write + Send),
    /// What a person answers.
    pub(super) input: &'a mut (dyn BufRead + Send),
    /// Whether there is a person.
    pub(super) interactive: bool,
    pub(super) json: bool,
}

impl Console<'_> {
    /// A line for a person who watches.
    pub(super) fn say(&mut self, line: &str) -> io::Result<()> {
        if self.json { Ok(()) } else { writeln!(self.err, "{line}") }
    }

    /// Asks; anything but `yes` is a no.
    pub(super) fn agrees(&mut self, question: &str) -> Result<(), Stop> {
        if !self.interactive {
            let what = "nobody is at the terminal to be asked";
            return Err(Stop::usage(what).help("add --yes once you have read what it will do"));
        }
        write!(self.err, "{question} Type `yes`: ")?;
        self.err.flush()?;
        let mut answer = String::new();
        self.input.read_line(&mut answer)?;
        if answer.trim() == "yes" {
            return Ok(());
        }
        Err(Stop::new(Exit::Failed, "declined", "nothing was changed, as you did not say `yes`"))
    }

    pub(super) fn not_done(&mut self, not: &NotDone) -> io::Result<()> {
        if self.json {
            let (error, message) = (not.error.clone(), not.what.clone());
            let fault = Fault { version: VERSION, error, message };
            return writeln!(self.err, "{}", serde_json::to_string(&fault)?);
        }
        writeln!(self.err, "error: {}", not.what)?;
        not.help.iter().try_for_each(|help| writeln!(self.err, "help: {help}"))
    }
}
