//! What is done with operations beside their path. What could be long is done a bounded piece at a time, so
//! that claims and finishes go on between.

use pap_protocol::value::Instant;
use tokio_postgres::Row;

use super::asking::known;
use super::base::{Base, failed};
use super::bound::{Bound, check_texts, millis};
use super::clock::ServerClock;
use super::feed::read_feed;
use super::find::{acts, count, open_work, pauses, search};
use super::rows::{Columns, revision, stored};
use super::writes::{about, again_if_lost};
use super::{Postgres, verify};
use crate::store::row::Row as _;
use crate::store::{
    Act, ActBy, Closing, Count, Counted, EXPIRED, EndRelease, Erase, Erased, Error, Feed, Keeping,
    OpenWork, Page, Pause, Paused, Pending, Place, Purge, Purged, ReadActs, ReadFeed, Release,
    ReleaseWhy, Resume, Search, TakeReleases, TakenReleases, Written, detail, random,
};

/// At most so many moments are looked at in one write.
const EXPIRE_AT_ONCE: u32 = 256;
/// At most so many operations are looked at, and removed, in one write.
const PURGE_AT_ONCE: u32 = 256;
/// At most so many operations are blanked in one write.
const ERASE_AT_ONCE: u32 = 32;

/// Records the expiry of what is due.
async fn expire_due(base: &Base, company: String, limit: u32) -> Result<u32, Error> {
    let mut done = 0;
    while done < limit {
        let most = EXPIRE_AT_ONCE.min(limit - done);
        let bound = base
            .write()
            .text(company.clone())
            .number(most.into())
            .text(EXPIRED)
            .text(detail::closed(Closing::Expired));
        let sent = ServerClock::sending();
        let rows = base.rows(&base.sql.expire_due, &bound).await.map_err(failed)?;
        let Some(row) = rows.first() else { break };
        let mut columns = Columns::of(row);
        base.heard(sent, columns.moment()?);
        done += columns.made(|number: i64| u32::try_from(number).ok())?;
        if columns.take::<i64>()? < i64::from(most) {
            break;
        }
    }
    Ok(done)
}

/// Takes releases whose time has come; what cannot be read is reported and left out.
async fn take_releases(base: &Base, take: TakeReleases) -> Result<TakenReleases, Error> {
    let lease = i64::try_from(take.lease.as_millis()).unwrap_or(i64::MAX);
    let bound = base.write().text(take.company).number(take.limit.into()).number(lease);
    let rows = base.rows(&base.sql.take_releases, &known(bound, &take.known)).await;
    let taken = rows.map_err(failed)?;
    let more = taken.len() == usize::try_from(take.limit).unwrap_or(usize::MAX);
    let releases = taken.iter().filter_map(|row| {
        let taken = release(row);
        taken.inspect_err(|error| tracing::error!(%error, "a release cannot be read")).ok()
    });
    Ok(TakenReleases { releases: releases.collect(), more })
}

fn release(row: &Row) -> Result<Release, Error> {
    let mut columns = Columns::of(row);
    let now = columns.moment()?;
    let why =
        columns.made(|word: &str| ReleaseWhy::ALL.into_iter().find(|why| why.word() == word))?;
    let tries = columns.count()?;
    let revision = revision(&mut columns, false)?;
    let (_, stored) = stored(&mut columns, now)?;
    Ok(Release { stored, revision, why, tries })
}

async fn end_release(base: &Base, end: EndRelease) -> Result<(), Error> {
    let bound = || {
        about(base, &end.key)
            .small(end.revision.get())
            .number_if_any(millis(end.again_after))
            .text(detail::released(end.revision))
    };
    again_if_lost(base, &base.sql.end_release, bound).await.map(drop)
}

async fn pause(base: &Base, pause: Pause) -> Result<(), Error> {
    let Pause { company, action, of, who, why } = pause;
    check_texts([company.as_str(), who.as_str(), why.as_str()])?;
    let lock = base.patience().text(company.clone());
    let bound = base
        .read()
        .text(company)
        .text(of.word())
        .text(action.unwrap_or_default())
        .text(who)
        .text(why);
    let first = (base.sql.pausing.as_str(), &lock);
    one_after(base, first, (&base.sql.pause, &bound)).await.map(drop)
}

/// Runs two statements as one transaction, of which the second sees what the first has waited for.
async fn one_after(
    base: &Base,
    first: (&str, &Bound<'_>),
    second: (&str, &Bound<'_>),
) -> Result<Vec<Row>, Error> {
    let taken = base.pool.take().await.map_err(failed)?;
    let answer = taken.link.rows_after(first, second).await;
    taken.after(answer).map_err(failed)
}

async fn resume(base: &Base, resume: Resume) -> Result<bool, Error> {
    let Resume { company, action, of, who, why } = resume;
    let action = action.unwrap_or_default();
    check_texts([company.as_str(), action.as_str(), who.as_str(), why.as_str()])?;
    let bound = base.write().text(company).text(of.word()).text(action).text(who).text(why);
    let answer = base.written(&base.sql.resume, bound).await.map_err(failed)?;
    Ok(matches!(answer, Written::Done(_)))
}

/// Whose doing it is, as the last values of a statement.
fn done_by<'b>(bound: Bound<'b>, by: Option<&'b ActBy>) -> Bound<'b> {
    bound
        .bytes_if_any(by.map(|by| by.act.0.to_vec()))
        .text_if_any(by.map(|by| by.who.clone()))
        .text_if_any(by.map(|by| by.why.clone()))
}

fn check_by(by: Option<&ActBy>) -> Result<(), Error> {
    check_texts(by.into_iter().flat_map(|by| [by.who.as_str(), by.why.as_str()]))
}

/// Removes final operations, a bounded number at a time.
async fn purge(base: &Base, purge: Purge) -> Result<Purged, Error> {
    let (mut left, mut removed, mut after) = (purge.limit, 0, purge.after);
    check_by(purge.by.as_ref())?;
    loop {
        let most = PURGE_AT_ONCE.min(left);
        let bound = base
            .write()
            .text(purge.company.clone())
            .text(purge.action.clone())
            .number(after.map_or(i64::MIN, |place| place.0))
            .number(most.into())
            .number(purge.ended_before.as_millis());
        let bound = done_by(bound, purge.by.as_ref());
        let rows = base.rows(&base.sql.purge, &bound).await.map_err(failed)?;
        let Some(row) = rows.first() else { return Ok(Purged { removed, next: None }) };
        let mut columns = Columns::of(row);
        let count = |number: i64| u32::try_from(number).ok();
        removed += columns.made(count)?;
        let looked_at = columns.made(count)?;
        after = columns.take::<Option<i64>>()?.map(Place).or(after);
        left -= looked_at.min(left);
        if looked_at < most {
            return Ok(Purged { removed, next: None });
        }
        if left == 0 {
            return Ok(Purged { removed, next: after });
        }
    }
}

/// Blanks final operations of an account, a bounded number at a time.
async fn erase(base: &Base, erase: Erase) -> Result<Erased, Error> {
    let (mut left, mut erased) = (erase.limit, 0);
    check_by(Some(&erase.by))?;
    loop {
        let most = ERASE_AT_ONCE.min(left);
        let salts = (0..most).map(|_| random::bytes::<32>()).collect::<Result<Vec<_>, _>>()?;
        let bound = base
            .write()
            .text(erase.company.clone())
            .text(erase.account.clone())
            .byte_strings(salts.iter().map(<[u8; 32]>::as_slice))
            .text(detail::ERASED);
        let bound = done_by(bound, Some(&erase.by));
        let rows = base.rows(&base.sql.erase, &bound).await.map_err(failed)?;
        let row = rows.first().ok_or_else(|| Error::corrupt("an erasure answers nothing"))?;
        let mut columns = Columns::of(row);
        let count = |number: i64| u32::try_from(number).ok();
        let _: Instant = columns.moment()?;
        let now_erased = columns.made(count)?;
        let (open, over) = (columns.made(count)?, columns.made(count)?);
        erased += now_erased;
        left -= most;
        // others may have ended while those that are blanked now were waited for
        let more = over > now_erased;
        if !more || left == 0 {
            return Ok(Erased { erased, open, more });
        }
    }
}

impl Keeping for Postgres {
    fn expire_due<'a>(&'a self, company: &'a str, limit: u32) -> Pending<'a, u32> {
        let company = company.to_owned();
        Box::pin(async move {
            failpoint!(write "expire_due", self.run(move |base| async move { expire_due(&base, company, limit).await }))
        })
    }

    fn take_releases(&self, take: TakeReleases) -> Pending<'_, TakenReleases> {
        Box::pin(async move {
            failpoint!(write "take_releases", self.run(move |base| async move { take_releases(&base, take).await }))
        })
    }

    fn end_release(&self, end: EndRelease) -> Pending<'_, ()> {
        Box::pin(async move {
            failpoint!(write "end_release", self.run(move |base| async move { end_release(&base, end).await }))
        })
    }

    fn pause(&self, what: Pause) -> Pending<'_, ()> {
        Box::pin(async move {
            failpoint!(write "pause", self.run(move |base| async move { pause(&base, what).await }))
        })
    }

    fn resume(&self, what: Resume) -> Pending<'_, bool> {
        Box::pin(async move {
            failpoint!(write "resume", self.run(move |base| async move { resume(&base, what).await }))
        })
    }

    fn pauses<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<Paused>> {
        let company = company.to_owned();
        Box::pin(self.run(move |base| async move { pauses(&base, company).await }))
    }

    fn feed(&self, read: ReadFeed) -> Pending<'_, Feed> {
        Box::pin(self.run(move |base| async move { read_feed(&base, read).await }))
    }

    fn search(&self, what: Search) -> Pending<'_, Page> {
        Box::pin(self.run(move |base| async move { search(&base, what).await }))
    }

    fn purge(&self, what: Purge) -> Pending<'_, Purged> {
        Box::pin(async move {
            failpoint!(write "purge", self.run(move |base| async move { purge(&base, what).await }))
        })
    }

    fn erase(&self, whose: Erase) -> Pending<'_, Erased> {
        Box::pin(async move {
            failpoint!(write "erase", self.run(move |base| async move { erase(&base, whose).await }))
        })
    }

    fn acts(&self, read: ReadActs) -> Pending<'_, Vec<Act>> {
        Box::pin(self.run(move |base| async move { acts(&base, read).await }))
    }

    fn count(&self, what: Count) -> Pending<'_, Counted> {
        Box::pin(self.run(move |base| async move { count(&base, what).await }))
    }

    fn open_work<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<OpenWork>> {
        let company = company.to_owned();
        Box::pin(self.run(move |base| async move { open_work(&base, company).await }))
    }

    fn verify<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<String>> {
        let company = company.to_owned();
        Box::pin(self.run(move |base| async move { verify::verify(&base, &company).await }))
    }
}
