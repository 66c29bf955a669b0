//! The commands: each asks, and prints what was answered.

mod acts;
mod change;
mod events;
mod keep;
mod list;
mod pauses;
mod settle;
mod show;

use super::args::{Because, Command};
use super::console::{Console, Stop};
use super::exit::Exit;
use super::source::{Said, Source};
use super::words::{counted, plain};
use crate::form::{Find, Listing};

/// What a command needs of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// To read it.
    Look,
    /// To write to it.
    Change,
    /// The store itself, not a company in it.
    Store,
}

pub(super) fn needs(command: &Command) -> Needs {
    match command {
        Command::List(_)
        | Command::Show(_)
        | Command::OpenWork
        | Command::Pauses
        | Command::Acts(_)
        | Command::Export(_)
        | Command::Events(_)
        | Command::Metrics
        | Command::Verify => Needs::Look,
        Command::Purge(purge) if purge.because.dry_run => Needs::Look,
        Command::Erase(erase) if erase.because.dry_run => Needs::Look,
        Command::Settle(_)
        | Command::AskNow(_)
        | Command::Pause(_)
        | Command::Resume(_)
        | Command::Purge(_)
        | Command::Erase(_) => Needs::Change,
        Command::Migrate(_) | Command::Restore(_) => Needs::Store,
    }
}

/// Who does it, as was stated.
pub(super) fn who(command: &Command) -> Option<&str> {
    let because: &Because = match command {
        Command::Settle(settle) => &settle.because,
        Command::AskNow(ask) => &ask.because,
        Command::Pause(hold) | Command::Resume(hold) => &hold.because,
        Command::Restore(restore) => &restore.because,
        Command::Purge(purge) => return purge.because.who.as_deref(),
        Command::Erase(erase) => return erase.because.who.as_deref(),
        Command::List(_)
        | Command::Show(_)
        | Command::OpenWork
        | Command::Pauses
        | Command::Acts(_)
        | Command::Export(_)
        | Command::Events(_)
        | Command::Metrics
        | Command::Verify
        | Command::Migrate(_) => return None,
    };
    because.who.as_deref()
}

/// Says so where nothing of this action is on record: mostly its name is misspelt.
async fn say_if_unheard_of(
    action: Option<&str>,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let Some(action) = action else { return Ok(()) };
    let find = Find { action: Some(action.to_owned()), limit: Some(1), ..Find::default() };
    let listing = source.post::<Listing>("/find", &find).await?.is;
    if listing.operations.is_empty() && listing.next.is_none() {
        console.say(&format!(
            "note: no operation of `{}` is on record: if that is not its name, letter by letter, this is about nothing",
            plain(action)
        ))?;
    }
    Ok(())
}

pub(super) async fn run(
    command: &Command,
    source: &Source,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    match command {
        Command::List(list) => list::list(list, source, console).await,
        Command::Show(show) => show::show(show, source, console).await,
        Command::Settle(settle) => settle::settle(settle, source, console).await,
        Command::AskNow(ask) => change::ask_now(ask, source, console).await,
        Command::OpenWork => list::open_work(source, console).await,
        Command::Pause(hold) => pauses::pause(hold, source, console).await,
        Command::Resume(hold) => pauses::resume(hold, source, console).await,
        Command::Pauses => pauses::pauses(source, console).await,
        Command::Acts(acts) => acts::acts(acts, source, console).await,
        Command::Purge(purge) => keep::purge(purge, source, console).await,
        Command::Erase(erase) => keep::erase(erase, source, console).await,
        Command::Export(export) => keep::export(export, source, console).await,
        Command::Events(events) => events::events(events, source, console).await,
        Command::Metrics => list::metrics(source, console).await,
        Command::Verify => change::verify(source, console).await,
        // the caller has these done by the store itself
        Command::Migrate(_) | Command::Restore(_) => Ok(Exit::Done),
    }
}

/// The answer as it came, for machines; `false`: a person is to be told.
fn told<T>(said: &Said<T>, console: &mut Console<'_>) -> Result<bool, Stop> {
    if console.json {
        writeln!(console.out, "{}", said.json)?;
    }
    Ok(console.json)
}
