//! Opening the store that was named, and its upkeep.

#[cfg(not(all(feature = "sqlite", feature = "postgres")))]
mod not_built;
#[cfg(feature = "postgres")]
mod postgres;
mod restore;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::path::PathBuf;

use pap_runtime::operators::Operators;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use pap_runtime::store::{Error, ErrorKind};

#[cfg(not(feature = "postgres"))]
use self::not_built as postgres;
#[cfg(not(feature = "sqlite"))]
use self::not_built as sqlite;
use super::args::Command;
use super::command::Needs;
use super::console::{Console, Stop};
use super::exit::Exit;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::causes::chain;

/// A store as it was named.
#[cfg_attr(
    not(feature = "postgres"),
    expect(dead_code, reason = "only a server has a schema and an authority")
)]
pub(super) struct Named {
    /// `sqlite:PATH` or an address.
    pub(super) store: String,
    /// Its schema, if it is not the usual one.
    pub(super) schema: Option<String>,
    /// The authority that signed the server's certificate.
    pub(super) ca_file: Option<PathBuf>,
}

/// Where a store is.
enum Place<'a> {
    Sqlite(&'a str),
    Postgres(&'a Named),
}

impl Named {
    fn place(&self) -> Result<Place<'_>, Stop> {
        let store = &self.store;
        if let Some(path) = store.strip_prefix("sqlite:").filter(|path| !path.is_empty()) {
            return Ok(Place::Sqlite(path));
        }
        if store.starts_with("postgres://") || store.starts_with("postgresql://") {
            return Ok(Place::Postgres(self));
        }
        // never the text itself: it may be an address with a password
        Err(Stop::usage("the store that was named is of no kind that is known")
            .help("`sqlite:PATH`, or `postgres://USER@HOST/DATABASE`"))
    }
}

/// The operators of a company in this store.
pub(super) async fn open(named: &Named, company: &str, needs: Needs) -> Result<Operators, Stop> {
    let store = match named.place()? {
        Place::Sqlite(path) => sqlite::open(path, needs).await?,
        Place::Postgres(named) => postgres::open(named, needs).await?,
    };
    Ok(Operators::over(store, company))
}

/// `migrate` and `restore`.
pub(super) async fn upkeep(
    command: &Command,
    named: &Named,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    if let Command::Restore(args) = command {
        return restore::restore(args, named, console).await;
    }
    let Command::Migrate(how) = command else {
        return Err(Stop::usage("this command is about a company, not about the store itself"));
    };
    match named.place()? {
        Place::Sqlite(path) => sqlite::migrate(path, how, console).await,
        Place::Postgres(named) => postgres::migrate(named, how, console).await,
    }
}

/// What the error says, and what to type.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn not_restored(error: &Error) -> Stop {
    if error.kind() != ErrorKind::Unknown {
        return unreached(error);
    }
    Stop::new(Exit::Unreached, "store_unknown", chain(error))
        .help("it may have been taken into use: type the same again, which then finds less to do")
}

/// The store could not be had.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn unreached(error: &Error) -> Stop {
    let said = chain(error);
    match said.split_once("\nhelp: ") {
        Some((what, help)) => Stop::unreached(what).help(help),
        None => Stop::unreached(said),
    }
}

/// What `migrate --check` and `migrate --print` come to.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn compared(is_ready: bool, fails: bool, console: &mut Console<'_>) -> Result<Exit, Stop> {
    if is_ready {
        console.say("the tables are of this version")?;
        return Ok(Exit::Done);
    }
    console.say(
        "the tables are of an older version: `pap-ops migrate --apply` changes that, and so does the start of \
         a company's program that may",
    )?;
    Ok(if fails { Exit::Failed } else { Exit::Done })
}
