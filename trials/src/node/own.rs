//! The company's own rows, in the database that its operations are kept in.

use std::path::Path;

use pap_runtime::store::sqlite::Sqlite;
use rusqlite::{Connection, OpenFlags};
use tokio_postgres::{Client, NoTls, Transaction};

use crate::Fault;
use crate::downstream::ledger::Counts;
use crate::place::{Opened, Place};

const MAKE: &str = "CREATE TABLE IF NOT EXISTS trial_effects (key TEXT NOT NULL)";

/// Where this node's own rows are.
#[derive(Debug)]
pub(super) enum Own {
    /// In the file of the store.
    File(Sqlite),
    /// On the server of the store.
    Server(Server),
}

/// A schema beside the store's own.
#[derive(Debug)]
pub(super) struct Server {
    url: String,
    schema: String,
}

impl Own {
    /// Makes the table, if it is not there.
    pub(super) async fn beside(place: &Place, opened: &Opened) -> Result<Self, Fault> {
        match (place, opened.sqlite()) {
            (_, Some(file)) => Ok(Self::File(file.clone())),
            (Place::Postgres(url), None) => {
                let server = Server::of(url);
                server.make().await?;
                Ok(Self::Server(server))
            }
            (Place::Sqlite(_), None) => Err("a file was opened as something else".into()),
        }
    }
}

/// Lets a key take effect in the store's file; there is no key that could keep it from doing so twice.
pub(super) fn write(file: &Connection, key: &str) -> rusqlite::Result<()> {
    file.execute_batch(MAKE)?;
    file.execute("INSERT INTO trial_effects (key) VALUES (?1)", [key]).map(drop)
}

impl Server {
    fn of(url: &str) -> Self {
        let (url, schema) = Place::schema(url);
        Self { url: url.to_owned(), schema: format!("{schema}_own") }
    }

    /// A connection of its own for one transaction.
    pub(super) async fn connect(&self) -> Result<Client, tokio_postgres::Error> {
        let (client, connection) = tokio_postgres::connect(&self.url, NoTls).await?;
        // it ends with the client, and says why there
        tokio::spawn(async { drop(connection.await) });
        Ok(client)
    }

    /// Lets a key take effect, if the transaction is committed.
    pub(super) async fn write(
        &self,
        transaction: &Transaction<'_>,
        key: &str,
    ) -> Result<(), tokio_postgres::Error> {
        let write = format!("INSERT INTO {}.trial_effects (key) VALUES ($1)", self.schema);
        transaction.execute(&write, &[&key]).await.map(drop)
    }

    async fn make(&self) -> Result<(), tokio_postgres::Error> {
        let schema = &self.schema;
        let table = MAKE.replace("trial_effects", &format!("{schema}.trial_effects"));
        // two that make the same at the same time are refused
        let make = format!(
            "BEGIN; SELECT pg_advisory_xact_lock(7061); CREATE SCHEMA IF NOT EXISTS {schema}; {table}; COMMIT"
        );
        self.connect().await?.batch_execute(&make).await
    }
}

/// What stands in a store's database beside the operations.
#[derive(Debug, Default)]
pub struct Beside {
    /// How often each key took effect there.
    pub effects: Counts,
    /// Releases that are still to be told, as `id:revision`.
    pub owed: Vec<String>,
}

const EFFECTS: &str = "SELECT key FROM trial_effects";
const OWED: &str = "SELECT o.operation_id || ':' || r.revision FROM releases AS r JOIN operations AS o ON o.key = r.operation";

/// Reads it, also while nodes use the database.
///
/// # Errors
///
/// If it cannot be read.
pub async fn beside(place: &Place) -> Result<Beside, Fault> {
    let (effects, owed) = match place {
        Place::Sqlite(path) => in_file(path)?,
        Place::Postgres(url) => in_server(url).await?,
    };
    let mut beside = Beside { owed, ..Beside::default() };
    for key in effects {
        let count = beside.effects.entry(key).or_default();
        *count = count.saturating_add(1);
    }
    Ok(beside)
}

type Rows = (Vec<String>, Vec<String>);

fn in_file(path: &Path) -> Result<Rows, Fault> {
    if !path.exists() {
        return Ok(Rows::default());
    }
    let file = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    file.busy_timeout(std::time::Duration::from_secs(5))?;
    let rows = |sql: &str| -> rusqlite::Result<Vec<String>> {
        file.prepare(sql)?.query_map((), |row| row.get(0))?.collect()
    };
    let made = !rows("SELECT name FROM sqlite_schema WHERE name = 'trial_effects'")?.is_empty();
    Ok((if made { rows(EFFECTS)? } else { Vec::new() }, rows(OWED)?))
}

async fn in_server(url: &str) -> Result<Rows, Fault> {
    let server = Server::of(url);
    let client = server.connect().await?;
    server.make().await?;
    let (_, schema) = Place::schema(url);
    let effects = EFFECTS.replace("trial_effects", &format!("{}.trial_effects", server.schema));
    let owed = OWED
        .replace("FROM releases", &format!("FROM {schema}.releases"))
        .replace("JOIN operations", &format!("JOIN {schema}.operations"));
    let mut all = Vec::new();
    for sql in [effects, owed] {
        let rows = client.query(&sql, &[]).await?;
        all.push(rows.iter().map(|row| row.try_get(0)).collect::<Result<Vec<String>, _>>()?);
    }
    let owed = all.pop().unwrap_or_default();
    Ok((all.pop().unwrap_or_default(), owed))
}
