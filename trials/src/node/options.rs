//! How a node is set up, as arguments of its program.

use std::path::PathBuf;
use std::time::Duration;

use pap_runtime::{Limits, Role};

use super::DEAD_AFTER;
use crate::Fault;
use crate::place::Place;

/// A defect that a node can be given, so that the comparison is seen to find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// Recovery performs what it cannot account for, instead of asking.
    PerformAgain,
    /// Recovery takes what it has not seen for what did not happen, with no fence behind that.
    FailUnseen,
    /// A handler says that it succeeded before anything took effect.
    SucceedEarly,
}

/// How a node is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where operations are kept.
    pub place: Place,
    /// The address of the downstream.
    pub downstream: String,
    /// The defect that it was given.
    pub wrong: Option<Wrong>,
    /// After how long a handler may be asked about.
    pub perform_within: Duration,
    /// How long a confirm waits for its handler.
    pub answer_within: Duration,
    /// The first wait between two questions.
    pub ask_first: Duration,
    /// The longest wait between two questions.
    pub ask_most: Duration,
    /// After how many questions a person has to look.
    pub attention_after: u32,
    /// A file that says by how many milliseconds the node's clock is set apart from the machine's.
    pub clock: Option<PathBuf>,
    /// What it does of the company.
    pub does: Does,
    /// How many handlers of one action it runs at once.
    pub limit: Option<u32>,
    /// How often it sweeps.
    pub sweep_every: Duration,
    /// How long it may take to let go of what a proposal held.
    pub release_within: Duration,
    /// How long its handlers get when it is told to end.
    pub drain_within: Duration,
    /// After how long without a word it takes another node for dead.
    pub dead_after: Duration,
}

/// What a node does of a company that has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// It serves and performs.
    Both,
    /// It serves; what it confirms is performed elsewhere.
    Serve,
    /// It performs, and asks.
    Perform,
}

impl Does {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Both, Self::Serve, Self::Perform];

    fn word(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Serve => "serve",
            Self::Perform => "perform",
        }
    }

    fn of(word: &str) -> Result<Self, Fault> {
        let found = Self::ALL.into_iter().find(|does| does.word() == word);
        found.ok_or_else(|| format!("`{word}` is nothing that a node does").into())
    }

    pub(super) fn role(self) -> Role {
        match self {
            Self::Both => Role::Both,
            Self::Serve => Role::Serve,
            Self::Perform => Role::Perform,
        }
    }
}

impl Options {
    /// What a trial uses unless it says otherwise: everything soon.
    pub fn new(place: Place, downstream: impl Into<String>) -> Self {
        Self {
            place,
            downstream: downstream.into(),
            wrong: None,
            perform_within: Duration::from_secs(10),
            answer_within: Duration::from_secs(3),
            ask_first: Duration::from_millis(20),
            ask_most: Duration::from_millis(200),
            attention_after: 1_000,
            clock: None,
            does: Does::Both,
            limit: None,
            sweep_every: Duration::from_secs(5),
            release_within: Duration::from_secs(60),
            drain_within: Duration::from_secs(2),
            dead_after: DEAD_AFTER,
        }
    }

    /// The arguments that say the same.
    pub fn to_arguments(&self) -> Vec<String> {
        let millis = |wait: Duration| wait.as_millis().to_string();
        let mut arguments: Vec<String> = [
            ("--store", self.place.to_string()),
            ("--downstream", self.downstream.clone()),
            ("--perform-within", millis(self.perform_within)),
            ("--answer-within", millis(self.answer_within)),
            ("--ask-first", millis(self.ask_first)),
            ("--ask-most", millis(self.ask_most)),
            ("--attention-after", self.attention_after.to_string()),
            ("--role", self.does.word().to_owned()),
            ("--sweep-every", millis(self.sweep_every)),
            ("--release-within", millis(self.release_within)),
            ("--drain-within", millis(self.drain_within)),
            ("--dead-after", millis(self.dead_after)),
        ]
        .into_iter()
        .flat_map(|(name, value)| [name.to_owned(), value])
        .collect();
        if let Some(limit) = self.limit {
            arguments.extend(["--limit".to_owned(), limit.to_string()]);
        }
        if let Some(clock) = &self.clock {
            arguments.extend(["--clock".to_owned(), clock.display().to_string()]);
        }
        if let Some(wrong) = self.wrong {
            arguments.extend(["--wrong".to_owned(), wrong.word().to_owned()]);
        }
        arguments
    }

    /// Reads what [`Options::to_arguments`] wrote.
    ///
    /// # Errors
    ///
    /// If an argument is unknown or has no fitting value.
    pub fn from_arguments(arguments: &[String]) -> Result<Self, Fault> {
        let mut options = Self::new(Place::Sqlite("operations.db".into()), "");
        for pair in arguments.chunks(2) {
            let [name, value] = pair else {
                return Err(format!("`{}` needs a value", pair.concat()).into());
            };
            let millis = || Ok::<_, Fault>(Duration::from_millis(value.parse()?));
            match name.as_str() {
                "--store" => options.place = value.parse()?,
                "--downstream" => options.downstream.clone_from(value),
                "--perform-within" => options.perform_within = millis()?,
                "--answer-within" => options.answer_within = millis()?,
                "--ask-first" => options.ask_first = millis()?,
                "--ask-most" => options.ask_most = millis()?,
                "--attention-after" => options.attention_after = value.parse()?,
                "--role" => options.does = Does::of(value)?,
                "--limit" => options.limit = Some(value.parse()?),
                "--sweep-every" => options.sweep_every = millis()?,
                "--release-within" => options.release_within = millis()?,
                "--drain-within" => options.drain_within = millis()?,
                "--dead-after" => options.dead_after = millis()?,
                "--clock" => options.clock = Some(value.into()),
                "--wrong" => options.wrong = Some(Wrong::of(value)?),
                other => return Err(format!("a node has no option `{other}`").into()),
            }
        }
        Ok(options)
    }
}

impl Options {
    /// The limits of every action that has some.
    pub(super) fn limits(&self) -> Option<Limits> {
        self.limit.map(|limit| Limits::new().perform(limit))
    }
}

impl Wrong {
    const ALL: [Self; 3] = [Self::PerformAgain, Self::FailUnseen, Self::SucceedEarly];

    fn word(self) -> &'static str {
        match self {
            Self::PerformAgain => "perform-again",
            Self::FailUnseen => "fail-unseen",
            Self::SucceedEarly => "succeed-early",
        }
    }

    fn of(word: &str) -> Result<Self, Fault> {
        let found = Self::ALL.into_iter().find(|wrong| wrong.word() == word);
        found.ok_or_else(|| format!("`{word}` is no defect that a node can be given").into())
    }
}
