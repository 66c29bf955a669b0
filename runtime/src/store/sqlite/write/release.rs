//! What hangs on proposals: their expiry, and what the company is told of them.

use pap_protocol::value::Instant;

use super::super::read;
use super::super::rows::Columns;
use super::super::sql;
use super::super::transaction::{Transaction, all};
use super::Work;
use super::propose::expire;
use crate::store::{EXPIRED, EndRelease, Error, EventKind, ReleaseWhy, TakeReleases, detail};

/// How far recording expiry has got.
pub(in super::super) struct Expiring {
    /// How many operations expired.
    pub(in super::super) expired: u32,
    /// Whether there was nothing else to look at.
    pub(in super::super) all: bool,
}

/// Records the expiry of what is due, looking at no more than this many moments.
pub(in super::super) fn expire_due(company: String, most: u32) -> impl Work<Expiring> {
    move |transaction: &Transaction<'_>| {
        let params = (&company, transaction.now.as_millis(), most);
        let due = all(transaction.connection, sql::EXPIRING, params, |row| {
            let mut columns = Columns::of(row);
            Ok((columns.take::<i64>()?, columns.take::<i64>()?))
        })?;
        let mut expired = 0;
        for (key, at) in &due {
            // it was confirmed, has ended, or has a later revision with a moment of its own otherwise
            expired += u32::from(expire(transaction, *key, EXPIRED)?);
            transaction.execute(sql::END_EXPIRING, (&company, at, key))?;
        }
        if !due.is_empty() {
            failpoint!("store.expire_due.within", or return Err(Error::not_written("a fail-point")));
        }
        let all = u32::try_from(due.len()).is_ok_and(|looked_at| looked_at < most);
        Ok(Expiring { expired, all })
    }
}

/// A release that was taken.
pub(in super::super) struct Told {
    pub(in super::super) key: i64,
    pub(in super::super) revision: u32,
    pub(in super::super) why: ReleaseWhy,
    pub(in super::super) tries: u32,
}

/// Takes releases whose time has come.
pub(in super::super) fn take_releases(take: TakeReleases) -> impl Work<Vec<Told>> {
    move |transaction: &Transaction<'_>| {
        let params = (&take.company, transaction.now.as_millis());
        let sought = read::Sought { known: &take.known, limit: take.limit };
        let due = read::known(transaction.connection, sql::RELEASABLE, params, sought, |row| {
            Ok((row.take::<i64>()?, row.take::<u32>()?))
        })?;
        let again = transaction.now.saturating_add(take.lease).as_millis();
        let taken = due.into_iter().map(|(key, revision)| {
            let told = transaction.first(sql::TAKE_RELEASE, (key, revision, again), |row| {
                let mut columns = Columns::of(row);
                let why = columns.made(|word: String| {
                    ReleaseWhy::ALL.into_iter().find(|why| why.word() == word)
                })?;
                Ok(Told { key, revision, why, tries: columns.take()? })
            })?;
            told.ok_or_else(|| Error::corrupt("a release is found and is not there"))
        });
        let taken: Vec<Told> = taken.collect::<Result<_, _>>()?;
        if !taken.is_empty() {
            failpoint!("store.take_releases.within", or return Err(Error::not_written("a fail-point")));
        }
        Ok(taken)
    }
}

/// Takes a release off the list, or says when to tell it again.
pub(in super::super) fn end_release(end: EndRelease) -> impl Work<()> {
    move |transaction: &Transaction<'_>| {
        let EndRelease { key, revision, again_after } = &end;
        let Some(row) = transaction.key_of(key)? else { return Ok(()) };
        failpoint!("store.end_release.within", or return Err(Error::not_written("a fail-point")));
        if let Some(again) = again_after.map(Instant::as_millis) {
            let params = (row, revision.get(), again);
            return transaction.execute(sql::RELEASE_AGAIN, params).map(drop);
        }
        if transaction.changes(sql::END_RELEASE, (row, revision.get()))? {
            transaction.event(row, EventKind::Released, &detail::released(*revision))?;
        }
        Ok(())
    }
}
