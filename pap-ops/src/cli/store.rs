//! Opening the store that was named, and its upkeep.

use pap_runtime::operators::Operators;

use super::args::Command;
use super::command::Needs;
use super::console::{Console, Stop};
use super::exit::Exit;

/// The operators of a company in this store.
pub(super) async fn open(store: &str, company: &str, needs: Needs) -> Result<Operators, Stop> {
    let _ = (store, company, needs);
    Err(Stop::usage("later"))
}

/// `migrate` and `restore`.
pub(super) async fn upkeep(
    command: &Command,
    store: &str,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    let _ = (command, store, console);
    Err(Stop::usage("later"))
}
