//! The one thread that writes: whatever waits becomes one transaction, and is answered after its commit.

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use tokio::sync::mpsc;

use super::failure::store_error;
use super::job::{Claimed, Fate, Job};
use super::places::Places;
use super::proofs::Proofs;
use super::readers::Read;
use super::sql;
use super::transaction::{Transaction, first, integer};
use super::witness::{Witness, newest};
use crate::clock::Clock;
use crate::store::{Error, Ticket};

/// At most so many writes become one transaction.
const BATCH_MAX: usize = 256;
/// At most so many proofs are forgotten at a time.
const FORGET_MAX: u32 = 128;
/// Proofs are forgotten about so often.
const FORGET_EVERY_MS: i64 = 1_000;

/// What the writing thread is told.
pub(super) enum Message {
    /// To read what is about to be written about.
    Read(Read),
    /// To write.
    Write(Box<dyn Job>),
    /// That nobody may perform a claim, which was asked for before.
    Disown(Arc<Claimed>),
    /// To end, after what came before.
    End,
}

/// The state of the writing thread.
pub(super) struct Writer {
    connection: Connection,
    /// Opens the writing connection again.
    reopen: Box<dyn Fn() -> Result<Connection, Error> + Send>,
    clock: Arc<dyn Clock>,
    /// Tickets of commits that nobody knows about: they never perform in this life.
    spent: HashSet<Ticket>,
    /// Proofs that were used.
    proofs: Proofs,
    /// Places of operations that have ended.
    places: Places,
    /// Claims that may be on record and that nobody may perform.
    disowned: Vec<Arc<Claimed>>,
    /// A commit failed, and no commit has succeeded since.
    broken: bool,
    /// Whether anything may be paused.
    paused: Cell<bool>,
    /// Tells everybody that this thread has yet to write what only it knows about.
    behind: Arc<AtomicBool>,
    /// When to look for proofs that are over, in milliseconds of the clock as it is set.
    forget_next: i64,
    /// Told how far the file has got.
    witness: Option<Witness>,
}

impl Writer {
    pub(super) fn new(
        connection: Connection,
        reopen: impl Fn() -> Result<Connection, Error> + Send + 'static,
        clock: Arc<dyn Clock>,
        behind: Arc<AtomicBool>,
    ) -> Result<Self, Error> {
        let proofs = Proofs::on_record(&connection)?;
        let forget_next = clock.as_set().as_millis();
        let (spent, disowned, broken) = (HashSet::new(), Vec::new(), false);
        let reopen = Box::new(reopen);
        let places = Places::new();
        Ok(Self {
            connection,
            reopen,
            clock,
            spent,
            proofs,
            places,
            disowned,
            broken,
            // nobody has looked yet
            paused: Cell::new(true),
            behind,
            forget_next,
            witness: None,
        })
    }

    /// Tells this witness how far the file has got, after each commit.
    pub(super) fn seen_by(self, witness: Witness) -> Self {
        Self { witness: Some(witness), ..self }
    }

    /// Writes until told to end, or until nobody is left to tell it anything; gives the connection back.
    pub(super) fn go_on(mut self, mut inbox: mpsc::UnboundedReceiver<Message>) -> Connection {
        let mut waiting = Vec::with_capacity(BATCH_MAX);
        loop {
            if inbox.blocking_recv_many(&mut waiting, BATCH_MAX) == 0 {
                return self.connection;
            }
            let mut ends = false;
            let (mut reads, mut jobs) = (Vec::new(), Vec::with_capacity(waiting.len()));
            for message in waiting.drain(..) {
                match message {
                    Message::Read(read) => reads.push(read),
                    Message::Write(job) => jobs.push(job),
                    Message::Disown(claimed) => self.disowned.push(claimed),
                    Message::End => ends = true,
                }
            }
            self.write(reads, jobs);
            if ends {
                return self.connection;
            }
        }
    }

    /// One batch: one transaction, one commit, then every answer. Reads come first and are answered at once:
    /// they see what was committed before, and nothing of this transaction.
    pub(super) fn write(&mut self, reads: Vec<Read>, mut jobs: Vec<Box<dyn Job>>) {
        let begun = self.mend().and_then(|()| self.begin());
        for read in reads {
            read(begun.as_ref().map(|()| &self.connection));
        }
        let fate = match begun {
            Ok(()) => self.decide(&mut jobs),
            Err(error) => Fate::NotWritten(in_words("the transaction could not begin", &error)),
        };
        if let Fate::Unknown(_) = &fate {
            self.break_off(&jobs);
        }
        self.behind.store(self.broken || !self.disowned.is_empty(), Ordering::SeqCst);
        for job in jobs {
            job.answer(&fate);
        }
        failpoint!(committing "after_answer");
        if self.broken
            && let Fate::Unknown(why) = &fate
        {
            tracing::error!(%why, "whether a transaction was written is unknown");
            match self.mend() {
                Ok(()) => self.behind.store(false, Ordering::SeqCst),
                Err(error) => tracing::error!(%error, "the store cannot write for now"),
            }
        }
    }

    fn begin(&self) -> Result<(), Error> {
        self.batch("BEGIN IMMEDIATE")
    }

    /// Runs every job and commits.
    fn decide(&mut self, jobs: &mut [Box<dyn Job>]) -> Fate {
        let run = self
            .run_together(jobs)
            .and_then(|whole| if whole { Ok(()) } else { self.run_apart(jobs) });
        // after the jobs: a claim of this very batch may be disowned
        let run = run.and_then(|()| self.disown());
        // a batch of reads alone writes nothing
        let run = run.and_then(|()| if jobs.is_empty() { Ok(()) } else { self.tidy_up() });
        let newest = match run.and_then(|()| newest(&self.connection)) {
            Ok(newest) => newest,
            Err(error) => return self.give_up(&error),
        };
        failpoint!(committing "before_commit", or return Fate::Unknown("a fail-point".into()));
        match self.batch("COMMIT") {
            Ok(()) => {
                failpoint!(committing "after_commit", or return Fate::Unknown("a fail-point".into()));
                self.disowned.clear();
                self.proofs.keep();
                if let Some(witness) = &mut self.witness {
                    witness.saw(newest);
                }
                self.look_for_pauses();
                Fate::Durable
            }
            Err(error) => Fate::Unknown(in_words("the commit failed", &error)),
        }
    }

    /// Runs every job; `false` if one of them was refused, and then everything is undone. Most batches
    /// pass here: a savepoint for each job would copy every page that it touches.
    fn run_together(&self, jobs: &mut [Box<dyn Job>]) -> Result<bool, Error> {
        if jobs.iter_mut().all(|job| self.run(job.as_mut())) {
            return Ok(true);
        }
        self.undo();
        self.begin()?;
        Ok(false)
    }

    /// Runs every job behind a savepoint of its own, so that one that is refused leaves the others alone.
    fn run_apart(&self, jobs: &mut [Box<dyn Job>]) -> Result<(), Error> {
        for job in jobs {
            self.batch("SAVEPOINT job")?;
            let proofs = self.proofs.added();
            if !self.run(job.as_mut()) {
                // a full disk and the like end the whole transaction
                if self.connection.is_autocommit() {
                    return Err(Error::not_written(
                        "another write of the same transaction ended it",
                    ));
                }
                self.batch("ROLLBACK TO job")?;
                self.proofs.undo(proofs);
            }
            self.batch("RELEASE job")?;
        }
        Ok(())
    }

    fn run(&self, job: &mut dyn Job) -> bool {
        let Self { connection, spent, proofs, places, paused, .. } = self;
        let now = self.clock.now();
        job.run(&Transaction { connection, now, spent, paused, proofs, places })
    }

    fn give_up(&self, error: &Error) -> Fate {
        self.undo();
        Fate::NotWritten(in_words("the transaction was undone", error))
    }

    /// Leaves a transaction that is still open. If that fails, the next `BEGIN` is refused and says so.
    fn undo(&self) {
        failpoint!(undone);
        self.proofs.undo(0);
        if !self.connection.is_autocommit()
            && let Err(error) = self.batch("ROLLBACK")
        {
            tracing::error!(%error, "a transaction could not be undone");
        }
    }

    /// What has to be done at some time, a bounded part of it.
    fn tidy_up(&mut self) -> Result<(), Error> {
        self.places.clear(&self.connection)?;
        self.forget_proofs()
    }

    /// A bounded number of proofs whose time is over, by the clock as it is set.
    fn forget_proofs(&mut self) -> Result<(), Error> {
        let as_set = self.clock.as_set().as_millis();
        let wait = self.forget_next.saturating_sub(as_set);
        // a longer one is of a clock that was set back
        if (1..=FORGET_EVERY_MS).contains(&wait) {
            return Ok(());
        }
        let more = self.proofs.forget(&self.connection, as_set, FORGET_MAX)?;
        self.forget_next = if more { as_set } else { as_set.saturating_add(FORGET_EVERY_MS) };
        Ok(())
    }

    /// After a commit that failed: nobody may perform from its tickets, whatever is found on record.
    fn break_off(&mut self, jobs: &[Box<dyn Job>]) {
        for claimed in jobs.iter().filter_map(|job| job.claim()) {
            self.spent.insert(claimed.ticket);
            self.disowned.push(Arc::clone(claimed));
        }
        self.broken = true;
    }

    /// Opens the connection again after a commit that failed, and takes new writes only once a write of
    /// its own has been committed: that nobody performs what those commits may have claimed.
    fn mend(&mut self) -> Result<(), Error> {
        if !self.broken {
            return Ok(());
        }
        // the one that failed may still hold the lock that the next one needs
        self.undo();
        self.connection = (self.reopen)()?;
        self.proofs = Proofs::on_record(&self.connection)?;
        self.paused.set(true);
        self.begin()?;
        self.disown()?;
        self.execute(sql::SET_META, ("mended_at", self.clock.now().to_string()))?;
        self.batch("COMMIT")?;
        self.disowned.clear();
        self.broken = false;
        Ok(())
    }

    /// Claims look for pauses until a commit has left none.
    fn look_for_pauses(&self) {
        if self.paused.get() {
            let any = first(&self.connection, sql::ANY_PAUSE, (), |row| integer(row, 0));
            self.paused.set(!matches!(any, Ok(Some(0))));
        }
    }

    /// Lets claims be asked about whose answers reached nobody.
    fn disown(&self) -> Result<(), Error> {
        let now = self.clock.now().as_millis();
        for claimed in &self.disowned {
            let Claimed { key, ticket } = &**claimed;
            self.execute(sql::DISOWN, (key.id.as_str(), &key.company, ticket.0, now))?;
        }
        Ok(())
    }

    fn batch(&self, statement: &'static str) -> Result<(), Error> {
        self.execute(statement, ()).map(drop)
    }

    fn execute(&self, sql: &str, params: impl rusqlite::Params) -> Result<usize, Error> {
        let done = self.connection.prepare_cached(sql).and_then(|mut found| found.execute(params));
        done.map_err(|error| store_error("a statement failed", error))
    }
}

/// An error and what is behind it, in one line for many answers.
fn in_words(what: &str, error: &Error) -> Arc<str> {
    let mut words = format!("{what}: {error}");
    let mut source = std::error::Error::source(error);
    while let Some(next) = source {
        words.push_str(": ");
        words.push_str(&next.to_string());
        source = next.source();
    }
    words.into()
}
