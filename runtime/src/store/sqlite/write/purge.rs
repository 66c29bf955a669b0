//! Operations are removed: whole, a few at a time, and never what is still open.

use super::super::rows::Columns;
use super::super::sql;
use super::super::transaction::{Transaction, all};
use super::Work;
use crate::store::row::Row as _;
use crate::store::{ActKind, Error, Place, Purge};

/// How far removing has got.
pub(in super::super) struct Removing {
    /// How many were removed.
    pub(in super::super) removed: u32,
    /// How many were looked at.
    pub(in super::super) looked_at: u32,
    /// The last one that was looked at.
    pub(in super::super) last: Option<Place>,
}

/// Removes those of the next operations that ended before the moment.
pub(in super::super) fn purge(purge: Purge) -> impl Work<Removing> {
    move |transaction: &Transaction<'_>| {
        let after = purge.after.map_or(i64::MIN, |place| place.0);
        let ended_before = purge.ended_before.as_millis();
        let params = (&purge.company, &purge.action, after, ended_before, purge.limit);
        let found = all(transaction.connection, sql::PURGEABLE, params, |row| {
            let mut columns = Columns::of(row);
            Ok((columns.take::<i64>()?, columns.yes_or_no()?))
        })?;
        let newest = transaction
            .first(sql::NEWEST_SEQUENCE, (), |row| Columns::of(row).take::<Option<i64>>())?;
        let mut removed = 0;
        for (key, _) in found.iter().filter(|(_, over)| *over) {
            transaction.overwriting(|| remove(transaction, *key))?;
            removed += 1;
        }
        if let Some(newest) = newest.flatten().filter(|_| removed > 0) {
            transaction.execute(sql::INSERT_GAP, (newest, transaction.now.as_millis()))?;
        }
        if let Some(by) = &purge.by {
            let what = (ActKind::Purge, Some(purge.action.as_str()));
            transaction.acted_on(&purge.company, what, by, removed)?;
        }
        failpoint!("store.purge.within", or return Err(Error::not_written("a fail-point")));
        let looked_at = u32::try_from(found.len()).unwrap_or(u32::MAX);
        Ok(Removing { removed, looked_at, last: found.last().map(|(key, _)| Place(*key)) })
    }
}

fn remove(transaction: &Transaction<'_>, key: i64) -> Result<(), Error> {
    for statement in [
        sql::KEEP_ID,
        sql::PURGE_EXPIRING,
        sql::PURGE_REVISIONS,
        sql::PURGE_NOTES,
        sql::PURGE_EVENTS,
        sql::PURGE_OPERATION,
    ] {
        transaction.execute(statement, (key,))?;
    }
    Ok(())
}
