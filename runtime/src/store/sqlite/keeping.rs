//! What is done with operations beside their path. What could be long is done a bounded piece at a time, so
//! that claims and finishes go on between.

use std::sync::Arc;

use super::find::{self, Piece};
use super::write::{Erasing, Expiring, Removing, Told};
use super::{Sqlite, read, verify, write};
use crate::store::row::Unchecked;
use crate::store::{
    Act, Count, CountOf, Counted, Cursor, EndRelease, Erase, Erased, Error, Feed, Keeping,
    NoSuchPlace, OpenWork, Page, Pause, Paused, Pending, Purge, Purged, ReadActs, ReadFeed,
    Release, Resume, Search, Stored, StoredRevision, TakeReleases, TakenReleases,
};

/// At most so many moments are looked at in one write.
const EXPIRE_AT_ONCE: u32 = 128;
/// At most so many operations are looked at, and removed, in one write.
const PURGE_AT_ONCE: u32 = 64;
/// At most so many operations are blanked in one write.
const ERASE_AT_ONCE: u32 = 16;

impl Sqlite {
    async fn expire(&self, company: &str, limit: u32) -> Result<u32, Error> {
        let mut done = 0;
        while done < limit {
            let most = EXPIRE_AT_ONCE.min(limit - done);
            let Expiring { expired, all } =
                self.write(write::expire_due(company.to_owned(), most)).await?;
            done += expired;
            if all {
                break;
            }
        }
        Ok(done)
    }

    async fn releases(&self, take: TakeReleases) -> Result<TakenReleases, Error> {
        let limit = usize::try_from(take.limit).unwrap_or(usize::MAX);
        let taken = self.write(write::take_releases(take)).await?;
        let more = taken.len() == limit;
        let mut releases = Vec::with_capacity(taken.len());
        for told in taken {
            match self.release(told).await {
                Ok(release) => releases.push(release),
                // the others are told all the same, and this one is tried again
                Err(error) => tracing::error!(%error, "a release cannot be read"),
            }
        }
        Ok(TakenReleases { releases, more })
    }

    async fn release(&self, told: Told) -> Result<Release, Error> {
        let Told { key, revision, why, tries } = told;
        let clock = Arc::clone(&self.0.clock);
        let read = move |connection: &rusqlite::Connection| {
            let revision = read::revision(connection, key, revision)?;
            Ok(read::by_key(connection, key, clock.now())?.zip(revision))
        };
        let (stored, revision): (Unchecked<Stored>, Unchecked<StoredRevision>) =
            self.0.readers.read(read).await?.ok_or_else(|| {
                Error::corrupt("the list of releases names no revision that is there")
            })?;
        Ok(Release { stored: stored.check()?, revision: revision.check(false)?, why, tries })
    }

    async fn read_feed(&self, read: ReadFeed) -> Result<Feed, Error> {
        let ReadFeed { company, after, limit } = read;
        let place = after.place();
        let mut last = if place.is_empty() { Some(0) } else { place.parse::<i64>().ok() }
            .filter(|place| *place >= 0)
            .ok_or_else(|| NoSuchPlace(place.to_owned()))?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut events = Vec::new();
        loop {
            let (company, left) = (company.clone(), limit - events.len());
            let look = move |c: &rusqlite::Connection| find::feed(c, &company, last, left);
            let piece = self.0.readers.read(look).await?;
            last = piece.last;
            events.extend(piece.ours);
            if piece.all || events.len() == limit {
                break;
            }
        }
        let next = if last == 0 { after } else { Cursor::at(last.to_string()) };
        Ok(Feed { events, next })
    }

    async fn find(&self, mut search: Search) -> Result<Page, Error> {
        let mut operations = Vec::new();
        loop {
            let (sought, clock) = (search.clone(), Arc::clone(&self.0.clock));
            let look = move |c: &rusqlite::Connection| find::search(c, &sought, clock.now());
            let Piece { found, next } = self.0.readers.read(look).await?;
            search.limit =
                search.limit.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
            for stored in found {
                operations.push(stored.check()?);
            }
            if next.is_none() || search.limit == 0 {
                return Ok(Page { operations, next });
            }
            search.after = next;
        }
    }

    async fn counted(&self, count: Count) -> Result<Counted, Error> {
        let Count { company, of } = count;
        let (action, ended_before) = match of {
            CountOf::Purge { action, ended_before } => (action, ended_before),
            CountOf::Erase { account } => {
                let look = move |c: &rusqlite::Connection| find::erasable(c, &company, &account);
                return self.0.readers.read(look).await;
            }
        };
        let (mut counted, mut after) = (Counted::default(), None);
        loop {
            let (company, action) = (company.clone(), action.clone());
            let limit = find::LOOKED_AT;
            let purge = Purge { company, action, ended_before, after, limit, by: None };
            let look = move |c: &rusqlite::Connection| find::purgeable(c, &purge);
            let (piece, next) = self.0.readers.read(look).await?;
            counted.would = counted.would.saturating_add(piece.would);
            counted.open = counted.open.saturating_add(piece.open);
            after = next;
            if after.is_none() {
                return Ok(counted);
            }
        }
    }

    async fn remove(&self, mut purge: Purge) -> Result<Purged, Error> {
        let (mut left, mut removed) = (purge.limit, 0);
        loop {
            purge.limit = PURGE_AT_ONCE.min(left);
            let piece: Removing = self.write(write::purge(purge.clone())).await?;
            removed += piece.removed;
            left -= piece.looked_at.min(left);
            purge.after = piece.last.or(purge.after);
            if piece.looked_at < purge.limit {
                return Ok(Purged { removed, next: None });
            }
            if left == 0 {
                return Ok(Purged { removed, next: purge.after });
            }
        }
    }

    async fn blank(&self, mut erase: Erase) -> Result<Erased, Error> {
        let (mut left, mut erased) = (erase.limit, 0);
        loop {
            erase.limit = ERASE_AT_ONCE.min(left);
            let piece: Erasing = self.write(write::erase(erase.clone())).await?;
            erased += piece.erased;
            left -= piece.erased.min(left);
            if piece.left == 0 || left == 0 {
                return Ok(Erased { erased, open: piece.open, more: piece.left > 0 });
            }
        }
    }
}

impl Keeping for Sqlite {
    fn expire_due<'a>(&'a self, company: &'a str, limit: u32) -> Pending<'a, u32> {
        Box::pin(self.expire(company, limit))
    }

    fn take_releases(&self, take: TakeReleases) -> Pending<'_, TakenReleases> {
        Box::pin(self.releases(take))
    }

    fn end_release(&self, end: EndRelease) -> Pending<'_, ()> {
        Box::pin(self.write(write::end_release(end)))
    }

    fn pause(&self, pause: Pause) -> Pending<'_, ()> {
        Box::pin(self.write(write::pause(pause)))
    }

    fn resume(&self, resume: Resume) -> Pending<'_, bool> {
        Box::pin(self.write(write::resume(resume)))
    }

    fn pauses<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<Paused>> {
        let company = company.to_owned();
        Box::pin(self.0.readers.read(move |c| find::pauses(c, &company)))
    }

    fn feed(&self, read: ReadFeed) -> Pending<'_, Feed> {
        Box::pin(self.read_feed(read))
    }

    fn search(&self, search: Search) -> Pending<'_, Page> {
        Box::pin(self.find(search))
    }

    fn purge(&self, purge: Purge) -> Pending<'_, Purged> {
        Box::pin(self.remove(purge))
    }

    fn erase(&self, erase: Erase) -> Pending<'_, Erased> {
        Box::pin(self.blank(erase))
    }

    fn acts(&self, read: ReadActs) -> Pending<'_, Vec<Act>> {
        Box::pin(self.0.readers.read(move |c| find::acts(c, &read)))
    }

    fn count(&self, count: Count) -> Pending<'_, Counted> {
        Box::pin(self.counted(count))
    }

    fn open_work<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<OpenWork>> {
        let company = company.to_owned();
        let clock = Arc::clone(&self.0.clock);
        Box::pin(self.0.readers.read(move |c| find::open_work(c, &company, clock.now())))
    }

    fn verify<'a>(&'a self, company: &'a str) -> Pending<'a, Vec<String>> {
        Box::pin(verify::verify(self, company))
    }
}
