//! The reading lane, and the other reads.

use std::sync::Arc;

use tokio::sync::oneshot;
use tokio_postgres::Row;

use super::base::{Base, Own, failed};
use super::bound::Bound;
use super::failure::Failure;
use super::lane::{Job, Name, Work};
use super::rows::{Columns, revision, stored};
use crate::store::row::{Row as _, event, note};
use crate::store::{Error, Found, History, Key, OpenAction, Stored};

/// Where the answer to a read comes.
pub(super) type Answer = oneshot::Receiver<Result<Option<Stored>, Error>>;

/// A read that waits, with the answer it waits for.
pub(super) struct ReadJob {
    key: Key,
    answer: oneshot::Sender<Result<Option<Stored>, Error>>,
}

impl ReadJob {
    pub(super) fn of(key: Key) -> (Self, Answer) {
        let (answer, receiver) = oneshot::channel();
        (Self { key, answer }, receiver)
    }

    fn end(self, answer: Result<Option<Stored>, Error>) {
        // whoever asked may have gone away
        drop(self.answer.send(answer));
    }
}

impl Job for ReadJob {
    // any number of reads of one operation go together
    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        std::iter::empty()
    }
}

/// The lane's own connection.
pub(super) struct Reads {
    base: Arc<Base>,
    own: Own,
}

impl Reads {
    pub(super) fn new(base: Arc<Base>) -> Self {
        Self { base, own: Own::default() }
    }
}

impl Work<ReadJob> for Reads {
    async fn run(&mut self, mut jobs: Vec<ReadJob>) {
        jobs.retain(|job| !job.answer.is_closed());
        if jobs.is_empty() {
            return;
        }
        match self.rows(&jobs).await {
            Ok(rows) => {
                let mut found: Vec<_> = jobs.iter().map(|_| Ok(None)).collect();
                for row in &rows {
                    let mut columns = Columns::of(row);
                    let place = columns.place().ok();
                    if let Some(found) = place.and_then(|place| found.get_mut(place)) {
                        *found = one_as_record(&mut columns).map(Some);
                    }
                }
                for (job, found) in jobs.into_iter().zip(found) {
                    job.end(found);
                }
            }
            Err(failure) => {
                let why = failed(failure).to_string();
                for job in jobs {
                    job.end(Err(Error::not_written(why.clone())));
                }
            }
        }
    }
}

impl Reads {
    async fn rows(&mut self, jobs: &[ReadJob]) -> Result<Vec<Row>, Failure> {
        let bound = bound(&self.base, jobs.iter().map(|job| &job.key));
        let read = &self.base.sql.read;
        match self.own.rows(&self.base.way, read, &bound).await {
            // a read can be repeated
            Err(Failure::Lost(_)) => self.own.rows(&self.base.way, read, &bound).await,
            rows => rows,
        }
    }
}

fn bound<'k>(base: &'k Base, keys: impl Iterator<Item = &'k Key> + Clone) -> Bound<'k> {
    base.read()
        .texts(keys.clone().map(|key| key.company.as_str()))
        .texts(keys.map(|key| key.id.as_str()))
}

/// A moment, and an operation as it was then.
pub(super) fn one(columns: &mut Columns<'_>) -> Result<Stored, Error> {
    let now = columns.moment()?;
    stored(columns, now).map(|(_, stored)| stored)
}

/// The same, where the operation is one value.
fn one_as_record(columns: &mut Columns<'_>) -> Result<Stored, Error> {
    let now = columns.moment()?;
    stored(&mut columns.record()?, now).map(|(_, stored)| stored)
}

/// The open operation of the first owner tag that has one.
pub(super) async fn find_open(base: &Base, action: OpenAction) -> Result<Option<Found>, Error> {
    let bound = base
        .read()
        .text(action.company)
        .texts(action.owners.iter().map(String::as_str))
        .text(action.action)
        .bytes(action.identity);
    let rows = base.read_rows(&base.sql.find_open, &bound).await.map_err(read_failed)?;
    let found = rows.first().map(|row| {
        let mut columns = Columns::of(row);
        let (now, request) = (columns.moment()?, columns.bytes()?);
        let (_, stored) = stored(&mut columns, now)?;
        Ok(Found { stored, request })
    });
    found.transpose()
}

/// Everything on record about an operation, as of one moment.
pub(super) async fn history(base: &Base, key: Key) -> Result<Option<History>, Error> {
    Ok(history_and(base, &key, None).await?.map(|(history, _)| history))
}

/// The same, with what one more statement about the operation reads as of that moment.
pub(super) async fn history_and(
    base: &Base,
    key: &Key,
    more: Option<&str>,
) -> Result<Option<(History, Vec<Row>)>, Error> {
    let stored = bound(base, std::iter::once(key));
    let of = Bound::default().text(key.company.clone()).text(key.id.to_string());
    let sql = &base.sql;
    let mut reads = vec![(sql.read.as_str(), &stored)];
    reads.extend([&sql.revisions, &sql.notes, &sql.events].map(|sql| (sql.as_str(), &of)));
    reads.extend(more.map(|sql| (sql, &of)));
    let read = match as_of_one_moment(base, &reads).await {
        // a read can be repeated, and the connection may have ended before it was used
        Err(Failure::Lost(_) | Failure::NotSent(_)) => as_of_one_moment(base, &reads).await,
        read => read,
    };
    let mut read = read.map_err(read_failed)?.into_iter();
    let mut next = || read.next().unwrap_or_default();
    let (stored, revisions, notes, events, more) = (next(), next(), next(), next(), next());
    let Some(row) = stored.first() else { return Ok(None) };
    let mut columns = Columns::of(row);
    columns.place()?;
    let stored = one_as_record(&mut columns)?;
    let erased = stored.erased.is_some();
    let history = History {
        stored,
        revisions: each(&revisions, |columns| revision(columns, erased))?,
        notes: each(&notes, |columns| note(columns))?,
        events: each(&events, |columns| event(columns))?,
    };
    Ok(Some((history, more)))
}

async fn as_of_one_moment(
    base: &Base,
    reads: &[(&str, &Bound<'_>)],
) -> Result<Vec<Vec<Row>>, Failure> {
    let taken = base.pool.take().await?;
    match taken.link.as_of_one_moment(reads).await {
        Ok(read) => taken.after(Ok(read)),
        // a refused read leaves its transaction open: the connection goes with it
        Err(failure) => Err(failure),
    }
}

fn each<T>(
    rows: &[Row],
    take: impl Fn(&mut Columns<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    rows.iter().map(|row| take(&mut Columns::of(row))).collect()
}

/// Nothing was to be written, so whatever failed, nothing was.
pub(super) fn read_failed(failure: Failure) -> Error {
    Error::not_written(failed(failure).to_string())
}
