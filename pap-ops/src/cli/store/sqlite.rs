//! A SQLite file: read beside its process, written to only without one.

use std::sync::Arc;

use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{Error, Restored, RestoredBy, Store, WouldRestore};

use super::super::args::Migrate;
use super::super::command::Needs;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::{compared, not_restored, unreached};

#[expect(clippy::unused_async, reason = "as every store is opened")]
pub(super) async fn open(path: &str, needs: Needs) -> Result<Arc<dyn Store>, Stop> {
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
    if how.apply && !pending.is_empty() {
        to_write(path)?.close().await;
        return compared(true, false, console);
    }
    compared(pending.is_empty(), how.check, console)
}

#[expect(clippy::unused_async, reason = "as of every store")]
pub(super) async fn would_restore(path: &str) -> Result<WouldRestore, Stop> {
    Sqlite::would_restore(path).map_err(|error| stopped(path, &error))
}

pub(super) async fn restore(path: &str, by: &RestoredBy) -> Result<Restored, Stop> {
    let store = Sqlite::restore_by(path, by).map_err(|error| stopped(path, &error))?;
    let restored = store.restored().unwrap_or_default();
    store.close().await;
    Ok(restored)
}

/// Nobody takes a copy into use under a process that runs on it.
fn stopped(path: &str, error: &Error) -> Stop {
    let help = "stop that process, then put the copy in the place of the file, and type this again";
    in_use(path, error).map_or_else(|| not_restored(error), |stop| stop.help(help))
}

fn to_write(path: &str) -> Result<Sqlite, Stop> {
    let help = "ask that process: --admin URL, where it nests `pap_ops::router`";
    Sqlite::open(path).map_err(|error| {
        in_use(path, &error).map_or_else(|| unreached(&error), |stop| stop.help(help))
    })
}

/// Another process has the file.
fn in_use(path: &str, error: &Error) -> Option<Stop> {
    error.to_string().contains(" is in use").then(|| {
        Stop::unreached(format!(
            "a company runs on `{path}`: a SQLite file belongs to one process, which alone writes to it"
        ))
    })
}
