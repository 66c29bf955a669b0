//! What final operations say is blanked; what became of them and when stays.

use super::super::rows::Columns;
use super::super::sql;
use super::super::transaction::{Transaction, all};
use super::Work;
use crate::store::row::Row as _;
use crate::store::{ActKind, Erase, Error, EventKind, detail, random, salted};

/// How far blanking has got.
pub(in super::super) struct Erasing {
    /// How many were blanked.
    pub(in super::super) erased: u32,
    /// How many stay as they are.
    pub(in super::super) open: u32,
    /// How many are left to blank.
    pub(in super::super) left: usize,
}

/// Blanks final operations of an account.
pub(in super::super) fn erase(erase: Erase) -> impl Work<Erasing> {
    move |transaction: &Transaction<'_>| {
        let params = (&erase.company, &erase.account);
        let found = all(transaction.connection, sql::ERASABLE, params, |row| {
            let mut columns = Columns::of(row);
            Ok((columns.take::<i64>()?, columns.yes_or_no()?, columns.take::<Option<[u8; 32]>>()?))
        })?;
        let (over, open): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, over, _)| *over);
        let most = usize::try_from(erase.limit).unwrap_or(usize::MAX).min(over.len());
        for (key, _, digest) in over.iter().take(most) {
            transaction.overwriting(|| blank(transaction, *key, digest.as_ref()))?;
        }
        let count = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
        transaction.acted_on(&erase.company, (ActKind::Erase, None), &erase.by, count(most))?;
        failpoint!("store.erase.within", or return Err(Error::not_written("a fail-point")));
        Ok(Erasing { erased: count(most), open: count(open.len()), left: over.len() - most })
    }
}

fn blank(
    transaction: &Transaction<'_>,
    key: i64,
    confirmed: Option<&[u8; 32]>,
) -> Result<(), Error> {
    let salt = random::bytes()?;
    let confirmed = confirmed.map(|digest| salted(&salt, digest));
    let params = (key, transaction.now.as_millis(), salt, confirmed);
    transaction.execute(sql::ERASE_OPERATION, params)?;
    let digests = all(transaction.connection, sql::DIGESTS, (key,), |row| {
        let mut columns = Columns::of(row);
        Ok((columns.take::<u32>()?, columns.take::<[u8; 32]>()?))
    })?;
    for (number, digest) in digests {
        transaction.execute(sql::ERASE_REVISION, (key, number, salted(&salt, &digest)))?;
    }
    transaction.execute(sql::ERASE_NOTES, (key,))?;
    transaction.execute(sql::ERASE_EVENTS, (key,))?;
    transaction.event(key, EventKind::Erased, detail::ERASED)
}
