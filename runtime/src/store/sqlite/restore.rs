//! A copy of the file is taken into use: what may have happened since it was made is not in it.

use std::cell::Cell;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use pap_protocol::operation::State;
use pap_protocol::value::Instant;
use rusqlite::Connection;

use super::failure::{in_file, store_error};
use super::lock::LockFile;
use super::open::Copied;
use super::places::Places;
use super::proofs::Proofs;
use super::sql;
use super::transaction::{Transaction, all, first, integer};
use super::witness::{Mark, Witness, set_incarnation};
use super::{Sqlite, migrations, open};
use crate::clock::{Clock, SystemClock};
use crate::store::{Error, EventKind, ReleaseWhy, Restored, RestoredBy, WouldRestore, detail};

impl Sqlite {
    /// Opens a store whose file was put back from a copy, and makes it safe to go on with: what it has
    /// proposed expires, since it may have been confirmed after the copy was made; what it has in progress
    /// is asked about at once, and started by nobody; and no checkpoint that is missing from it shows that
    /// nothing was done, so that a question behind such a fence is left to a person. It is a new
    /// incarnation of the store: called again, it does the same again.
    ///
    /// What was proposed after the copy was made is lost: tell the company's people so.
    ///
    /// # Errors
    ///
    /// As [`Sqlite::open`], but for a file that is behind.
    ///
    /// # Crash safety
    ///
    /// All of it is done before the store is open, or [`Sqlite::open`] still refuses the file.
    pub fn restore(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::restore_on(path, Arc::new(SystemClock))
    }

    /// Like [`Sqlite::restore`], on a clock of the caller's.
    ///
    /// # Errors
    ///
    /// As [`Sqlite::restore`].
    pub fn restore_on(path: impl AsRef<Path>, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        open::open(path.as_ref(), clock, Copied::Restore(None))
    }

    /// Like [`Sqlite::restore`], by somebody for a reason, who is named on the record of every operation that
    /// it changes.
    ///
    /// # Errors
    ///
    /// As [`Sqlite::restore`].
    pub fn restore_by(path: impl AsRef<Path>, by: &RestoredBy) -> Result<Self, Error> {
        open::open(path.as_ref(), Arc::new(SystemClock), Copied::Restore(Some(by)))
    }

    /// What [`Sqlite::restore`] would do to this file. Nothing is changed.
    ///
    /// # Errors
    ///
    /// If there is no such file, if another process has it, if it is something else or of a newer version,
    /// or if it cannot be read.
    pub fn would_restore(path: impl AsRef<Path>) -> Result<WouldRestore, Error> {
        would_restore(path.as_ref())
    }

    /// What taking the file into use came to; `None`: it was opened as it was.
    pub fn restored(&self) -> Option<Restored> {
        self.0.restored
    }
}

/// `result.summary` of a proposal in a copy: nobody knows whether it was confirmed since.
const RESTORED: &str = "This can not be confirmed any more: the company's records were restored from an \
    earlier copy.";

/// Lets nothing be confirmed that the copy has open, and has everything asked about that it has in progress;
/// all of it together with the new incarnation, or nothing.
pub(super) fn restore(
    connection: &mut Connection,
    seen: Option<&Mark>,
    now: Instant,
    incarnation: &str,
    by: Option<&RestoredBy>,
) -> Result<Restored, Error> {
    let failed = |error| store_error("the copy could not be taken into use", error);
    let proofs = Proofs::on_record(connection)?;
    let open = connection.transaction().map_err(failed)?;
    let spent = HashSet::new();
    let places = Places::new();
    let (proofs, places) = (&proofs, &places);
    let paused = Cell::new(true);
    let (spent, paused) = (&spent, &paused);
    let transaction = Transaction { connection: &open, now, spent, paused, proofs, places };
    if let Some(seen) = seen.filter(|seen| seen.sequence > 0) {
        // whoever reads the feed may have got as far as this
        transaction.execute(sql::INSERT_GAP, (seen.sequence, now.as_millis()))?;
    }
    let proposed = all(&open, sql::COPIED_PROPOSALS, (), |row| integer(row, 0))?;
    let detail = detail::restored(Some(State::Expired), by)?;
    let expired = count(proposed.len());
    for key in proposed {
        transaction.execute(sql::EXPIRE_COPIED, (key, RESTORED, now.as_millis()))?;
        transaction.will_release(key, None, ReleaseWhy::Expired)?;
        transaction.event(key, EventKind::Ended, &detail)?;
    }
    transaction.execute(sql::SPEND_COPIED_TICKET, ())?;
    let in_progress = all(&open, sql::ASK_ABOUT_COPIED, (now.as_millis(),), |row| integer(row, 0))?;
    let detail = detail::restored(None, by)?;
    let asked = count(in_progress.len());
    for key in in_progress {
        transaction.event(key, EventKind::Unsettled, &detail)?;
    }
    set_incarnation(&open, incarnation)?;
    open.commit().map_err(failed)?;
    tracing::warn!(expired, asked, "a copy of the store was taken into use");
    Ok(Restored { expired, asked })
}

fn count(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}

/// What [`restore`] would do to this file.
pub(super) fn would_restore(path: &Path) -> Result<WouldRestore, Error> {
    let path = open::whole(path)?;
    // before the lock: what is no store gets no lock file
    let connection = open::reading(&path)?;
    let in_file = |error| in_file(&path, error);
    if migrations::is_without_tables(&connection).map_err(in_file)? {
        return Err(Error::not_written(format!(
            "`{}` is empty: no store is in it",
            path.display()
        )));
    }
    let lock = LockFile::take(&path)?;
    let seen = match Witness::seen(lock.file()) {
        Some(seen) => Mark::of(&connection).map_err(in_file)?.behind(&seen),
        None => None,
    };
    let counted =
        first(&connection, sql::COUNT_COPIED, (), |row| Ok((integer(row, 0)?, integer(row, 1)?)));
    let (proposed, in_progress) = counted.map_err(in_file)?.unwrap_or_default();
    let [proposed, in_progress] =
        [proposed, in_progress].map(|number| u64::try_from(number).unwrap_or(0));
    Ok(WouldRestore { seen, proposed, in_progress, alive: 0 })
}
