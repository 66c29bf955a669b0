//! Statements and configuration, before any server sees them.

use std::time::Duration;

use super::super::bound::check_texts;
use super::super::migrations;
use super::super::sql::{Statements, on};
use super::super::{Config, Postgres};
use crate::store::ErrorKind;

type Set = fn(Config, Duration) -> Config;

/// The statements that are functions in the database, each with the comment before it.
fn functions_of(file: &'static str) -> Vec<&'static str> {
    file.split("\n\n-- Run ").skip(1).collect()
}

#[test]
fn a_statement_opens_with_who_runs_it_and_what_it_guards() {
    for (file, text) in Statements::on("pap").all() {
        let mut lines = text.lines();
        assert!(lines.next().is_some_and(|line| line.starts_with("-- Run ")), "{file}");
        assert!(lines.next().is_some_and(|line| line.starts_with("-- Promise: ")), "{file}");
    }
}

#[test]
fn a_statement_that_waits_for_rows_says_how_long() {
    for (file, text) in Statements::on("pap").all() {
        let writes = ["INSERT INTO pap", "UPDATE pap", "DELETE FROM pap"];
        let bounded = text.contains("lock_timeout")
            // one row that nobody holds for long; rows that are skipped when held; behind one_at_a_time.sql; in
            // the company's transaction, whose settings are the company's
            || ["finished.sql", "forget_proofs.sql", "propose.sql", "pause.sql", "finish_in.sql"]
                .contains(&file);
        assert!(bounded || !writes.iter().any(|write| text.contains(write)), "{file}");
    }
}

#[test]
fn a_function_guards_and_waits_as_a_statement_does_and_is_planned_once_by_indexes() {
    let functions = functions_of(include_str!("../migrations/0001_lanes.sql"));
    assert_eq!(functions.len(), 3);
    for text in functions {
        assert!(text.contains("\n-- Promise: "), "{text}");
        let reads = text.starts_with("by read.sql");
        assert!(reads || text.contains("set_config('lock_timeout', patience, true)"), "{text}");
        let planned =
            "SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off";
        assert!(text.contains(planned), "{text}");
    }
}

#[test]
fn what_removes_and_blanks_says_how_long_it_waits() {
    let functions = functions_of(include_str!("../migrations/0001_removing.sql"));
    assert_eq!(functions.len(), 2);
    for text in functions {
        assert!(text.contains("\n-- Promise: "), "{text}");
        assert!(text.contains("set_config('lock_timeout', patience, true)"), "{text}");
    }
}

#[test]
fn every_name_is_written_with_its_schema() {
    for (file, text) in Statements::on("shop").all() {
        assert!(!text.contains("pap."), "{file}: {text}");
    }
    assert_eq!(on("shop", "nextval('pap.operation_keys')"), "nextval('shop.operation_keys')");
    let tables = migrations::text("shop", 0, true).unwrap();
    assert!(tables.starts_with("CREATE SCHEMA shop;"), "{tables}");
    assert!(!tables.contains("pap."));
}

#[test]
fn a_text_that_postgresql_cannot_keep_is_refused_before_it_is_sent() {
    assert!(check_texts(["a", "b"]).is_ok());
    let refused = check_texts(["a", "b\0"]).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotWritten);
}

#[tokio::test]
async fn an_address_that_cannot_be_read_is_not_repeated() {
    for address in ["postgres://shop:secret@:bad:/x", "secret"] {
        let refused = Postgres::connect(Config::at(address)).await.unwrap_err();
        let words = format!("{refused} {refused:?}");
        assert!(!words.contains("secret"), "{words}");
    }
    let config = format!("{:?}", Config::at("postgres://shop:secret@db/x"));
    assert!(!config.contains("secret"), "{config}");
}

#[tokio::test]
async fn a_schema_that_would_have_to_be_quoted_is_refused() {
    for schema in ["", "Shop", "shop-eu", "1shop", "pg_shop", "shop; DROP TABLE x"] {
        let config = Config::at("postgres://localhost/x").schema(schema);
        let refused = Postgres::connect(config).await.unwrap_err().to_string();
        assert!(refused.contains("schema name"), "{refused}");
    }
}

#[tokio::test]
async fn what_could_never_work_is_refused_all_at_once_with_what_to_type() {
    let config = Config::at("postgres://shop:secret@:bad:/x")
        .schema("Shop")
        .connections(usize::MAX)
        .answer_within(Duration::MAX)
        .lock_within(Duration::ZERO);
    let refused = Postgres::connect(config).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotWritten);
    insta::assert_snapshot!(refused, @"
    the database is not reached as it was set (5 to put right)
    - the address of the database cannot be read: invalid connection string: invalid value for option `port`
      help: write it as `postgres://user@host:5432/database?sslmode=require`
    - `Shop` is no schema name for this store
      help: up to 40 lower-case letters, digits and `_`, a letter first
    - `.connections(…)` is 18446744073709551615, and may be from 1 to 262143: a store needs one, and no server takes more; type `.connections(8)`
    - `.answer_within(…)` is 18446744073709551615.999999999s, and may be from 1 ms to 24 h: no server answers in less, and whoever waits for an answer that was lost waits so long; type `.answer_within(Duration::from_secs(10))`
    - `.lock_within(…)` is 0ns, and may be from 1 ms to 24 h: it is told to the server in milliseconds, for which none means without end; type `.lock_within(Duration::from_secs(3))`
    ");
}

#[tokio::test]
async fn a_wait_that_cannot_be_kept_is_refused() {
    let at = || Config::at("postgres://127.0.0.1:1/x");
    let day = Duration::from_secs(24 * 3600);
    let sets: [(_, Set); 2] =
        [("answer_within", Config::answer_within), ("lock_within", Config::lock_within)];
    for (call, set) in sets {
        for lost in [Duration::ZERO, Duration::from_nanos(999_999), day + Duration::from_nanos(1)] {
            let refused = Postgres::connect(set(at(), lost)).await.unwrap_err().to_string();
            assert!(refused.starts_with(&format!("`.{call}(…)` is {lost:?}")), "{refused}");
        }
        for kept in [Duration::from_secs(1), day] {
            let refused = Postgres::connect(set(at(), kept)).await.unwrap_err().to_string();
            assert!(refused.contains("psql"), "{refused}");
        }
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_with_what_to_do() {
    let config = Config::at("postgres://127.0.0.1:1/x").answer_within(Duration::from_secs(2));
    let refused = Postgres::connect(config).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotWritten);
    assert!(refused.to_string().contains("psql"), "{refused}");
}
