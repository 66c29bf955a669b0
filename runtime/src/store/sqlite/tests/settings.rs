//! The settings, as a connection has them afterwards.

use crate::store::ErrorKind;
use crate::store::sqlite::{migrations, open, settings};

/// Row E9
#[test]
fn every_setting_is_read_back_from_the_connections_that_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    let mut writing = open::writing(&path).unwrap();
    migrations::apply(&mut writing).unwrap();
    for (name, _, expected) in settings::WRITER {
        assert_eq!(settings::read(&writing, name).unwrap(), expected, "{name}");
    }
    let reading = open::reading(&path).unwrap();
    for (name, _, expected) in settings::READER {
        assert_eq!(settings::read(&reading, name).unwrap(), expected, "{name}");
    }
    assert!(reading.execute("DELETE FROM meta", ()).is_err(), "a reader changes nothing");
}

#[test]
fn a_connection_that_does_not_take_a_setting_is_refused() {
    // a database in memory has no log beside it
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    let error = settings::apply(&connection, &settings::WRITER).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotWritten);
    assert_eq!(error.to_string(), "`journal_mode` is `memory` instead of `wal`");
}
