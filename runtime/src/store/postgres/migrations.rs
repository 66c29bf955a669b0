//! The tables of a schema, brought up to what this runtime knows.

use super::bound::Bound;
use super::failure::Failure;
use super::link::Link;
use super::missing;
use super::sql::{Statements, on};
use crate::store::{Error, random};

/// Every migration, in order; the first makes version 1. A released one is never edited.
const MIGRATIONS: [&str; 1] = [concat!(
    include_str!("migrations/0001_operations.sql"),
    "\n",
    include_str!("migrations/0001_keeping.sql"),
    "\n",
    include_str!("migrations/0001_removing.sql"),
    "\n",
    include_str!("migrations/0001_lanes.sql")
)];

/// The oldest schema version whose runtime still works on the newest tables: nodes of the version before
/// go on while others start.
const WORKS_FROM: usize = 1;

/// What can be wrong with a migration that was asked for and with one that was not.
const FAILED: &str = "the tables could not be brought up to date";

/// How the tables of a schema stand to this runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a caller must handle every case")]
pub enum Tables {
    /// There are none.
    None,
    /// They lack the migrations after this version.
    Older(usize),
    /// They are what this runtime knows.
    Ready,
    /// A newer runtime has brought them to this version, and this one still works on them.
    Newer(usize),
}

/// Whether the schema is there, with or without tables.
pub(super) async fn has_schema(
    link: &Link,
    sql: &Statements,
    schema: &str,
) -> Result<(bool, bool), Error> {
    let failed = |failure: Failure| failure.into_error("the tables cannot be looked at");
    let there = Bound::default().text(format!("{schema}.meta")).text(schema);
    let there = link.rows(&sql.has_schema, &there).await.map_err(failed)?;
    let told = |column: usize| {
        there.first().and_then(|row| row.try_get::<_, bool>(column).ok()).unwrap_or(false)
    };
    Ok((told(1), told(0)))
}

/// How the tables stand.
///
/// # Errors
///
/// If they cannot be read, lack something, or are too new for this runtime.
pub(super) async fn look(link: &Link, sql: &Statements, schema: &str) -> Result<Tables, Error> {
    let failed = |failure: Failure| failure.into_error("the tables cannot be looked at");
    if !has_schema(link, sql, schema).await?.1 {
        return Ok(Tables::None);
    }
    let found = link.rows(&sql.schema_version, &Bound::default()).await.map_err(failed)?;
    let number = |column: usize| {
        let text = found.first().and_then(|row| row.try_get::<_, Option<String>>(column).ok());
        text.flatten().and_then(|text| text.parse::<usize>().ok()).filter(|number| *number > 0)
    };
    let missing = || Error::corrupt(format!("`{schema}.meta` has no schema version"));
    let (version, works_from) = (number(0).ok_or_else(missing)?, number(1).unwrap_or(usize::MAX));
    let known = MIGRATIONS.len();
    let tables = match version {
        version if version < known => return Ok(Tables::Older(version)),
        version if version == known => Tables::Ready,
        version if works_from <= known => Tables::Newer(version),
        version => {
            return Err(Error::not_written(format!(
                "the tables have schema version {version}, and this runtime knows versions up to {known}\n\
                 note: a newer runtime has changed them so that an older one could write them wrongly\n\
                 help: run the newer version"
            )));
        }
    };
    missing::check(link, sql, schema, version, &MIGRATIONS).await.map(|()| tables)
}

/// The statements that bring tables of this version up to date, to be read or run by somebody else.
pub(super) fn text(schema: &str, from: usize, make_schema: bool) -> Result<String, Error> {
    let mut text = if make_schema { format!("CREATE SCHEMA {schema};\n\n") } else { String::new() };
    for migration in MIGRATIONS.get(from..).unwrap_or_default() {
        text.push_str(&on(schema, migration));
        text.push('\n');
    }
    let mut set = vec![
        ("schema_version", MIGRATIONS.len().to_string()),
        ("works_from", WORKS_FROM.to_string()),
    ];
    if from == 0 {
        set.push(("store_id", random::text()?));
        set.push(("incarnation", random::text()?));
    }
    for (name, value) in set {
        // words of ours, in which nothing has to be quoted
        text.push_str(&on(
            schema,
            &format!(
                "INSERT INTO pap.meta (name, value) VALUES ('{name}', '{value}')\n\
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value;\n"
            ),
        ));
    }
    Ok(text)
}

/// Brings the tables up to date, in one transaction, one node at a time.
pub(super) async fn apply(link: &Link, sql: &Statements, schema: &str) -> Result<(), Error> {
    let failed = |failure: Failure| failure.into_error(FAILED);
    link.batch("BEGIN").await.map_err(failed)?;
    let applied = apply_locked(link, sql, schema).await;
    let end = if applied.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = link.batch(end).await.map_err(failed);
    applied.and(ended)
}

async fn apply_locked(link: &Link, sql: &Statements, schema: &str) -> Result<(), Error> {
    let failed = |failure: Failure| failure.into_error(FAILED);
    let lock = Bound::default().text("60s").text(format!("pap-runtime tables of {schema}"));
    link.rows(&sql.one_migrates, &lock).await.map_err(failed)?;
    // behind the lock: another node may have done it
    let from = match look(link, sql, schema).await? {
        Tables::Ready | Tables::Newer(_) => return Ok(()),
        Tables::None => 0,
        Tables::Older(version) => version,
    };
    let (there, _) = has_schema(link, sql, schema).await?;
    link.batch(&text(schema, from, !there)?).await.map_err(|failure| {
        let help = "\nhelp: let a role that may change tables run what `migrate::print` gives, \
                    and connect with `.migrate(false)`";
        let Error { kind, what, source } = failure.into_error(FAILED);
        Error { kind, what: format!("{what}{help}"), source }
    })
}
