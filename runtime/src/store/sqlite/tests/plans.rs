//! How SQLite finds the rows of each statement: by a key, never by reading a big table through.

use std::fmt::Write as _;

use super::schema::migrated;
use crate::store::sqlite::sql;

#[test]
fn no_statement_reads_a_big_table_through() {
    let connection = migrated();
    let mut plans = String::new();
    for (file, statement) in sql::ALL {
        writeln!(plans, "{file}").unwrap();
        let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
        let rows = explained
            .query_map(rusqlite::params_from_iter(vec![1; explained.parameter_count()]), |row| {
                row.get::<_, String>(3)
            })
            .unwrap();
        for step in rows.map(Result::unwrap) {
            writeln!(plans, "    {step}").unwrap();
        }
    }
    // the list of open work, the lives of processes and the proofs of two minutes are small; everything
    // else grows for ever
    let scans = plans.lines().map(str::trim).filter(|step| step.starts_with("SCAN"));
    // an operator asks for these, seldom
    let scans = scans.filter(|step| !step.starts_with("SCAN pragma_") && *step != "SCAN purged");
    let big: Vec<_> = scans
        .filter(|step| {
            ![
                "SCAN a",
                "SCAN pauses",
                "SCAN n",
                "SCAN running",
                "SCAN lives",
                "SCAN replay",
                "SCAN CONSTANT ROW",
            ]
            .contains(step)
        })
        .collect();
    insta::assert_snapshot!(plans);
    assert!(big.is_empty(), "{big:?}");
}
