//! SQL lives with the database that runs it.

use xtask::tidy::sql;

use crate::fixture::{Fixture, check_found};

const HEAD: &str = "-- run by `confirm`\n-- guards: one row moves\n";

#[test]
fn sql_outside_its_store_is_found() {
    let source = "//! Asks rusqlite to SELECT.\n\
                  const ONE: &str = \"SELECT id FROM operations\";\n\
                  const TWO: &str = \"UPDATE operations SET state = 1\";\n\
                  const FINE: &str = \"UPDATE your agent\";\n\
                  fn f(c: &rusqlite::Connection) {}\n\
                  #[cfg(test)]\nmod tests { const Q: &str = \"DELETE FROM operations\"; }\n";
    let files = [
        ("runtime/src/confirm.rs", source),
        (
            "runtime/src/store/sqlite/mod.rs",
            "use rusqlite::Connection;\nconst P: &str = \"PRAGMA x\";\n",
        ),
        ("runtime/tests/it/main.rs", "use rusqlite::Connection;\n"),
    ];
    check_found(
        &sql::check(&Fixture::of(&files).tree()),
        &[
            "runtime/src/confirm.rs:2: an SQL statement outside a store",
            "runtime/src/confirm.rs:3: an SQL statement outside a store",
            "runtime/src/confirm.rs:5: names `rusqlite` outside its store",
        ],
    );
}

#[test]
fn an_sql_file_has_a_head_a_size_and_somebody_who_runs_it() {
    let claim = format!("{HEAD}UPDATE operations SET state = 1;\n");
    let long = format!("{HEAD}{}", "SELECT 1;\n".repeat(59));
    let files = [
        (
            "runtime/src/store/sqlite/mod.rs",
            "const A: &str = include_str!(\"sql/claim.sql\");\n\
          const B: &str = include_str!(\"sql/long.sql\");\n\
          const C: &str = include_str!(\"../sqlite/sql/bare.sql\");\n\
          const D: &str = include_str!(\"../../confirm.sql\");\n",
        ),
        ("runtime/src/store/sqlite/sql/claim.sql", &claim),
        ("runtime/src/store/sqlite/sql/long.sql", &long),
        ("runtime/src/store/sqlite/sql/bare.sql", "-- only one\nSELECT 1;\n"),
        ("runtime/src/store/sqlite/sql/unused.sql", &claim),
        ("runtime/src/confirm.sql", &claim),
    ];
    let sql = "runtime/src/store/sqlite/sql";
    check_found(
        &sql::check(&Fixture::of(&files).tree()),
        &[
            &format!("{sql}/long.sql:1: 61 lines"),
            &format!("{sql}/bare.sql:1: does not open with 2 lines of comment"),
            &format!("{sql}/unused.sql:1: no source includes it"),
            "runtime/src/confirm.sql:1: an SQL file outside a store",
        ],
    );
}

#[test]
fn a_schema_may_be_longer_and_a_list_may_name_its_files() {
    let tables = format!("-- what is kept\n{}", "CREATE TABLE t (a) STRICT;\n".repeat(299));
    let claim = format!("{HEAD}UPDATE operations SET state = 1;\n");
    let list = "statements! { CLAIM = \"claim.sql\"; }\n\
                const ALL: [&str; 1] = [include_str!(\"migrations/0001_tables.sql\")];\n\
                #[cfg(test)]\nmod tests { const SUM: &str = include_str!(\"schema.sql\"); }\n";
    let files = [
        ("runtime/src/store/sqlite/sql.rs", list),
        ("runtime/src/store/sqlite/sql/claim.sql", &claim),
        ("runtime/src/store/sqlite/migrations/0001_tables.sql", &tables),
        ("runtime/src/store/sqlite/schema.sql", &tables),
        // a name that only another folder says is nobody's
        ("runtime/src/store/postgres/sql/claim.sql", &claim),
    ];
    check_found(
        &sql::check(&Fixture::of(&files).tree()),
        &["runtime/src/store/postgres/sql/claim.sql:1: no source includes it"],
    );
}
