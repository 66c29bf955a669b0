//! Rows that no runtime wrote: refused in words, never a panic, never the terms in the message.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::store::{Error, ErrorKind, Store};

use crate::draft::{
    COMPANY, SECRET, ask_now, claim, done, key, noon, one_of_each, operation, propose, take, ticket,
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
pub fn damage(path: &Path, statement: &str) {
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
        let id = format!("`{}`: ", key(number).id);
        let lines = store.keeping().verify(COMPANY).await.unwrap();
        assert!(lines.iter().any(|line| line.starts_with(&id)), "{statement}: {lines:?}");
        assert!(!lines.concat().contains(SECRET), "{statement}: {lines:?}");
    }
}

/// What each read takes for whole, and is not whole together.
#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_together_is_said() {
    for (number, statement, expected) in [
        (1, "DELETE FROM open_actions WHERE operation = 1", "a place among the open actions"),
        (3, "UPDATE operations SET place = (SELECT place FROM open_actions WHERE operation = 3) WHERE key = 3",
         "a place among the open actions"),
        (1, "DELETE FROM expiring", "its end would not be found"),
        (2, "UPDATE operations SET ticket = NULL WHERE key = 2", "started by nobody"),
        (2, "UPDATE running SET company = 'another'", "another company's open work"),
        (2, "DELETE FROM events WHERE kind = 'confirmed' AND operation = 2", "another confirmation"),
        (3, "DELETE FROM events WHERE kind = 'ended' AND operation = 3", "another end"),
        (1, "DELETE FROM events WHERE kind = 'proposed' AND operation = 1", "begin with its proposal"),
        (1, "INSERT INTO revisions SELECT 1, 3, schema_version, full_terms, wire_terms, summary, digest,
             user_approval_required, scopes, url, expires_at, issued_at FROM revisions WHERE operation = 1",
         "not numbered from 1"),
        (2, "INSERT INTO notes VALUES (2, 1, 'change', NULL, 'x', 1)", "other notes"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = closed_store(folder.path()).await;
        let store = Sqlite::open(&path).unwrap();
        assert!(store.keeping().verify(COMPANY).await.unwrap().is_empty(), "it is healthy");
        store.close().await;
        damage(&path, statement);
        let store = Sqlite::open(&path).unwrap();
        let lines = store.keeping().verify(COMPANY).await.unwrap();
        let id = format!("`{}`: ", key(number).id);
        let said = lines.iter().any(|line| line.starts_with(&id) && line.contains(expected));
        assert!(said, "{statement}: {lines:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_about_no_operation_and_a_damaged_page_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = closed_store(folder.path()).await;
    damage(
        &path,
        "PRAGMA foreign_keys = off; INSERT INTO notes VALUES (99, 1, 'change', NULL, 'x', 1)",
    );
    let store = Sqlite::open(&path).unwrap();
    let lines = store.keeping().verify(COMPANY).await.unwrap();
    assert_eq!(lines, ["the file: a row of `notes` is of no operation"]);
    store.close().await;

    let connection = rusqlite::Connection::open(&path).unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'checkpoints'";
    let page: u64 =
        connection.query_row(root, (), |row| row.get::<_, i64>(0)).unwrap().try_into().unwrap();
    let size: u64 = connection
        .pragma_query_value(None, "page_size", |row| row.get::<_, i64>(0))
        .unwrap()
        .try_into()
        .unwrap();
    drop(connection);
    let mut file = std::fs::File::options().write(true).open(&path).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::Start((page - 1) * size)).unwrap();
    std::io::Write::write_all(&mut file, &[0; 8]).unwrap();
    drop(file);
    let store = Sqlite::open(&path).unwrap();
    let said = store.keeping().verify(COMPANY).await;
    let lines = said.unwrap();
    assert!(
        lines.iter().any(|line| line.starts_with("the file: ") && line.contains("age")),
        "{lines:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_cannot_be_is_corrupt() {
    for statement in [
        "UPDATE events SET kind = 'jacket'",
        "UPDATE events SET sequence = -sequence WHERE operation = 2",
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
