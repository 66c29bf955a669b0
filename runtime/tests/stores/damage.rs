//! Rows that no runtime wrote: refused in words, never a panic, never the terms in the message.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{Error, ErrorKind, Store};

use crate::draft::{
    SECRET, ask_now, claim, done, key, noon, one_of_each, operation, propose, take, ticket,
};

/// Operations 1 to 4 (proposed, in progress, succeeded, expired) in a file that is closed.
async fn closed_store(folder: &Path) -> PathBuf {
    let path = folder.join("operations.db");
    let clock = noon();
    let store = Sqlite::open_on(&path, Arc::new(clock.clone())).unwrap();
    one_of_each(&store, &clock).await;
    store.close().await;
    path
}

/// Writes by hand what the tables themselves would refuse.
fn damage(path: &Path, statement: &str) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.pragma_update(None, "ignore_check_constraints", "on").unwrap();
    let triggers: Vec<String> = {
        let names = "SELECT name FROM sqlite_schema WHERE type = 'trigger'";
        let mut names = connection.prepare(names).unwrap();
        let rows = names.query_map((), |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    for trigger in triggers {
        connection.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
    }
    connection.execute_batch(statement).unwrap();
}

fn check_corrupt(error: &Error, statement: &str) {
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{statement}: {error}");
    let mut words = format!("{error} {error:?}");
    let mut source = std::error::Error::source(error);
    while let Some(next) = source {
        words.push_str(&next.to_string());
        source = next.source();
    }
    assert!(!words.contains(SECRET), "{statement}: {words}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_cannot_be_is_corrupt_and_not_a_panic() {
    for (number, statement) in [
        (1, "UPDATE operations SET state = 'lost'"),
        (1, "UPDATE operations SET state = 'in_progress'"),
        (1, "UPDATE operations SET revision = 2"),
        (1, "UPDATE operations SET confirmed_at = 1"),
        (1, "UPDATE operations SET result_summary = 'jacket', ended_at = 1"),
        (1, "UPDATE revisions SET summary = 'Another jacket.'"),
        (1, "UPDATE revisions SET wire_terms = '{\"item\":\"another jacket\"}'"),
        (1, "UPDATE revisions SET digest = zeroblob(32)"),
        (1, "UPDATE revisions SET digest = zeroblob(31)"),
        (1, "UPDATE revisions SET scopes = 'jacket'"),
        (1, "UPDATE revisions SET scopes = '[1]'"),
        (1, "UPDATE revisions SET number = 0; UPDATE operations SET revision = 0"),
        (1, "UPDATE revisions SET user_approval_required = 7"),
        (1, "UPDATE revisions SET schema_version = -1"),
        (1, "DELETE FROM revisions"),
        (2, "UPDATE operations SET state = 'proposed'"),
        (2, "UPDATE operations SET state = 'expired', result_summary = 'jacket', ended_at = 1"),
        (2, "UPDATE operations SET approved_by = 'jacket'"),
        (2, "UPDATE operations SET confirmed_key = NULL"),
        (2, "UPDATE operations SET confirmed_digest = x'01'"),
        (2, "DELETE FROM running"),
        (2, "UPDATE running SET life = x'01'"),
        (2, "UPDATE running SET epoch = -1"),
        (3, "UPDATE operations SET result_summary = NULL, result_data = NULL"),
        (3, "UPDATE operations SET ended_at = NULL"),
        (3, "UPDATE operations SET state = 'expired'"),
        (4, "UPDATE operations SET state = 'failed'"),
        (4, "UPDATE operations SET result_summary = CAST(x'ff' AS TEXT)"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = closed_store(folder.path()).await;
        damage(&path, statement);
        let store = Sqlite::open(&path).unwrap();
        check_corrupt(&store.read(&key(number)).await.unwrap_err(), statement);
        check_corrupt(&store.history(&key(number)).await.unwrap_err(), statement);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_cannot_be_is_corrupt() {
    for statement in [
        "UPDATE events SET kind = 'jacket'",
        "UPDATE events SET sequence = -sequence",
        "INSERT INTO notes VALUES (2, 1, 'jacket', NULL, 'jacket', 1)",
        "INSERT INTO notes VALUES (2, 1, 'checkpoint', NULL, 'jacket', 1)",
        "INSERT INTO notes VALUES (2, 1, 'change', 'name', 'jacket', 1)",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = closed_store(folder.path()).await;
        damage(&path, statement);
        let store = Sqlite::open(&path).unwrap();
        check_corrupt(&store.history(&key(2)).await.unwrap_err(), statement);
        assert!(store.read(&key(2)).await.unwrap().is_some(), "the operation itself is whole");
    }
}

/// What cannot be read does not keep the rest from being asked about.
#[tokio::test(flavor = "multi_thread")]
async fn one_corrupt_row_does_not_stop_recovery() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed_store(folder.path()).await;
    damage(&path, "UPDATE revisions SET summary = 'Another jacket.' WHERE operation = 2");
    let store = Sqlite::open(&path).unwrap();
    let now = store.clock().now();
    propose(&store, operation(9, now)).await;
    assert!(done(&store.claim(claim(9, ticket(9))).await.unwrap()));
    assert!(done(&store.ask_later(ask_now(9, ticket(9), now)).await.unwrap()));
    let taken = store.take_askable(take()).await.unwrap();
    let taken: Vec<_> = taken.into_iter().map(|asked| asked.stored.key).collect();
    assert_eq!(taken, [key(9)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_no_database_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("operations.db");
    std::fs::write(&path, "once upon a time ".repeat(1_000)).unwrap();
    let error = Sqlite::open(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    assert!(error.to_string().contains("operations.db"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_without_its_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed_store(folder.path()).await;
    damage(&path, "DELETE FROM meta WHERE name = 'schema_version'");
    assert_eq!(Sqlite::open(&path).unwrap_err().kind(), ErrorKind::Corrupt);
}
