//! A SQLite file: read beside its process, written to only without one.

use std::sync::Arc;

use pap_runtime::store::Store;
use pap_runtime::store::sqlite::Sqlite;

use super::super::args::Migrate;
use super::super::command::Needs;
use super::super::console::{Console, Stop};
use super::super::exit::Exit;
use super::{compared, unreached};

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

fn to_write(path: &str) -> Result<Sqlite, Stop> {
    Sqlite::open(path).map_err(|error| {
        if !error.to_string().contains(" is in use") {
            return unreached(&error);
        }
        Stop::unreached(format!(
            "a company runs on `{path}`: a SQLite file belongs to one process, which alone writes to it"
        ))
        .help("ask that process: --admin URL, where it nests `pap_ops::router`")
    })
}
