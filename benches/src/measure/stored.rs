//! What stored operations cost: the same confirms on stores of different sizes, in turns.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::agent::Agent;
use crate::arguments::Arguments;
use crate::child::{Server, Slice};
use crate::error::Error;
use crate::serve::{Kind, Place};
use crate::statistics::Spread;

/// How many operations that have ended are on record.
const LEVELS: [u64; 3] = [0, 100_000, 1_000_000];
/// Connections; the store's share of a confirm is largest where batches are small.
const CONNECTIONS: usize = 16;
/// Confirms that are ready for a slice of a second.
const MOST: usize = 9_000;
/// So many are ended in one go.
const ENDED_TOGETHER: u64 = 50_000;

/// One number of stored operations.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) stored: u64,
    pub(crate) slices: Vec<Slice>,
}

impl Level {
    pub(crate) fn cpu_us(&self) -> Spread {
        Spread::of(self.slices.iter().map(|slice| slice.cpu_us))
    }

    /// Memory after the last slice, in MiB.
    pub(crate) fn resident(&self) -> f64 {
        self.slices.last().map_or(0.0, |slice| slice.resident / 1024.0)
    }

    /// CPU time of a confirm as a multiple of one on another level, slice by slice.
    pub(crate) fn over(&self, other: &Self) -> Spread {
        let pairs = self.slices.iter().zip(&other.slices);
        Spread::of(pairs.map(|(this, other)| this.cpu_us / other.cpu_us))
    }
}

/// Every number of stored operations, from none.
#[derive(Debug)]
pub(crate) struct Stored(pub(crate) Vec<Level>);

/// Measures all levels in turns. A store that takes long to fill is kept for the next run.
pub(super) async fn measured(arguments: &Arguments, agent: &Agent) -> Result<Stored, Error> {
    let folder = tempfile::tempdir_in(&arguments.keep)?;
    let mut servers = Vec::new();
    for stored in LEVELS {
        let at = if stored == 0 {
            folder.path().to_owned()
        } else {
            filled(&arguments.keep, stored, agent)?
        };
        let server = Server::start(Kind::Runtime, Place::Folder(&at), agent)?;
        servers.push((Level { stored, slices: Vec::new() }, server));
    }
    let during = Duration::try_from_secs_f64(arguments.seconds).map_err(Error::of)?;
    for round in 0..=arguments.slices {
        for (level, server) in &mut servers {
            let slice = server.slice(CONNECTIONS, MOST, during).await?;
            if round > 0 {
                level.slices.push(slice);
            }
        }
        servers.rotate_left(1);
    }
    let mut levels: Vec<Level> = servers.into_iter().map(|(level, _)| level).collect();
    levels.sort_by_key(|level| level.stored);
    Ok(Stored(levels))
}

/// The folder of a store with so many operations that have ended. The folder's name changes with the
/// tables, so that an older one is never taken for it.
fn filled(keep: &Path, stored: u64, agent: &Agent) -> Result<PathBuf, Error> {
    let schema = include_bytes!("../../../runtime/src/store/sqlite/schema.sql");
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, schema);
    let digest =
        digest.as_ref().iter().take(4).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    let folder = keep.join(format!("sqlite-{digest:08x}-{stored}"));
    let whole = folder.join("whole");
    if !whole.exists() {
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let mut server = Server::start(Kind::Runtime, Place::Folder(&folder), agent)?;
        let mut left = stored;
        while left > 0 {
            let some = left.min(ENDED_TOGETHER);
            server.end(some)?;
            left -= some;
        }
        drop(server);
        std::fs::write(whole, "")?;
    }
    Ok(folder)
}
