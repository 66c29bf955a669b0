//! Confirms in a second: the runtime, the prototype and the bare store in turns.

use std::time::Duration;

use crate::agent::Agent;
use crate::arguments::Arguments;
use crate::child::{BareStore, Server, Slice};
use crate::error::Error;
use crate::serve::Kind;
use crate::statistics::Spread;

/// Connections, and the batch of the bare store that is like what they come to.
const LOADS: [(usize, usize); 3] = [(1, 1), (16, 8), (64, 16)];
/// More confirms than any of them does in a second.
const MOST_PER_SECOND: f64 = 16_000.0;
/// The same for one connection.
const MOST_ALONE: f64 = 6_000.0;

/// One number of connections.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) connections: usize,
    pub(crate) batch: usize,
    pub(crate) runtime: Vec<Slice>,
    pub(crate) prototype: Vec<Slice>,
    pub(crate) bare: Vec<Slice>,
}

impl Row {
    fn forget(&mut self) {
        self.runtime.clear();
        self.prototype.clear();
        self.bare.clear();
    }

    /// The runtime's rate as a share of what was measured beside it, slice by slice.
    pub(crate) fn of(&self, beside: &[Slice]) -> Spread {
        let pairs = self.runtime.iter().zip(beside);
        Spread::of(pairs.map(|(ours, other)| ours.per_second / other.per_second))
    }

    /// CPU time of the runtime's confirm, as a multiple of what was measured beside it.
    pub(crate) fn cpu_of(&self, beside: &[Slice]) -> Spread {
        let pairs = self.runtime.iter().zip(beside);
        Spread::of(pairs.map(|(ours, other)| ours.cpu_us / other.cpu_us))
    }
}

/// Every number of connections.
#[derive(Debug)]
pub(crate) struct Confirms(pub(crate) Vec<Row>);

/// Measures them in turns, in another order each time.
pub(super) async fn measured(arguments: &Arguments, agent: &Agent) -> Result<Confirms, Error> {
    let folder = tempfile::tempdir_in(&arguments.keep)?;
    let mut runtime = Server::start(Kind::Runtime, folder.path(), agent)?;
    let mut prototype = Server::start(Kind::Prototype, folder.path(), agent)?;
    let mut bare = BareStore::start(folder.path())?;
    let during = Duration::try_from_secs_f64(arguments.seconds).map_err(Error::of)?;
    let empty = |(connections, batch): &(usize, usize)| Row {
        connections: *connections,
        batch: *batch,
        runtime: Vec::new(),
        prototype: Vec::new(),
        bare: Vec::new(),
    };
    let mut rows: Vec<Row> = LOADS.iter().map(empty).collect();
    // the first round fills caches and is not counted
    for round in 0..=arguments.slices {
        for row in &mut rows {
            let most = most(row.connections, arguments.seconds)?;
            for turn in 0..3 {
                match (turn + round) % 3 {
                    0 => row.runtime.push(runtime.slice(row.connections, most, during).await?),
                    1 => row.prototype.push(prototype.slice(row.connections, most, during).await?),
                    _ => row.bare.push(bare.slice(row.batch, during)?),
                }
            }
            if round == 0 {
                row.forget();
            }
        }
    }
    Ok(Confirms(rows))
}

/// How many confirms have to be ready for a slice.
fn most(connections: usize, seconds: f64) -> Result<usize, Error> {
    let per_second = if connections == 1 { MOST_ALONE } else { MOST_PER_SECOND };
    let whole = Duration::try_from_secs_f64(per_second * seconds).map_err(Error::of)?;
    Ok(usize::try_from(whole.as_secs())?.saturating_add(connections))
}
