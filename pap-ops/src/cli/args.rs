//! The arguments, and nothing else.

use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand};
use pap_protocol::operation::{OperationId, State};
use pap_protocol::value::Instant;
use pap_runtime::store::EventKind;

use super::exit::Exit;
use super::words::{age, moment};
use crate::form::{Outcome, What};

/// Finds, shows and settles operations, and does what else people on call do.
#[derive(Debug, Parser)]
#[command(
    name = "pap-ops",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    subcommand_required = true,
    disable_help_subcommand = true,
    after_long_help = after_help()
)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// Above the flags that every command has.
const WHERE: &str = "Where the operations are";

/// What every command takes.
#[derive(Debug, Args)]
pub(super) struct Global {
    #[arg(
        long,
        global = true, help_heading = WHERE,
        value_name = "STORE",
        conflicts_with = "admin",
        help = "The store: `sqlite:PATH` or `postgres://…` [env: PAP_STORE]"
    )]
    pub(super) store: Option<String>,
    #[arg(
        long,
        global = true, help_heading = WHERE,
        value_name = "NAME",
        help = "The company whose operations are in the store [env: PAP_COMPANY]"
    )]
    pub(super) company: Option<String>,
    #[arg(
        long,
        global = true,
        help_heading = WHERE,
        value_name = "NAME",
        help = "The schema in PostgreSQL, if it is not `pap` [env: PAP_SCHEMA]"
    )]
    pub(super) schema: Option<String>,
    #[arg(
        long,
        global = true,
        help_heading = WHERE,
        value_name = "FILE",
        help = "The authority that signed PostgreSQL's certificate, as PEM [env: PAP_CA_FILE]"
    )]
    pub(super) ca_file: Option<String>,
    #[arg(
        long,
        global = true, help_heading = WHERE,
        value_name = "URL",
        help = "Ask the admin router of a running company at this address [env: PAP_ADMIN]"
    )]
    pub(super) admin: Option<String>,
    /// The environment variable that holds the bearer token for --admin
    #[arg(long, global = true, help_heading = WHERE, value_name = "VAR", default_value = "PAP_ADMIN_TOKEN")]
    pub(super) token_env: String,
    /// Print JSON, version 1, one document per line
    #[arg(long, global = true)]
    pub(super) json: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List operations, oldest proposal first
    List(List),
    /// Show one operation and what happened to it
    Show(Show),
    /// Say how an operation in progress ended; it never changes after that
    Settle(Settle),
    /// Have an operation in progress asked about now, also one that was put aside
    AskNow(AskNow),
    /// Count what is in progress, action by action
    OpenWork,
    /// Hold back new operations, or confirmations, on every node
    Pause(HoldBack),
    /// End a pause
    Resume(HoldBack),
    /// List what is held back
    Pauses,
    /// List what operators did, and why: pauses, their ends, purges and erasures
    Acts(Acts),
    /// Remove operations that ended long ago
    Purge(Purge),
    /// Blank what the ended operations of an account say
    Erase(Erase),
    /// Print everything on record about an account, one JSON object per line
    Export(Export),
    /// Print what happened, oldest first
    Events(Events),
    /// Print the gauges of what is in progress, as Prometheus reads them
    Metrics,
    /// Look whether everything on record fits together; exit 1 if something does not
    Verify,
    /// Bring the store's tables to this version, or say what that would take
    Migrate(Migrate),
    /// Take a store that was restored from a backup into use again
    Restore(Restore),
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[arg(
        long,
        value_name = "STATE",
        help = "Only in this state: proposed, in_progress, succeeded, failed, cancelled or expired"
    )]
    pub(super) state: Option<State>,
    /// Only of this action
    #[arg(long, value_name = "ACTION")]
    pub(super) action: Option<String>,
    /// Only of this account
    #[arg(long, value_name = "ACCOUNT")]
    pub(super) account: Option<String>,
    /// Only with this reference
    #[arg(long, value_name = "REFERENCE")]
    pub(super) reference: Option<String>,
    /// Only proposed at least so long ago, such as 30m, 2h or 90d
    #[arg(long, alias = "age", value_name = "AGE", value_parser = age)]
    pub(super) older_than: Option<Duration>,
    /// Only those that came into their state in so short a time, such as 30m
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub(super) since: Option<Duration>,
    /// Only those in progress that a person has to look at
    #[arg(long)]
    pub(super) attention: bool,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(super) limit: u32,
    /// Go on where the list before ended
    #[arg(long, value_name = "PLACE")]
    pub(super) after: Option<i64>,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// Which operation
    #[arg(value_name = "ID")]
    pub(super) id: OperationId,
    /// Also what it says: summary, terms, changes and result, which are the User's
    #[arg(long)]
    pub(super) terms: bool,
}

/// Who does it, and why: both are kept.
#[derive(Debug, Clone, Args)]
pub(super) struct Because {
    /// Who you are; with --admin your token says it
    #[arg(long, value_name = "NAME")]
    pub(super) who: Option<String>,
    /// What it rests on, such as a ticket
    #[arg(long, value_name = "TEXT")]
    pub(super) why: String,
}

/// The same, where nothing but a dry run goes without.
#[derive(Debug, Clone, Args)]
pub(super) struct BecauseUnlessDry {
    /// Only count
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Who you are; with --admin your token says it
    #[arg(long, value_name = "NAME")]
    pub(super) who: Option<String>,
    /// What it rests on, such as a ticket
    #[arg(
        long,
        value_name = "TEXT",
        required_unless_present = "dry_run",
        default_value = "",
        hide_default_value = true
    )]
    pub(super) why: String,
    /// Do not ask
    #[arg(long)]
    pub(super) yes: bool,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("outcome").required(true))]
pub(super) struct Settle {
    /// Which operation
    #[arg(value_name = "ID")]
    pub(super) id: OperationId,
    /// It was performed: what the User is told, with every change
    #[arg(long, value_name = "SUMMARY", group = "outcome")]
    succeeded: Option<String>,
    /// It will not be completed: what the User is told
    #[arg(long, value_name = "SUMMARY", group = "outcome")]
    failed: Option<String>,
    /// It was stopped because the User asked: what the User is told
    #[arg(long, value_name = "SUMMARY", group = "outcome")]
    cancelled: Option<String>,
    /// With --failed or --cancelled: something that was changed all the same; may be repeated
    #[arg(long = "change", value_name = "TEXT", conflicts_with = "succeeded")]
    pub(super) changes: Vec<String>,
    /// With --succeeded: the result's data
    #[arg(long, value_name = "JSON", requires = "succeeded", value_parser = json)]
    pub(super) data: Option<serde_json::Value>,
    #[command(flatten)]
    pub(super) because: Because,
    /// Do not ask
    #[arg(long)]
    pub(super) yes: bool,
}

impl Settle {
    /// How it ended, and what the User is told.
    pub(super) fn outcome(&self) -> Option<(Outcome, &str)> {
        let of = |outcome, said: &'_ Option<String>| said.clone().map(|_| outcome);
        let outcome = of(Outcome::Succeeded, &self.succeeded)
            .or_else(|| of(Outcome::Failed, &self.failed))
            .or_else(|| of(Outcome::Cancelled, &self.cancelled))?;
        let said = [&self.succeeded, &self.failed, &self.cancelled];
        said.into_iter().flatten().next().map(|summary| (outcome, summary.as_str()))
    }
}

#[derive(Debug, Args)]
pub(super) struct AskNow {
    /// Which operation
    #[arg(value_name = "ID")]
    pub(super) id: OperationId,
    #[command(flatten)]
    pub(super) because: Because,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true), group = ArgGroup::new("what").required(true))]
pub(super) struct HoldBack {
    /// Which action
    #[arg(value_name = "ACTION", group = "which")]
    pub(super) action: Option<String>,
    /// All actions, as one pause
    #[arg(long, group = "which")]
    pub(super) all: bool,
    /// New operations; those that are open can be revised, confirmed and cancelled
    #[arg(long, group = "what")]
    pub(super) proposals: bool,
    /// Confirmations; what is in progress goes on
    #[arg(long, group = "what")]
    pub(super) claims: bool,
    #[command(flatten)]
    pub(super) because: Because,
}

impl HoldBack {
    pub(super) fn what(&self) -> What {
        if self.proposals { What::Proposals } else { What::Claims }
    }
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("old").required(true))]
pub(super) struct Purge {
    /// Of this action
    #[arg(value_name = "ACTION")]
    pub(super) action: String,
    /// Those that ended before this day or moment, such as 2026-01-31 or 2026-01-31T08:00:00Z
    #[arg(long, value_name = "MOMENT", value_parser = moment, group = "old")]
    pub(super) ended_before: Option<Instant>,
    /// Those that ended at least so long ago, such as 90d
    #[arg(long, value_name = "AGE", value_parser = age, group = "old")]
    pub(super) older_than: Option<Duration>,
    #[command(flatten)]
    pub(super) because: BecauseUnlessDry,
}

#[derive(Debug, Args)]
pub(super) struct Erase {
    /// The account
    #[arg(value_name = "ACCOUNT")]
    pub(super) account: String,
    #[command(flatten)]
    pub(super) because: BecauseUnlessDry,
}

#[derive(Debug, Args)]
pub(super) struct Export {
    /// The account
    #[arg(value_name = "ACCOUNT")]
    pub(super) account: String,
}

#[derive(Debug, Args)]
pub(super) struct Acts {
    /// After the one of this number
    #[arg(long, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    pub(super) after: u64,
}

#[derive(Debug, Args)]
pub(super) struct Events {
    /// After this cursor, as it was printed
    #[arg(long, value_name = "CURSOR")]
    pub(super) after: Option<String>,
    #[arg(
        long,
        value_name = "KIND",
        value_parser = kind,
        help = "Only of this kind, such as ended or late_outcome"
    )]
    pub(super) kind: Option<EventKind>,
    /// Go on until you stop it
    #[arg(long)]
    pub(super) follow: bool,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("how").required(true))]
pub(super) struct Migrate {
    /// Print the statements that would be run
    #[arg(long, group = "how")]
    pub(super) print: bool,
    /// Exit 1 if the store is not of this version
    #[arg(long, group = "how")]
    pub(super) check: bool,
    /// Run them
    #[arg(long, group = "how")]
    pub(super) apply: bool,
}

#[derive(Debug, Args)]
pub(super) struct Restore {
    #[command(flatten)]
    pub(super) because: Because,
    /// Do not ask
    #[arg(long)]
    pub(super) yes: bool,
}

fn kind(text: &str) -> Result<EventKind, String> {
    EventKind::ALL.into_iter().find(|kind| kind.word() == text).ok_or_else(|| {
        let words: Vec<&str> = EventKind::ALL.into_iter().map(EventKind::word).collect();
        format!("a kind is one of {}", words.join(", "))
    })
}

fn json(text: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn after_help() -> String {
    let mut text = String::from(
        "Examples:
  pap-ops --store sqlite:operations.db --company 'Example Outfitters' list --attention
  pap-ops --admin https://back-office.example.com/operations-admin show exc_5Rt2
  pap-ops settle exc_5Rt2 --succeeded 'Exchanged.' --who ada --why 'warehouse ticket 812'
  pap-ops events --follow --json

A SQLite file belongs to one process. While a company runs on it, commands that change
something need --admin; the others read the file beside it.

Exit codes:",
    );
    for exit in Exit::ALL {
        text.push_str(&["\n  ", &format!("{:<4}", exit.code()), exit.meaning()].concat());
    }
    text
}
