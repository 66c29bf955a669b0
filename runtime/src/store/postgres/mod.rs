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
mod identity;
mod keeping;
mod lane;
mod link;
pub mod migrate;
mod migrations;
mod missing;
mod open;
mod pool;
mod propose;
mod reads;
mod restore;
mod rights;
mod rows;
mod sql;
mod standing;
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
use self::open::Copied;
use self::reads::ReadJob;
use self::rights::Right;
use super::{
    AskLater, Asked, Beat, Claim, CloseProposed, Error, Finish, Found, History, Keeping, Key, Late,
    Life, NewOperation, OpenAction, Pending, ProofUse, Proposed, RequestStop, Restored, RestoredBy,
    Revise, Start, Store, Stored, TakeAskable, Waiting, Within, WouldRestore, WriteNote, Written,
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
/// # Copies
///
/// A database that was put back from a copy has forgotten what was confirmed since, and would have it performed
/// a second time. Connecting refuses one that is seen to be a copy, until [`Postgres::restore`], or `pap-ops
/// restore` in a person's hands, takes it into use. Seen are
///
/// * another server (`pg_control_system()`), and tables that were made anew, as from a dump;
/// * a server that was promoted, as point-in-time recovery does, where [`Config::single_node`] says that there
///   is none to promote. With [`Config::replicated`] or a synchronous standby a promotion is a fail-over to
///   a server with every commit, which is accepted and put on record: restore from a backup there only with
///   [`Postgres::restore`];
/// * by a process that outlasts it: a server whose transactions have lower numbers than one that it had
///   acknowledged, as after a fail-over to a replica that was behind. That process asks it nothing more, and
///   puts on record what it saw, so that others are refused too.
///
/// Not seen, so somebody has to know and to call [`Postgres::restore`]:
///
/// * files that were put back and started without recovery (no `recovery.signal`; a snapshot of a volume), by
///   processes that start afterwards: nothing in the database tells them from a restart;
/// * with [`Config::replicated`], a promotion of a replica that was behind, or of a backup, by processes that
///   start afterwards;
/// * the server itself, where its role or service lacks `pg_control_system()` and `pg_walfile_name()`: a warning
///   says so when the store connects. Tables from a dump are still seen.
///
/// A database that was moved on purpose (a dump, an upgrade by `pg_upgrade` or by logical replication) is one that
/// was restored: let what is proposed end first, since it expires.
///
/// # What a standby has
///
/// The server shows a commit before its standby has it in two cases: after it was restarted, and when somebody
/// ends the wait by force. After a connection was lost or such an end was reported to it, this store has a write of
/// its own acknowledged before it reads again, so that no final state is told that a fail-over could take
/// back. What remains: a wait that was ended by force for another process, whose commit this one may read in the time
/// until a fail-over. Do not end such waits (`pg_cancel_backend`, `pg_terminate_backend`): let the standby
/// come back, or take it out of `synchronous_standby_names`.
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
    /// Whether anything may be claimed or started through it.
    performs: bool,
    restored: Option<Restored>,
}

impl Postgres {
    /// Connects, after a look at whether the server can be trusted and whether the tables are there.
    ///
    /// Belongs to the asynchronous runtime that it is called on: its tasks run there.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, if its settings could let it forget what was confirmed, if the
    /// tables are missing, too old or too new, or if it is seen to be a copy (see
    /// [Copies](Postgres#copies)). Everything that is wrong is told at once.
    pub async fn connect(config: Config) -> Result<Self, Error> {
        // seldom: not a part of every caller's future
        Box::pin(open::open(config, Copied::Refuse)).await
    }

    /// Connects to a database that was restored from a copy, and makes it safe to go on with: what it has
    /// proposed expires, since it may have been confirmed after the copy was made; what it has in progress
    /// is asked about at once, and started by nobody; and no checkpoint that is missing from it shows that
    /// nothing was done, so that a question behind such a fence is left to a person. Lives that it knows of
    /// have ended. It is a new incarnation of the store: called again, it does the same again. Whoever reads
    /// the feed starts from the beginning.
    ///
    /// Call it once, while no other process uses the store. What was proposed after the copy was made is lost:
    /// tell the company's people so.
    ///
    /// # Errors
    ///
    /// As [`Postgres::connect`], but for a database that is behind.
    ///
    /// # Crash safety
    ///
    /// All of it is one transaction. After an error of kind [`Unknown`](super::ErrorKind::Unknown) call it
    /// again.
    pub async fn restore(config: Config) -> Result<Self, Error> {
        Box::pin(open::open(config, Copied::Restore(None))).await
    }

    /// Like [`Postgres::restore`], by somebody for a reason, who is named on the record of every operation
    /// that it changes.
    ///
    /// # Errors
    ///
    /// As [`Postgres::restore`].
    pub async fn restore_by(config: Config, by: &RestoredBy) -> Result<Self, Error> {
        Box::pin(open::open(config, Copied::Restore(Some(by)))).await
    }

    /// What [`Postgres::restore`] would do to this database. Nothing is changed.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or if the tables are missing, too old or too new.
    pub async fn would_restore(config: &Config) -> Result<WouldRestore, Error> {
        Box::pin(restore::would_restore(config)).await
    }

    /// What taking the database into use came to; `None`: it was connected to as it was.
    pub fn restored(&self) -> Option<Restored> {
        self.0.restored
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

    /// Refuses what leads to performing, in a store that was opened for a tool.
    fn may_perform(&self) -> Result<(), Error> {
        let why = "the store was opened by a tool that performs nothing: nothing is claimed or started here";
        if self.0.performs { Ok(()) } else { Err(Error::not_written(why)) }
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
            self.may_perform()?;
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
            self.may_perform()?;
            failpoint!(write "claim", async move {
                let (job, answer) = Right::to_claim(claim, &self.0.base)?;
                self.line_up(&self.0.claims, job).await?;
                answer.wait().await
            })
        })
    }

    fn start(&self, start: Start) -> Pending<'_, Written> {
        Box::pin(async move {
            self.may_perform()?;
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
