//! Opening the store that was named, and its upkeep.

use std::sync::Arc;

use pap_runtime::operators::Operators;
use pap_runtime::store::Store;

use super::args::{Command, Migrate};
use super::command::Needs;
use super::console::{Console, Stop};
use super::exit::Exit;

/// A store by its kind and place.
enum Named<'a> {
    Sqlite(&'a str),
    Postgres,
}

impl<'a> Named<'a> {
    fn of(store: &'a str) -> Result<Self, Stop> {
        if let Some(path) = store.strip_prefix("sqlite:").filter(|path| !path.is_empty()) {
            return Ok(Self::Sqlite(path));
        }
        if store.starts_with("postgres://") || store.starts_with("postgresql://") {
            return Ok(Self::Postgres);
        }
        // never the text itself: it may be an address with a password
        Err(Stop::usage("the store that was named is of no kind that is known")
            .help("`sqlite:PATH`, or `postgres://USER@HOST/DATABASE`"))
    }
}

/// The operators of a company in this store.
pub(super) fn open(store: &str, company: &str, needs: Needs) -> Result<Operators, Stop> {
    let store: Arc<dyn Store> = match Named::of(store)? {
        Named::Sqlite(path) => sqlite::open(path, needs)?,
        Named::Postgres => return Err(not_built("postgres")),
    };
    Ok(Operators::over(store, company))
}

/// `migrate` and `restore`.
pub(super) async fn upkeep(
    command: &Command,
    store: &str,
    console: &mut Console<'_>,
) -> Result<Exit, Stop> {
    match (command, Named::of(store)?) {
        (Command::Migrate(migrate), Named::Sqlite(path)) => {
            sqlite::migrate(path, migrate, console).await
        }
        (_, Named::Sqlite(_)) => Err(Stop::usage("this store cannot be restored by this version")),
        (_, Named::Postgres) => Err(not_built("postgres")),
    }
}

fn not_built(feature: &str) -> Stop {
    Stop::usage(format!("this `pap-ops` was built without the feature `{feature}`"))
        .help(format!("cargo install pap-ops --features {feature}"))
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use pap_runtime::store::Error;
    use pap_runtime::store::sqlite::Sqlite;

    use crate::causes::chain;

    use super::{Arc, Console, Exit, Migrate, Needs, Stop, Store};

    pub(super) fn open(path: &str, needs: Needs) -> Result<Arc<dyn Store>, Stop> {
        // a command that only looks neither waits for the file nor changes it; one that changes something must
        // not bring the tables to a version that the company's program does not know
        let looked = Sqlite::open_read_only(path).map_err(|error| unreached(&error))?;
        if needs == Needs::Look {
            return Ok(Arc::new(looked));
        }
        drop(looked);
        Ok(Arc::new(to_write(path)?))
    }

    pub(super) async fn migrate(
        path: &str,
        how: &Migrate,
        console: &mut Console<'_>,
    ) -> Result<Exit, Stop> {
        let pending = Sqlite::pending_migrations(path).map_err(|error| unreached(&error))?;
        if how.print {
            pending.iter().try_for_each(|migration| writeln!(console.out, "{migration}"))?;
        }
        if pending.is_empty() {
            console.say("the tables are of this version")?;
            return Ok(Exit::Done);
        }
        if how.apply {
            to_write(path)?.close().await;
            console.say("the tables are of this version now")?;
            return Ok(Exit::Done);
        }
        console.say("the tables are of an older version; starting the company's program migrates them, and so does `pap-ops migrate --apply`")?;
        Ok(if how.check { Exit::Failed } else { Exit::Done })
    }

    fn to_write(path: &str) -> Result<Sqlite, Stop> {
        Sqlite::open(path).map_err(|error| {
            let in_use = error.to_string().contains(" is in use");
            let stop = unreached(&error);
            if !in_use {
                return stop;
            }
            Stop::unreached(format!(
                "a company runs on `{path}`: a SQLite file belongs to one process, which alone writes to it"
            ))
            .help("ask that process: --admin URL, where it nests `pap_ops::router`")
        })
    }

    fn unreached(error: &Error) -> Stop {
        let said = chain(error);
        match said.split_once("\nhelp: ") {
            Some((what, help)) => Stop::unreached(what).help(help),
            None => Stop::unreached(said),
        }
    }
}

#[cfg(not(feature = "sqlite"))]
mod sqlite {
    use super::{Arc, Console, Exit, Migrate, Needs, Stop, Store, not_built};

    pub(super) fn open(_: &str, _: Needs) -> Result<Arc<dyn Store>, Stop> {
        Err(not_built("sqlite"))
    }

    pub(super) fn migrate(
        _: &str,
        _: &Migrate,
        _: &mut Console<'_>,
    ) -> std::future::Ready<Result<Exit, Stop>> {
        std::future::ready(Err(not_built("sqlite")))
    }
}
