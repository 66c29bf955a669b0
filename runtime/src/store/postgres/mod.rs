//! A store in PostgreSQL, shared by any number of processes.
//!
//! Every change is one statement with its condition in it, judged by the server's clock; what many
//! confirm or finish at the same time goes as one statement. Nothing is kept in a session, so a pooler that
//! hands out transactions may stand in between.

mod asking;
mod base;
mod bound;
mod check;
mod claims;
mod clock;
mod config;
mod disown;
mod failure;
mod feed;
mod find;
mod finishes;
mod keeping;
mod lane;
mod link;
pub mod migrate;
mod migrations;
mod open;
mod pool;
mod propose;
mod reads;
mod rights;
mod rows;
mod sql;
mod tls;
mod verify;
mod within;
mod writes;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use tokio::sync::mpsc;

use self::base::Base;
pub use self::config::Config;
use self::finishes::FinishJob;
use self::reads::ReadJob;
use self::rights::Right;
use super::{
    AskLater, Asked, Beat, Claim, CloseProposed, Error, Finish, Found, History, Keeping, Key, Late,
    Life, NewOperation, OpenAction, Pending, ProofUse, Proposed, RequestStop, Revise, Start, Store,
    Stored, TakeAskable, Waiting, Within, WriteNote, Written,
};
use crate::clock::Clock;

/// A store in PostgreSQL.
///
/// Clones are handles of the same store, whose connections end with the last of them.
///
/// # Crash safety
///
/// A write that was answered is as durable as the server's commits are; [`Postgres::connect`] refuses a
/// server that could forget them. When the acknowledgement of a claim is lost, another connection finds out
/// what became of it by a write of its own: seeing the claim alone would not prove that it lasts. What
/// cannot be found out in time is [`Unknown`](super::ErrorKind::Unknown), performed by nobody, and asked
/// about.
///
/// # Examples
///
/// ```no_run
/// use pap_runtime::store::postgres::{Config, Postgres};
///
/// # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Postgres::connect(Config::at("postgres:///shop?host=/var/run/postgresql").single_node());
/// # drop(store.await?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Postgres(Arc<Open>);

/// What the handles share. The lanes end when it is dropped.
struct Open {
    base: Arc<Base>,
    claims: mpsc::Sender<Right>,
    finishes: mpsc::Sender<FinishJob>,
    reads: mpsc::Sender<ReadJob>,
}

impl Postgres {
    /// Connects, after a look at whether the server can be trusted and whether the tables are there.
    ///
    /// Belongs to the asynchronous runtime that it is called on: its tasks run there.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, if its settings could let it forget what was confirmed, or if the
    /// tables are missing, too old or too new. Everything that is wrong is told at once.
    pub async fn connect(config: Config) -> Result<Self, Error> {
        open::open(config).await
    }

    /// Ends the store for all its handles: what comes later is refused.
    pub fn close(&self) {
        self.0.base.pool.close();
    }

    /// Runs on a task of its own, so that whoever goes away leaves nothing half done.
    async fn run<T, F>(&self, work: impl FnOnce(Arc<Base>) -> F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let base = Arc::clone(&self.0.base);
        let handle = base.way.handle.clone();
        let done = handle.spawn(work(base)).await;
        done.unwrap_or_else(|gone| {
            Err(Error::unknown("a task of the store did not end").from_source(gone))
        })
    }

    /// Hands something to a lane.
    async fn line_up<J>(&self, lane: &mpsc::Sender<J>, job: J) -> Result<(), Error> {
        let closed = || Error::not_written("the store was closed");
        if self.0.base.pool.is_closed() {
            return Err(closed());
        }
        lane.send(job).await.map_err(|_gone| closed())
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}

impl Store for Postgres {
    fn clock(&self) -> Arc<dyn Clock> {
        let clock: Arc<dyn Clock> = Arc::<clock::ServerClock>::clone(&self.0.base.clock);
        clock
    }

    fn begin_life(&self, life: Life) -> Pending<'_, ()> {
        Box::pin(async move {
            failpoint!(write "begin_life", self.run(move |base| async move { writes::begin_life(&base, life).await }))
        })
    }

    fn heartbeat(&self, beat: Beat) -> Pending<'_, bool> {
        Box::pin(async move {
            failpoint!(write "heartbeat", self.run(move |base| async move { writes::heartbeat(&base, beat).await }))
        })
    }

    fn end_life(&self, life: Life) -> Pending<'_, ()> {
        Box::pin(async move {
            failpoint!(write "end_life", self.run(move |base| async move { writes::end_life(&base, life).await }))
        })
    }

    fn read<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<Stored>> {
        Box::pin(async move {
            let (job, answer) = ReadJob::of(key.clone());
            self.line_up(&self.0.reads, job).await?;
            answer.await.unwrap_or_else(|gone| {
                Err(Error::not_written("the reading lane ended").from_source(gone))
            })
        })
    }

    fn find_open<'a>(&'a self, action: &'a OpenAction) -> Pending<'a, Option<Found>> {
        let action = action.clone();
        Box::pin(self.run(move |base| async move { reads::find_open(&base, action).await }))
    }

    fn record_proof(&self, proof: ProofUse) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "record_proof", self.run(move |base| async move { writes::record_proof(&base, &proof).await }))
        })
    }

    fn propose(&self, new: NewOperation) -> Pending<'_, Proposed> {
        Box::pin(async move {
            failpoint!(write "propose", self.run(move |base| async move { propose::propose(&base, new).await }))
        })
    }

    fn revise(&self, revise: Revise) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "revise", self.run(move |base| async move { writes::revise(&base, revise).await }))
        })
    }

    fn claim(&self, claim: Claim) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "claim", async move {
                let (job, answer) = Right::to_claim(claim, &self.0.base)?;
                self.line_up(&self.0.claims, job).await?;
                answer.wait().await
            })
        })
    }

    fn start(&self, start: Start) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "start", async move {
                let (right, answer) = Right::to_start(start, &self.0.base);
                let base = Arc::clone(&self.0.base);
                drop(self.0.base.way.handle.spawn(async move { rights::start(&base, right).await }));
                answer.wait().await
            })
        })
    }

    fn waiting(&self, which: Waiting) -> Pending<'_, Vec<Stored>> {
        Box::pin(self.run(move |base| async move { asking::waiting(&base, which).await }))
    }

    fn close_proposed(&self, close: CloseProposed) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "close_proposed", self.run(move |base| async move { writes::close_proposed(&base, close).await }))
        })
    }

    fn request_stop(&self, stop: RequestStop) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "request_stop", self.run(move |base| async move { writes::request_stop(&base, stop).await }))
        })
    }

    fn write_note(&self, note: WriteNote) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "write_note", self.run(move |base| async move { writes::write_note(&base, note).await }))
        })
    }

    fn finish(&self, finish: Finish) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "finish", async move {
                let (job, answer) = FinishJob::of(finish)?;
                self.line_up(&self.0.finishes, job).await?;
                answer.await.unwrap_or_else(|gone| {
                    let gone = Error::unknown("the finishing lane ended").from_source(gone);
                    Err(gone)
                })
            })
        })
    }

    fn ask_later(&self, later: AskLater) -> Pending<'_, Written> {
        Box::pin(async move {
            failpoint!(write "ask_later", self.run(move |base| async move { writes::ask_later(&base, later).await }))
        })
    }

    fn take_askable(&self, take: TakeAskable) -> Pending<'_, Vec<Asked>> {
        Box::pin(async move {
            failpoint!(write "take_askable", self.run(move |base| async move { asking::take_askable(&base, take).await }))
        })
    }

    fn record_late(&self, late: Late) -> Pending<'_, ()> {
        Box::pin(async move {
            failpoint!(write "record_late", self.run(move |base| async move { writes::record_late(&base, late).await }))
        })
    }

    fn history<'a>(&'a self, key: &'a Key) -> Pending<'a, Option<History>> {
        let key = key.clone();
        Box::pin(self.run(move |base| async move { reads::history(&base, key).await }))
    }

    fn keeping(&self) -> &dyn Keeping {
        self
    }

    fn within(&self) -> Option<&dyn Within> {
        Some(self)
    }
}
