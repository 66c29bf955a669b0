//! The finishing lane: every finish that waits, with one statement; and what becomes of a finish whose
//! acknowledgement was lost.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::value::Instant;
use tokio::sync::oneshot;
use tokio::time;
use tokio_postgres::Row;

use super::base::{Base, Own, failed, not_understood};
use super::bound::{Bound, check_texts};
use super::clock::ServerClock;
use super::failure::Failure;
use super::lane::{Job, Name, Work};
use super::rows::Columns;
use crate::store::guard::check_end;
use crate::store::row::Row as _;
use crate::store::{Error, Finish, FinishBy, Written, detail};

/// Between two attempts to reach a server that does not answer.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

/// Where the answer to a finish comes.
pub(super) type Answer = oneshot::Receiver<Result<Written, Error>>;

/// A finish that waits, with the answer it waits for.
pub(super) struct FinishJob {
    finish: Finish,
    event: String,
    /// Its condition did not hold when it was repeated.
    repeated: bool,
    answer: oneshot::Sender<Result<Written, Error>>,
}

impl FinishJob {
    /// Puts a finish in words; where its answer comes.
    pub(super) fn of(finish: Finish) -> Result<(Self, Answer), Error> {
        check(&finish)?;
        let event = detail::finished(finish.end.state, &finish.by)?;
        let (answer, receiver) = oneshot::channel();
        Ok((Self { finish, event, repeated: false, answer }, receiver))
    }

    fn end(self, answer: Result<Written, Error>) {
        // a finish stands whether or not somebody waits for its answer
        drop(self.answer.send(answer));
    }
}

/// Refuses what cannot be kept.
pub(super) fn check(finish: &Finish) -> Result<(), Error> {
    check_end(finish.end.state)?;
    check_texts([finish.end.summary.as_str(), finish.key.company.as_str()])?;
    check_texts(finish.end.data.as_deref())?;
    check_texts(finish.carried.iter().map(String::as_str))?;
    match &finish.by {
        FinishBy::Asker { fence, .. } => check_texts(fence.as_deref()),
        FinishBy::Performer(_)
        | FinishBy::AskerInPart { .. }
        | FinishBy::NotStarted
        | FinishBy::Settler { .. } => Ok(()),
    }
}

impl Job for FinishJob {
    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        std::iter::once(Name::Operation(&self.finish.key))
    }
}

/// The lane's own connection.
pub(super) struct Finishes {
    base: Arc<Base>,
    own: Own,
}

impl Finishes {
    pub(super) fn new(base: Arc<Base>) -> Self {
        Self { base, own: Own::default() }
    }
}

impl Work<FinishJob> for Finishes {
    async fn run(&mut self, jobs: Vec<FinishJob>) {
        let sent = ServerClock::sending();
        let (way, sql) = (&self.base.way, &self.base.sql);
        let answer = self.own.rows(way, &sql.finish, &bound(&self.base, &jobs)).await;
        match answer.and_then(|rows| decided(&self.base, sent, &rows, jobs.len())) {
            Ok(answers) => {
                for (job, answer) in jobs.into_iter().zip(answers) {
                    job.end(Ok(answer));
                }
            }
            Err(Failure::Lost(why)) => {
                tracing::warn!(
                    why,
                    finishes = jobs.len(),
                    "the acknowledgement of a finish was lost"
                );
                self.look_again(jobs, why);
            }
            Err(failure) => self.apart(jobs, failure).await,
        }
    }
}

impl Finishes {
    /// Beside the lane: others go on finishing on another connection.
    fn look_again(&self, jobs: Vec<FinishJob>, why: String) {
        let base = Arc::clone(&self.base);
        drop(self.base.way.handle.spawn(async move { look_again(&base, jobs, why).await }));
    }

    /// Nothing was written: one that was refused must not keep the others from being finished.
    async fn apart(&mut self, jobs: Vec<FinishJob>, failure: Failure) {
        let alone = jobs.len() == 1 && !failure.passes();
        if alone || matches!(failure, Failure::NotSent(_)) {
            let error = failed(failure);
            for job in jobs {
                job.end(Err(Error::not_written(error.to_string())));
            }
            return;
        }
        for job in jobs {
            match finish_one(&self.base, &job).await {
                Ok(answer) => job.end(Ok(answer)),
                Err(Failure::Lost(why)) => self.look_again(vec![job], why),
                Err(failure) => job.end(Err(failed(failure))),
            }
        }
    }
}

async fn finish_one(base: &Base, job: &FinishJob) -> Result<Written, Failure> {
    let sent = ServerClock::sending();
    let rows = base.rows(&base.sql.finish, &bound(base, std::slice::from_ref(job))).await?;
    let mut answers = decided(base, sent, &rows, 1)?;
    Ok(answers.pop().unwrap_or(Written::NotNow))
}

/// What became of each finish.
fn decided(
    base: &Base,
    sent: Instant,
    rows: &[Row],
    finishes: usize,
) -> Result<Vec<Written>, Failure> {
    let mut answers = Vec::with_capacity(finishes);
    for row in rows {
        let mut columns = Columns::of(row);
        let at = columns.moment().map_err(not_understood)?;
        let ended = columns.take::<bool>().map_err(not_understood)?;
        base.heard(sent, at);
        answers.push(if ended { Written::Done(at) } else { Written::NotNow });
    }
    if answers.len() == finishes {
        return Ok(answers);
    }
    Err(Failure::Lost("the server answered about other finishes than were asked".to_owned()))
}

fn bound<'j>(base: &'j Base, jobs: &'j [FinishJob]) -> Bound<'j> {
    let finishes = || jobs.iter().map(|job| &job.finish);
    let carried = || {
        let places = 1_i64..;
        places.zip(finishes()).flat_map(|(place, finish)| {
            finish.carried.iter().map(move |change| (place, change.as_str()))
        })
    };
    let asker = |finish: &'j Finish| match &finish.by {
        FinishBy::Asker { epoch, fence } => (Some(*epoch), fence.as_deref()),
        FinishBy::AskerInPart { epoch } => (Some(*epoch), None),
        FinishBy::Performer(_) | FinishBy::NotStarted | FinishBy::Settler { .. } => (None, None),
    };
    base.write()
        .texts(finishes().map(|finish| finish.key.company.as_str()))
        .texts(finishes().map(|finish| finish.key.id.as_str()))
        .texts(finishes().map(|finish| by_word(&finish.by)))
        .byte_strings(finishes().map(|finish| match &finish.by {
            FinishBy::Performer(ticket) => Some(ticket.0.as_slice()),
            FinishBy::Asker { .. }
            | FinishBy::AskerInPart { .. }
            | FinishBy::NotStarted
            | FinishBy::Settler { .. } => None,
        }))
        .smalls(finishes().map(|finish| asker(finish).0))
        .texts(finishes().map(|finish| asker(finish).1))
        .texts(finishes().map(|finish| finish.end.state.as_str()))
        .texts(finishes().map(|finish| finish.end.summary.as_str()))
        .texts(finishes().map(|finish| finish.end.data.as_deref()))
        .smalls(finishes().map(|finish| finish.changes_seen))
        .texts(jobs.iter().map(|job| job.event.as_str()))
        .numbers(carried().map(|(place, _)| place))
        .texts(carried().map(|(_, change)| change))
        .texts(carried().map(|_| detail::change_noted(true)))
}

pub(super) fn by_word(by: &FinishBy) -> &'static str {
    match by {
        FinishBy::Performer(_) => "performer",
        FinishBy::Asker { .. } => "asker",
        FinishBy::AskerInPart { .. } => "asker_in_part",
        FinishBy::NotStarted => "not_started",
        FinishBy::Settler { .. } => "settler",
    }
}

/// Finds out what became of finishes whose acknowledgement was lost: one that is on record as it was meant
/// is done; what is still in progress is finished again; within the time of an answer.
async fn look_again(base: &Base, mut jobs: Vec<FinishJob>, mut why: String) {
    let end = time::Instant::now() + base.way.answer_within;
    while !jobs.is_empty() && time::Instant::now() < end {
        match on_record(base, &jobs).await {
            Ok(found) => jobs = finish_again(base, jobs, found).await,
            Err(failure) => why = failed(failure).to_string(),
        }
        if !jobs.is_empty() {
            time::sleep(AGAIN_AFTER).await;
        }
    }
    for job in jobs {
        job.end(Err(Error::unknown(why.clone())));
    }
}

/// Answers what is on record, and finishes the rest again; those that are still in doubt.
async fn finish_again(base: &Base, jobs: Vec<FinishJob>, found: Vec<Ended>) -> Vec<FinishJob> {
    let mut still = Vec::new();
    for (mut job, ended) in jobs.into_iter().zip(found) {
        if let Some(at) = ended.as_meant_by(&job.finish) {
            job.end(Ok(Written::Done(at)));
        } else if ended.state.as_deref() != Some("in_progress") {
            job.end(Ok(Written::NotNow));
        } else {
            match finish_one(base, &job).await {
                Ok(Written::Done(at)) => job.end(Ok(Written::Done(at))),
                Ok(_) if job.repeated => job.end(Ok(Written::NotNow)),
                // it may have come on record in between: looked at once more
                Ok(_) => {
                    job.repeated = true;
                    still.push(job);
                }
                // it may be held by what still runs
                Err(_) => still.push(job),
            }
        }
    }
    still
}

/// How an operation ended, if it has.
struct Ended {
    state: Option<String>,
    summary: Option<String>,
    data: Option<String>,
    at: Option<Instant>,
}

impl Ended {
    fn as_meant_by(&self, finish: &Finish) -> Option<Instant> {
        let end = &finish.end;
        let same = self.state.as_deref() == Some(end.state.as_str())
            && self.summary.as_deref() == Some(end.summary.as_str())
            && self.data == end.data;
        self.at.filter(|_| same)
    }
}

async fn on_record(base: &Base, jobs: &[FinishJob]) -> Result<Vec<Ended>, Failure> {
    let keys = || jobs.iter().map(|job| &job.finish.key);
    let bound = Bound::default()
        .texts(keys().map(|key| key.company.as_str()))
        .texts(keys().map(|key| key.id.as_str()));
    let rows = base.rows(&base.sql.finished, &bound).await?;
    let found = rows.iter().map(|row| {
        let mut columns = Columns::of(row);
        Ok(Ended {
            state: columns.take()?,
            summary: columns.take()?,
            data: columns.take()?,
            at: columns.moment_if_any()?,
        })
    });
    found.collect::<Result<_, _>>().map_err(not_understood)
}
