//! Whether everything is there that a version of the tables consists of: one that was made by hand, or by another
//! form of the same version, would be noticed by the first statement that names what is not there.

use super::bound::Bound;
use super::failure::Failure;
use super::link::Link;
use super::rows::Columns;
use super::sql::Statements;
use crate::store::Error;

/// Refuses a schema that lacks something which these migrations make.
pub(super) async fn check(
    link: &Link,
    sql: &Statements,
    schema: &str,
    version: usize,
    migrations: &[&'static str],
) -> Result<(), Error> {
    let failed = |failure: Failure| failure.into_error("the tables cannot be looked at");
    let made: Vec<Made> = migrations.iter().flat_map(|migration| made_by(migration)).collect();
    let bound = Bound::default()
        .text(schema)
        .texts(made.iter().map(|made| made.name))
        .numbers(made.iter().map(|made| made.takes));
    let rows = link.rows(&sql.missing, &bound).await.map_err(failed)?;
    let missing = rows.iter().map(|row| Columns::of(row).take::<String>());
    let missing = missing.collect::<Result<Vec<_>, _>>()?;
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::not_written(format!(
        "the tables of schema `{schema}` have version {version} and lack `{}`\n\
         note: they were changed by hand, or made by another form of this version\n\
         help: run the runtime that made them, or make new ones in another schema with `.schema(\"…\")`",
        missing.join("`, `")
    )))
}

/// Something that statements name.
struct Made {
    name: &'static str,
    /// How many values a function takes.
    takes: Option<i64>,
}

/// The tables, views, sequences and functions of a migration.
fn made_by(migration: &'static str) -> Vec<Made> {
    let mut made = Vec::new();
    for kind in ["TABLE", "VIEW", "SEQUENCE", "FUNCTION"] {
        let begins = format!("\nCREATE {kind} pap.");
        for text in migration.split(&begins).skip(1) {
            let ends = |letter: char| !letter.is_ascii_lowercase() && letter != '_';
            let (name, rest) = text.split_once(ends).unwrap_or((text, ""));
            let values = rest.split_once(')').map_or("", |(values, _)| values).trim();
            let many = values.split(',').filter(|value| !value.is_empty()).count();
            let takes = (kind == "FUNCTION").then(|| i64::try_from(many).unwrap_or(i64::MAX));
            made.push(Made { name, takes });
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_migration_makes_is_read_from_its_text() {
        let made = made_by(
            "-- x\nCREATE TABLE pap.meta (\n);\nCREATE FUNCTION pap.refuse() RETURNS trigger\nAS;\n\
             CREATE FUNCTION pap.acted(\n    a text, b bytea,\n    c bigint\n) RETURNS boolean\n\
             CREATE SEQUENCE pap.operation_keys AS bigint;\nCREATE VIEW pap.stored AS\n",
        );
        let made: Vec<_> = made.iter().map(|made| (made.name, made.takes)).collect();
        let expected = [
            ("meta", None),
            ("stored", None),
            ("operation_keys", None),
            ("refuse", Some(0)),
            ("acted", Some(3)),
        ];
        assert_eq!(made, expected);
    }
}
