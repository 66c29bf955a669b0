//! Confirms in a second: the runtime, the prototype and the bare store in turns.

use std::time::Duration;

use crate::agent::Agent;
use crate::arguments::{Arguments, Store};
use crate::child::{BareStore, Server, Slice};
use crate::cluster::Cluster;
use crate::error::Error;
use crate::serve::{Kind, Place};
use crate::statistics::Spread;

/// Connections, and the batch of the bare store that is like what they come to.
const LOADS: [(usize, usize); 3] = [(1, 1), (16, 8), (64, 16)];
/// More confirms than any of them does in a second, and over one connection.
const MOST_SQLITE: (f64, f64) = (16_000.0, 6_000.0);
/// The same on PostgreSQL.
const MOST_POSTGRES: (f64, f64) = (8_000.0, 2_000.0);
/// So many clients of the bare store in PostgreSQL, where they write in batches: one claims while the other
/// finishes.
const CLIENTS: usize = 2;

/// One number of connections.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) connections: usize,
    pub(crate) batch: usize,
    pub(crate) runtime: Vec<Slice>,
    pub(crate) prototype: Vec<Slice>,
    pub(crate) bare: Vec<Slice>,
    /// What is measured on PostgreSQL alone.
    pub(crate) beside: Beside,
}

/// What SQLite has not: a second process, and writes that are each a statement of their own.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    /// The runtime, where another process proposed.
    pub(crate) elsewhere: Vec<Slice>,
    pub(crate) prototype: Vec<Slice>,
    pub(crate) bare: Vec<Slice>,
}

impl Row {
    fn empty(&(connections, batch): &(usize, usize)) -> Self {
        let (runtime, prototype, bare) = (Vec::new(), Vec::new(), Vec::new());
        Self { connections, batch, runtime, prototype, bare, beside: Beside::default() }
    }

    fn forget(&mut self) {
        *self = Self::empty(&(self.connections, self.batch));
    }

    /// The runtime's rate as a share of what was measured beside it, slice by slice.
    pub(crate) fn of(&self, beside: &[Slice]) -> Spread {
        ratio(&self.runtime, beside)
    }

    /// The same where another process proposed.
    pub(crate) fn elsewhere_of(&self, beside: &[Slice]) -> Spread {
        ratio(&self.beside.elsewhere, beside)
    }

    /// CPU time of the runtime's confirm, as a multiple of what was measured beside it.
    pub(crate) fn cpu_of(&self, beside: &[Slice]) -> Spread {
        let pairs = self.runtime.iter().zip(beside);
        Spread::of(pairs.map(|(ours, other)| ours.cpu_us / other.cpu_us))
    }
}

fn ratio(ours: &[Slice], beside: &[Slice]) -> Spread {
    let pairs = ours.iter().zip(beside);
    Spread::of(pairs.map(|(ours, other)| ours.per_second / other.per_second))
}

/// Every number of connections.
#[derive(Debug)]
pub(crate) struct Confirms(pub(crate) Vec<Row>);

/// What runs in turns.
struct Turns<'a> {
    most: (f64, f64),
    runtime: Server<'a>,
    prototype: Server<'a>,
    on_postgres: Option<OnPostgres<'a>>,
    bare: BareStore,
}

/// What runs on PostgreSQL alone.
struct OnPostgres<'a> {
    /// A second process on the runtime's store.
    elsewhere: Server<'a>,
    /// The prototype that batches nothing.
    single: Server<'a>,
}

/// Measures them in turns, in another order each time.
pub(super) async fn measured(arguments: &Arguments, agent: &Agent) -> Result<Confirms, Error> {
    match arguments.store {
        Store::Sqlite => {
            let folder = tempfile::tempdir_in(&arguments.keep)?;
            let place = Place::Folder(folder.path());
            let turns = Turns {
                most: MOST_SQLITE,
                runtime: Server::start(Kind::Runtime, place, agent)?,
                prototype: Server::start(Kind::Prototype, place, agent)?,
                on_postgres: None,
                bare: BareStore::start(place)?,
            };
            turns.measured(arguments).await
        }
        Store::Postgres => {
            let cluster = Cluster::start()?;
            // a database for each, so that none meets the rows of another
            let [runtime, prototype, single, bare] =
                ["runtime", "prototype", "single", "bare"].map(|name| made(&cluster, name));
            let runtime = runtime?;
            let turns = Turns {
                most: MOST_POSTGRES,
                runtime: Server::start(Kind::Runtime, Place::Database(&runtime), agent)?,
                prototype: Server::start(Kind::Prototype, Place::Database(&prototype?), agent)?,
                on_postgres: Some(OnPostgres {
                    elsewhere: Server::start(Kind::Runtime, Place::Database(&runtime), agent)?,
                    single: Server::start(Kind::Single, Place::Database(&single?), agent)?,
                }),
                bare: BareStore::start(Place::Database(&bare?))?,
            };
            turns.measured(arguments).await
        }
    }
}

/// A database of this name, and its address.
fn made(cluster: &Cluster, name: &str) -> Result<String, Error> {
    cluster.psql(&format!("CREATE DATABASE {name}"))?;
    let url = cluster.url();
    let (server, _) = url.rsplit_once('/').unwrap_or((&url, ""));
    Ok(format!("{server}/{name}"))
}

impl Turns<'_> {
    async fn measured(mut self, arguments: &Arguments) -> Result<Confirms, Error> {
        let during = Duration::try_from_secs_f64(arguments.seconds).map_err(Error::of)?;
        let mut rows: Vec<Row> = LOADS.iter().map(Row::empty).collect();
        let kinds = if self.on_postgres.is_some() { 6 } else { 3 };
        // the first round fills caches and is not counted
        for round in 0..=arguments.slices {
            for row in &mut rows {
                for turn in 0..kinds {
                    self.take((turn + round) % kinds, row, during).await?;
                }
                if round == 0 {
                    row.forget();
                }
            }
        }
        Ok(Confirms(rows))
    }

    async fn take(&mut self, kind: u32, row: &mut Row, during: Duration) -> Result<(), Error> {
        let (connections, batch) = (row.connections, row.batch);
        let most = most(if connections == 1 { self.most.1 } else { self.most.0 }, during)?;
        let most = most.saturating_add(connections);
        match (kind, &mut self.on_postgres) {
            (0, _) => row.runtime.push(self.runtime.slice(connections, most, during).await?),
            (1, _) => row.prototype.push(self.prototype.slice(connections, most, during).await?),
            (3, Some(OnPostgres { single, .. })) => {
                row.beside.prototype.push(single.slice(connections, most, during).await?);
            }
            (4, Some(OnPostgres { elsewhere, .. })) => {
                let slice =
                    elsewhere.slice_of(&mut self.runtime, connections, most, during).await?;
                row.beside.elsewhere.push(slice);
            }
            (5, _) => row.beside.bare.push(self.bare.slice((connections, 1), during)?),
            (_, on_postgres) => {
                // a file has one writer
                let clients = if on_postgres.is_some() { CLIENTS.min(connections) } else { 1 };
                row.bare.push(self.bare.slice((clients, batch), during)?);
            }
        }
        Ok(())
    }
}

/// How many confirms have to be ready for a slice.
fn most(per_second: f64, during: Duration) -> Result<usize, Error> {
    let whole =
        Duration::try_from_secs_f64(per_second * during.as_secs_f64()).map_err(Error::of)?;
    Ok(usize::try_from(whole.as_secs())?)
}
