//! The tables of a file, brought up to what this runtime knows.

use rusqlite::{Connection, TransactionBehavior};

use super::failure::store_error;
use super::sql;
use super::transaction::first;
use crate::store::{Error, random};

/// Every migration, in order; the first makes version 1. A released one is never edited.
pub(super) const MIGRATIONS: [&str; 1] = [include_str!("migrations/0001_operations.sql")];

/// Marks a file as one of ours, so that no other database gets our tables.
const APPLICATION_ID: i64 = 0x5041_506f;

/// Brings the tables up to date, in one transaction; `true` if the file was empty.
pub(super) fn apply(connection: &mut Connection) -> Result<bool, Error> {
    apply_all(connection, &MIGRATIONS)
}

/// Brings the tables to where these migrations lead, in one transaction: all of it or nothing.
pub(super) fn apply_all(connection: &mut Connection, migrations: &[&str]) -> Result<bool, Error> {
    let failed = |error| store_error("the tables could not be brought up to date", error);
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let version = version(&transaction)?;
    let newer = since(version, migrations)?;
    for migration in newer {
        transaction.execute_batch(migration).map_err(failed)?;
    }
    if version == 0 {
        set_meta(&transaction, "incarnation", &random::text()?)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
        set_meta(&transaction, "store_id", &random::text()?)?;
    }
    set_meta(&transaction, "schema_version", &migrations.len().to_string())?;
    transaction.commit().map_err(failed)?;
    Ok(version == 0)
}

/// The migrations that a file lacks.
pub(super) fn pending(connection: &Connection) -> Result<&'static [&'static str], Error> {
    since(version(connection)?, &MIGRATIONS)
}

/// Whether nobody has made the tables yet.
pub(super) fn is_without_tables(connection: &Connection) -> Result<bool, Error> {
    version(connection).map(|version| version == 0)
}

fn since<'m, 't>(version: usize, migrations: &'m [&'t str]) -> Result<&'m [&'t str], Error> {
    migrations.get(version..).ok_or_else(|| {
        Error::not_written(format!(
            "the file has schema version {version}, and this runtime knows versions up to {}\n\
             note: a newer runtime has opened it, and an older one could read it wrongly\n\
             help: run the newer version, or restore a copy from before the upgrade",
            migrations.len()
        ))
    })
}

/// The schema version of a file; 0 if it is empty.
fn version(connection: &Connection) -> Result<usize, Error> {
    let failed = |error| store_error("the file could not be read", error);
    let id: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(failed)?;
    let tables: i64 =
        connection.pragma_query_value(None, "schema_version", |row| row.get(0)).map_err(failed)?;
    if id == 0 && tables == 0 {
        return Ok(0);
    }
    if id != APPLICATION_ID {
        return Err(Error::not_written(
            "the file is a database of another program\nhelp: name another file",
        ));
    }
    let version = first(connection, sql::META, ("schema_version",), |row| {
        row.get::<_, String>(0).map_err(failed)
    })?;
    let version = version.and_then(|version| version.parse().ok()).filter(|version| *version > 0);
    version.ok_or_else(|| Error::corrupt("`meta` has no schema version"))
}

fn set_meta(connection: &Connection, name: &str, value: &str) -> Result<(), Error> {
    let set =
        connection.prepare_cached(sql::SET_META).and_then(|mut set| set.execute((name, value)));
    set.map(drop).map_err(|error| store_error("`meta` could not be written", error))
}
