//! The tables: what they allow is what the code knows.

use std::collections::BTreeSet;

use pap_protocol::operation::{ApprovedBy, State};
use rusqlite::Connection;

use crate::store::sqlite::row_copy::STORED;
use crate::store::sqlite::{migrations, sql};
use crate::store::{ActKind, EventKind, PauseOf, ReleaseWhy};

pub(super) fn migrated() -> Connection {
    let mut connection = Connection::open_in_memory().unwrap();
    migrations::apply(&mut connection).unwrap();
    connection
}

pub(super) fn shapes(connection: &Connection) -> Vec<(String, String)> {
    let all = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name";
    let mut statement = connection.prepare(all).unwrap();
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn all_migrations_together_are_the_schema() {
    let whole = Connection::open_in_memory().unwrap();
    whole.execute_batch(include_str!("../schema.sql")).unwrap();
    assert_eq!(shapes(&migrated()), shapes(&whole));
}

/// The words of `CHECK (<column> = '…' OR <column> = '…' …)` in the schema of a table.
fn allowed(table: &str, column: &str) -> Vec<String> {
    let shapes = shapes(&migrated());
    let (_, table) = shapes.iter().find(|(name, _)| name == table).unwrap();
    let is = format!("{column} = '");
    let (_, list) = table.split_once(&is).unwrap();
    let (list, _) = list.split_once(')').unwrap();
    list.split(&is).map(|word| word.split_once('\'').unwrap().0.to_owned()).collect()
}

#[test]
fn the_tables_allow_the_words_that_the_code_knows() {
    assert_eq!(allowed("operations", "state"), State::ALL.map(State::as_str));
    assert_eq!(allowed("operations", "approved_by"), ApprovedBy::ALL.map(ApprovedBy::as_str));
    let mut kinds = EventKind::ALL.map(EventKind::word).to_vec();
    // of no operation: no reader meets it
    kinds.push("gap");
    assert_eq!(allowed("events", "kind"), kinds);
    assert_eq!(allowed("releases", "why"), ReleaseWhy::ALL.map(ReleaseWhy::word));
    assert_eq!(allowed("pauses", "what"), PauseOf::ALL.map(PauseOf::word));
    assert_eq!(allowed("acts", "act"), ActKind::WORDS);
    assert_eq!(allowed("acts", "what"), PauseOf::ALL.map(PauseOf::word));
}

#[test]
fn a_row_is_copied_with_the_columns_that_its_view_has() {
    let connection = migrated();
    let view = connection.prepare("SELECT * FROM stored").unwrap();
    assert!(view.column_names().eq(STORED));
}

#[test]
fn every_statement_is_in_a_file_that_says_who_runs_it_and_what_it_promises() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/store/sqlite/sql");
    let files = std::fs::read_dir(folder).unwrap();
    let files: BTreeSet<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let used: BTreeSet<_> = sql::ALL.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(files, used);
    for (file, statement) in sql::ALL {
        let mut lines = statement.lines();
        assert!(lines.next().unwrap().starts_with("-- Run "), "{file}");
        assert!(lines.next().unwrap().starts_with("-- Promise: "), "{file}");
        assert!(!lines.next().unwrap().starts_with("--"), "{file}");
    }
}

#[test]
fn every_table_is_strict() {
    for (name, shape) in shapes(&migrated()) {
        if shape.starts_with("CREATE TABLE") {
            assert!(shape.contains("STRICT"), "{name}");
        }
    }
}

pub(super) const ONE_OF_EACH: &str = "
    INSERT INTO operations (key, company, operation_id, action, client, user, session, place, state,
        revision, expires_at) VALUES (1, 'c', 'x', 'a', 'a', 'u', 's', zeroblob(32), 'proposed', 1, 9);
    INSERT INTO revisions VALUES (1, 1, 1, '{}', '{}', '', zeroblob(32), 0, '[]', NULL, 9, 1);
    INSERT INTO notes VALUES (1, 1, 'change', NULL, 'x', 1);
    INSERT INTO events VALUES (1, 1, 1, 'proposed', '{}');";

/// OPS-3.1-2 OPS-3-23 OPS-3.2-5: also whoever writes to the file by hand is refused.
#[test]
fn the_tables_themselves_refuse_what_may_never_happen() {
    let connection = migrated();
    connection.pragma_update(None, "foreign_keys", "on").unwrap();
    connection.execute_batch(ONE_OF_EACH).unwrap();
    let refused = |statement: &str, why: &str| {
        let error = connection.execute_batch(statement).unwrap_err().to_string();
        assert!(error.contains(why), "{statement}: {error}");
    };
    refused("UPDATE revisions SET summary = 'other'", "fixed once it is issued");
    refused("UPDATE notes SET value = 'other'", "only appended");
    refused("UPDATE events SET detail = '{\"a\":1}'", "only appended");
    refused("UPDATE operations SET account = 'mine'", "owner of an operation is fixed");
    for table in ["revisions", "notes", "events"] {
        refused(&format!("DELETE FROM {table}"), "kept until");
    }
    refused("DELETE FROM operations", "kept until");
    refused("INSERT INTO events VALUES (2, 7, 1, 'proposed', '{}')", "FOREIGN KEY");
    refused("UPDATE operations SET state = 'in_progress'", "CHECK");
    refused("UPDATE operations SET state = 'expired'", "CHECK");
    let claim = "UPDATE operations SET state = 'in_progress', confirmed_at = 1, ticket = ";
    connection.execute_batch(&format!("{claim} zeroblob(16)")).unwrap();
    refused(&format!("{claim} randomblob(16)"), "spent once");
    let end = "UPDATE operations
        SET state = 'failed', result_summary = 'x', ended_at = 1, place = NULL";
    connection.execute_batch(end).unwrap();
    refused(&end.replace("failed", "succeeded"), "never changes");
}

/// What operators did is neither changed nor removed; only the count of one that goes on grows.
#[test]
fn what_was_done_stays_on_record_as_it_was() {
    let connection = migrated();
    let acts = "INSERT INTO acts VALUES ('c', 1, NULL, 1, 'pause', 'claims', NULL, 'ada', 'flood', 0);
        INSERT INTO acts VALUES ('c', 2, zeroblob(16), 1, 'erase', NULL, NULL, 'ada', 'request 17', 3);";
    connection.execute_batch(acts).unwrap();
    let stays = "stays on record";
    for change in
        ["who = 'bob'", "why = ''", "at = 2", "number = 9", "company = 'd'", "operations = 2"]
    {
        check_refused(&connection, &format!("UPDATE acts SET {change}"), stays);
        let with_more = format!("UPDATE acts SET {change}, operations = 9");
        if !change.starts_with("operations") {
            check_refused(&connection, &with_more, stays);
        }
    }
    check_refused(&connection, "UPDATE acts SET operations = 1 WHERE act = 'pause'", stays);
    check_refused(&connection, "DELETE FROM acts", stays);
    let named = "INSERT INTO acts VALUES ('c', 3, randomblob(16), 1, 'erase', NULL, 'acc_ada', 'a', 'b', 1)";
    check_refused(&connection, named, "CHECK");
    connection.execute_batch("UPDATE acts SET operations = 4 WHERE act = 'erase'").unwrap();
}

const ENDED: &str = "
    UPDATE operations SET state = 'in_progress', confirmed_at = 1, confirmed_key = 'k', ticket = zeroblob(16),
        confirmed_digest = zeroblob(32);
    UPDATE operations SET state = 'failed', place = NULL, result_summary = 'x', ended_at = 1;";

const BLANK: &str = "UPDATE operations SET user = '', account = NULL, session = '', reference = NULL, \
    confirmed_key = '', confirmed_digest = randomblob(32), result_summary = '', erased_at = 2, \
    erased_salt = randomblob(32)";

fn check_refused(connection: &Connection, statement: &str, why: &str) {
    let error = connection.execute_batch(statement).unwrap_err().to_string();
    assert!(error.contains(why), "{statement}: {error}");
}

/// Blanking sets everything at once, once, and lets nothing else through with it.
#[test]
fn a_final_operation_is_blanked_whole_and_once() {
    let connection = migrated();
    connection.execute_batch(ONE_OF_EACH).unwrap();
    let nothing_else = "blanking an operation changes nothing else";
    check_refused(&connection, BLANK, nothing_else);
    connection.execute_batch(ENDED).unwrap();
    check_refused(&connection, "UPDATE operations SET user = ''", "never changes");
    check_refused(&connection, "UPDATE operations SET result_summary = ''", "never changes");
    for beside in [
        "state = 'succeeded'",
        "action = 'b'",
        "ended_at = 2",
        "confirmed_at = 2",
        "client = 'b'",
        "operation_id = 'y'",
        "company = 'd'",
        "revision = 2",
        "expires_at = 1",
        "ticket = NULL",
        "result_data = '{}'",
    ] {
        check_refused(&connection, &format!("{BLANK}, {beside}"), nothing_else);
    }
    for (blank, left) in [
        ("user = ''", "user = 'u'"),
        ("session = ''", "session = 's'"),
        ("confirmed_key = ''", "confirmed_key = 'k'"),
        ("result_summary = ''", "result_summary = 'x'"),
        ("confirmed_digest = randomblob(32)", "confirmed_digest = NULL"),
    ] {
        check_refused(&connection, &BLANK.replace(blank, left), nothing_else);
    }
    connection.execute_batch(BLANK).unwrap();
    check_refused(&connection, BLANK, "never changes");
    check_refused(&connection, "UPDATE operations SET result_summary = 'x'", "never changes");
}

/// So it is with what is on record about it, and never before the operation itself is blanked.
#[test]
fn what_is_on_record_is_blanked_with_its_operation_alone() {
    let connection = migrated();
    connection.execute_batch(ONE_OF_EACH).unwrap();
    connection.execute_batch(ENDED).unwrap();
    let revision = "UPDATE revisions SET full_terms = '', wire_terms = '', summary = '', scopes = '[]', \
        url = NULL, digest = randomblob(32)";
    let (note, event) = ("UPDATE notes SET value = ''", "UPDATE events SET detail = '{}'");
    let (fixed, appended) = ("fixed once it is issued", "only appended");
    check_refused(&connection, revision, fixed);
    check_refused(&connection, note, appended);
    check_refused(&connection, event, appended);
    connection.execute_batch(BLANK).unwrap();
    for beside in ["expires_at = 1", "schema_version = 7", "number = 2", "issued_at = 2"] {
        check_refused(&connection, &format!("{revision}, {beside}"), fixed);
    }
    check_refused(&connection, &revision.replace("summary = ''", "summary = 'x'"), fixed);
    for beside in ["at = 7", "number = 2", "kind = 'ended'"] {
        check_refused(&connection, &format!("{note}, {beside}"), appended);
    }
    for beside in ["at = 7", "sequence = 2", "kind = 'ended'", "operation = NULL"] {
        check_refused(&connection, &format!("{event}, {beside}"), appended);
    }
    check_refused(&connection, "UPDATE notes SET value = 'x'", appended);
    check_refused(&connection, "UPDATE events SET detail = '{\"a\":1}'", appended);
    for blank in [revision, note, event] {
        connection.execute_batch(blank).unwrap();
    }
    check_refused(&connection, revision, fixed);
}
