//! A company as a process of its own: real HTTP, a real store, and the fail-points armed from outside.

mod operations;
mod sessions;

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use pap_runtime::clock::{Clock, SystemClock};
use pap_runtime::value::Instant;
use pap_runtime::{Company, failpoint};
use tokio::signal::unix::{SignalKind, signal};

pub use operations::{ACTIONS, steps_of, told};
pub use sessions::{SCOPE, token};

use crate::Fault;
use crate::downstream::Client;
use crate::place::Place;

/// Where agents believe the company to be: proofs are made for it, whatever port a node listens on.
pub const ORIGIN: &str = "https://trials.example.com";

/// How often a node says that it lives.
const BEATS_EVERY: Duration = Duration::from_millis(200);

/// After how long without a word the others take it for dead, where a store has several.
pub const DEAD_AFTER: Duration = Duration::from_millis(1_500);

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
        ]
        .into_iter()
        .flat_map(|(name, value)| [name.to_owned(), value])
        .collect();
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
                "--clock" => options.clock = Some(value.into()),
                "--wrong" => options.wrong = Some(Wrong::of(value)?),
                other => return Err(format!("a node has no option `{other}`").into()),
            }
        }
        Ok(options)
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

/// The machine's clock, set apart by what a file says: one that jumps while the process runs.
#[derive(Debug)]
struct SetApart(PathBuf);

impl Clock for SetApart {
    fn now(&self) -> Instant {
        let said = std::fs::read_to_string(&self.0).unwrap_or_default();
        let apart: i64 = said.trim().parse().unwrap_or_default();
        let now = SystemClock::default().now().as_millis();
        Instant::from_millis(now.saturating_add(apart))
    }
}

/// The company's own state: the system behind it.
#[derive(Debug)]
pub(crate) struct World {
    downstream: Client,
    wrong: Option<Wrong>,
}

/// Serves until it is told to end (SIGTERM), killed, or reaches a fail-point. The first line on the
/// standard output says where.
///
/// # Errors
///
/// If the store does not take it, or the port cannot be listened on.
pub async fn serve(options: Options) -> Result<(), Fault> {
    failpoint::arm_from_environment()?;
    let mut told_to_end = signal(SignalKind::terminate())?;
    let opened = match options.clock {
        Some(file) => options.place.open_on(Arc::new(SetApart(file))).await?,
        None => options.place.open().await?,
    };
    let world = World { downstream: Client::at(options.downstream.clone())?, wrong: options.wrong };
    let company = Company::builder(world)
        .name("Trials")
        .origin(ORIGIN)
        .sessions(sessions::FromToken)
        .shared_store(Arc::clone(&opened.store))
        .operations(operations::operations())
        .perform_within(options.perform_within)
        .answer_within(options.answer_within)
        .retry_after(Duration::from_secs(1))
        .ask_again(options.ask_first, options.ask_most)
        .attention_after(options.attention_after)
        .heartbeat(BEATS_EVERY, DEAD_AFTER)
        .start()
        .await?;
    let router = company.in_front_of(Router::new());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "listening on http://{}", listener.local_addr()?)?;
    let end = async move {
        told_to_end.recv().await;
    };
    tokio::select! {
        served = async { axum::serve(listener, router).await } => served?,
        () = end => {}
    }
    company.close().await?;
    drop(company);
    opened.close().await;
    Ok(())
}
