//! The way of a file from every version to the newest: what was released stays as it was, and a file that
//! was brought up to date is like a new one.

use rusqlite::Connection;
use sha2::{Digest, Sha256};

use super::schema::{ONE_OF_EACH, shapes};
use crate::store::ErrorKind;
use crate::store::sqlite::migrations::{MIGRATIONS, apply, apply_all};

/// The digest of each migration that was released, in order. A release appends those that came since the
/// last one; a line is never changed. Until the first release there is none.
const RELEASED: [&str; 0] = [];

/// A file of an older version, with a row in each table that the first version had.
fn of_version(version: usize) -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.pragma_update(None, "foreign_keys", "on").unwrap();
    apply_all(&mut connection, &MIGRATIONS[..1]).unwrap();
    connection.execute_batch(ONE_OF_EACH).unwrap();
    apply_all(&mut connection, &MIGRATIONS[..version]).unwrap();
    connection
}

fn text(connection: &Connection, sql: &str) -> String {
    connection.query_row(sql, (), |row| row.get(0)).unwrap()
}

fn number(connection: &Connection, sql: &str) -> i64 {
    connection.query_row(sql, (), |row| row.get(0)).unwrap()
}

#[test]
fn a_migration_that_was_released_is_never_edited() {
    assert!(RELEASED.len() <= MIGRATIONS.len(), "one that was released is gone");
    for (number, (released, migration)) in (1..).zip(RELEASED.iter().zip(MIGRATIONS)) {
        let digest = Sha256::digest(migration);
        let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        assert_eq!(*released, digest, "migration {number}: write a new one instead");
    }
}

#[test]
fn a_file_of_every_version_becomes_like_a_new_one_and_keeps_its_rows() {
    let mut new = Connection::open_in_memory().unwrap();
    apply(&mut new).unwrap();
    for version in 1..=MIGRATIONS.len() {
        let mut old = of_version(version);
        let id = "SELECT value FROM meta WHERE name = 'store_id'";
        let was = text(&old, id);
        apply(&mut old).unwrap();
        assert_eq!(shapes(&old), shapes(&new), "from version {version}");
        assert_eq!(text(&old, id), was, "it is the same store");
        for table in ["operations", "revisions", "notes", "events"] {
            assert_eq!(number(&old, &format!("SELECT count(*) FROM {table}")), 1, "{table}");
        }
        assert_eq!(text(&old, "PRAGMA integrity_check"), "ok");
        assert_eq!(number(&old, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    }
}

#[test]
fn a_migration_that_fails_leaves_the_file_as_it_was() {
    let mut file = of_version(MIGRATIONS.len());
    let before = shapes(&file);
    let broken = [&MIGRATIONS[..], &["CREATE TABLE later (x) STRICT; SELECT nothing;"]].concat();
    assert!(apply_all(&mut file, &broken).is_err());
    assert_eq!(shapes(&file), before);
    let version = "SELECT value FROM meta WHERE name = 'schema_version'";
    assert_eq!(text(&file, version), MIGRATIONS.len().to_string());

    let next = "-- A table of the next version.\nCREATE TABLE later (x INTEGER NOT NULL) STRICT;";
    apply_all(&mut file, &[&MIGRATIONS[..], &[next]].concat()).unwrap();
    assert_eq!(text(&file, version), (MIGRATIONS.len() + 1).to_string());
    assert_eq!(number(&file, "SELECT count(*) FROM operations"), 1);
    let error = apply(&mut file).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotWritten, "an older runtime leaves a newer file alone");
}
