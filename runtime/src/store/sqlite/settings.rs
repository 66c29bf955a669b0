//! The settings that a store's promises rest on, each with its reason, and read back.

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::failure::store_error;
use crate::store::Error;

/// Versions before this one can damage a database with two connections in WAL mode.
const OLDEST_SQLITE: i32 = 3_051_003;

/// What one connection is set to; `(name, value to set, value that must be read back)`.
pub(super) type Setting = (&'static str, &'static str, &'static str);

/// The writing connection.
pub(super) const WRITER: [Setting; 13] = [
    // readers go on while one writes, and one commit is one write to one file
    ("journal_mode", "wal", "wal"),
    // a commit is on the device before it is answered: a claim that is forgotten is a second effect
    ("synchronous", "full", "2"),
    // where the system has a weaker and a stronger way to reach the device (macOS), the stronger
    ("fullfsync", "on", "1"),
    ("checkpoint_fullfsync", "on", "1"),
    // a row that names an operation which is not there cannot be written
    ("foreign_keys", "on", "1"),
    // a reader that held the log for long does not leave a file of gigabytes
    ("journal_size_limit", "67108864", "67108864"),
    // a page that changes often reaches the file once for many commits; 12,000 pages are 48 MiB, below the limit above
    ("wal_autocheckpoint", "12000", "12000"),
    // somebody with a shell on the file delays a batch for so long, then it is refused
    ("busy_timeout", "2000", "2000"),
    // a page that cannot be right is noticed when it is read
    ("cell_size_check", "on", "1"),
    // a damaged schema cannot call functions
    ("trusted_schema", "off", "0"),
    // what was blanked or removed does not stay behind on its page
    ("secure_delete", "fast", "2"),
    // what undoes a statement stays in memory: it never has to outlive the process
    ("temp_store", "memory", "2"),
    // the pages that are being written stay at hand (KiB); a commit that moved pages about walks through all of them
    ("cache_size", "-4096", "-4096"),
];

/// A reading connection.
pub(super) const READER: [Setting; 4] = [
    // a reader can change nothing, whatever it is asked
    ("query_only", "on", "1"),
    ("busy_timeout", "2000", "2000"),
    ("cell_size_check", "on", "1"),
    ("trusted_schema", "off", "0"),
];

/// Sets a connection, and refuses one that did not take a setting.
pub(super) fn apply(connection: &Connection, settings: &[Setting]) -> Result<(), Error> {
    if rusqlite::version_number() < OLDEST_SQLITE {
        return Err(Error::not_written(format!(
            "SQLite {} is too old\nhelp: build with the SQLite that comes with this crate",
            rusqlite::version()
        )));
    }
    for (name, set, expected) in settings {
        connection
            .pragma_update(None, name, set)
            .map_err(|error| store_error(&format!("`{name}` could not be set"), error))?;
        let read = read(connection, name)?;
        if read != *expected {
            return Err(Error::not_written(format!(
                "`{name}` is `{read}` instead of `{expected}`"
            )));
        }
    }
    // a statement is planned once, not again for each value that is bound to it
    let planned_once = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true);
    if !planned_once.map_err(|error| store_error("the planner could not be set", error))? {
        return Err(Error::not_written("the planner does not keep to its plans"));
    }
    // every statement is prepared once and kept
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

/// What a setting is now.
pub(super) fn read(connection: &Connection, name: &str) -> Result<String, Error> {
    let value = connection.pragma_query_value(None, name, |row| {
        Ok(match row.get_ref(0)? {
            rusqlite::types::ValueRef::Integer(number) => number.to_string(),
            rusqlite::types::ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned(),
            rusqlite::types::ValueRef::Null
            | rusqlite::types::ValueRef::Real(_)
            | rusqlite::types::ValueRef::Blob(_) => String::new(),
        })
    });
    value.map_err(|error| store_error(&format!("`{name}` could not be read"), error))
}
