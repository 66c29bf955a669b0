//! What every part of the store works with.

use std::sync::{Arc, Mutex, PoisonError};

use pap_protocol::value::Instant;
use tokio::sync::Notify;
use tokio_postgres::{Row, Statement};

use super::bound::Bound;
use super::clock::ServerClock;
use super::config::Config;
use super::disown::Disowned;
use super::failure::Failure;
use super::identity::{Identity, listed};
use super::link::{Link, Way};
use super::pool::Pool;
use super::rows::{Columns, written};
use super::sql::Statements;
use crate::store::{Error, Life, Written};

/// So often a statement that two transactions were in each other's way of is sent again.
const AGAIN: u32 = 5;

/// The way to the server, its clock, and the statements.
pub(super) struct Base {
    pub(super) way: Arc<Way>,
    pub(super) pool: Pool,
    pub(super) sql: Statements,
    pub(super) clock: Arc<ServerClock>,
    /// As `lock_timeout` is written.
    lock_within: String,
    /// Which incarnation of the store this is.
    pub(super) incarnation: String,
    /// What is to be put on record before anything is confirmed.
    to_record: Mutex<Vec<(&'static str, String)>>,
    /// The lives that were begun through this store and not ended: whose questions are taken here.
    pub(super) lives: Mutex<Vec<Life>>,
    /// Claims that nobody may perform and that may be on record as performed.
    pub(super) disowned: Mutex<Vec<Disowned>>,
    /// Wakes whoever writes that down.
    pub(super) disown_soon: Arc<Notify>,
}

impl Base {
    pub(super) fn new(
        way: Arc<Way>,
        sql: Statements,
        clock: Arc<ServerClock>,
        config: &Config,
        identity: &Identity,
    ) -> Self {
        let (incarnation, to_record) =
            (identity.incarnation.clone(), Mutex::new(identity.to_record()));
        let pool = Pool::new(Arc::clone(&way), config.connections);
        let lock_within = format!("{}ms", config.lock_within.as_millis());
        let (lives, disowned, disown_soon) = (Mutex::default(), Mutex::default(), Arc::default());
        Self {
            way,
            pool,
            sql,
            clock,
            lock_within,
            incarnation,
            to_record,
            lives,
            disowned,
            disown_soon,
        }
    }

    /// Puts on record which server and which tables these are, once and before anything is confirmed.
    pub(super) async fn record_identity(&self) -> Result<(), Failure> {
        let record = self.to_record.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if record.is_empty() {
            return Ok(());
        }
        self.rows(&self.sql.set_recorded, &listed(self.patience(), &record)).await?;
        self.to_record.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    /// The first three values of every write: the moment a test tells, the newest moment seen, and how long
    /// to wait for a row.
    pub(super) fn write(&self) -> Bound<'_> {
        self.read().text(&self.lock_within)
    }

    /// The first two values of a read: the moment a test tells, and the newest moment seen.
    pub(super) fn read(&self) -> Bound<'_> {
        Bound::default().number_if_any(self.clock.told()).number(self.clock.seen())
    }

    /// How long to wait for a row, alone.
    pub(super) fn patience(&self) -> Bound<'_> {
        Bound::default().text(&self.lock_within)
    }

    /// Runs one statement on a connection of the pool.
    pub(super) async fn rows(&self, sql: &str, bound: &Bound<'_>) -> Result<Vec<Row>, Failure> {
        let mut tries = 0;
        loop {
            let taken = self.pool.take().await?;
            let answer = taken.link.rows(sql, bound).await;
            tries += 1;
            match taken.after(answer) {
                Err(failure) if failure.passes() && tries < AGAIN => {}
                // it had ended before it was used
                Err(Failure::NotSent(_)) if tries < AGAIN => {}
                answer => return answer,
            }
        }
    }

    /// Runs one statement that only reads; again when its answer was lost.
    pub(super) async fn read_rows(
        &self,
        sql: &str,
        bound: &Bound<'_>,
    ) -> Result<Vec<Row>, Failure> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.rows(sql, bound).await {
                Err(Failure::Lost(_)) if tries < AGAIN => {}
                answer => return answer,
            }
        }
    }

    /// Runs one conditional write, which answers a moment, whether it was done and whether its proof was a
    /// replay.
    pub(super) async fn written(&self, sql: &str, bound: Bound<'_>) -> Result<Written, Failure> {
        let sent = ServerClock::sending();
        let rows = self.rows(sql, &bound).await?;
        let answer = rows.first().map(|row| written(&mut Columns::of(row)));
        // a fourth column is the number of its transaction
        self.way.standing.acknowledged(rows.first().and_then(|row| row.try_get(3).ok().flatten()));
        // and a fifth how the server's clock is set
        if let Some(set) = rows.first().and_then(|row| row.try_get(4).ok()) {
            self.clock.measured(sent, Instant::from_millis(set));
        }
        match answer {
            Some(Ok((at, written))) => {
                self.clock.heard(sent, at);
                Ok(written)
            }
            Some(Err(_)) | None => {
                Err(Failure::Lost("the server's answer cannot be understood".to_owned()))
            }
        }
    }

    /// The server told this moment in an answer to what was sent then.
    pub(super) fn heard(&self, sent: Instant, at: Instant) {
        self.clock.heard(sent, at);
    }

    /// The life that questions are asked under. The contract does not say which of a process's lives that is, and
    /// any will do: all that were begun here end with the process, and then its questions are free at
    /// once. A life that is ended early, while its process goes on, frees them early, which is nothing but asking
    /// once more: the epoch decides whose answer counts.
    pub(super) fn asker(&self) -> Option<Life> {
        self.lives.lock().unwrap_or_else(PoisonError::into_inner).last().copied()
    }

    /// A life was begun, or has ended.
    pub(super) fn remember_life(&self, life: Life, goes_on: bool) {
        let mut lives = self.lives.lock().unwrap_or_else(PoisonError::into_inner);
        lives.retain(|known| *known != life);
        if goes_on {
            lives.push(life);
        }
    }

    /// Keeps in mind that nobody may perform this.
    pub(super) fn disown(&self, disowned: Disowned) {
        self.disowned.lock().unwrap_or_else(PoisonError::into_inner).push(disowned);
        self.disown_soon.notify_one();
    }
}

/// A connection that one lane keeps for itself, for its one statement.
#[derive(Default)]
pub(super) struct Own(Option<Kept>);

struct Kept {
    link: Link,
    /// Prepared by name, where that can be done.
    statement: Option<Statement>,
}

impl Own {
    /// Runs the lane's statement; a connection on which it was lost is not used again.
    pub(super) async fn rows(
        &mut self,
        way: &Way,
        sql: &str,
        bound: &Bound<'_>,
    ) -> Result<Vec<Row>, Failure> {
        let mut kept = self.0.take();
        let (kept, answer) = loop {
            let (mut kept, is_new) = match kept.take() {
                Some(kept) if !kept.link.is_closed() => (kept, false),
                _ => (Kept { link: way.connect().await?, statement: None }, true),
            };
            let answer = kept.rows(way.prepares, sql, bound).await;
            // one that had ended before it was used is no reason to give up
            if is_new || !matches!(answer, Err(Failure::NotSent(_))) {
                break (kept, answer);
            }
        };
        if matches!(answer, Ok(_) | Err(Failure::Refused(_))) {
            self.0 = Some(kept);
        }
        answer
    }
}

impl Kept {
    async fn rows(
        &mut self,
        prepares: bool,
        sql: &str,
        bound: &Bound<'_>,
    ) -> Result<Vec<Row>, Failure> {
        if !prepares {
            return self.link.rows(sql, bound).await;
        }
        match self.prepared(sql, bound).await {
            Err(failure) if failure.is_of_a_name() => {
                tracing::warn!(
                    ?failure,
                    "a statement that was prepared is not there: if a pooler hands out transactions here, leave out `.without_pooler()`"
                );
                self.link.rows(sql, bound).await
            }
            answer => answer,
        }
    }

    async fn prepared(&mut self, sql: &str, bound: &Bound<'_>) -> Result<Vec<Row>, Failure> {
        let statement = match self.statement.take() {
            Some(statement) => statement,
            None => self.link.prepare(sql).await?,
        };
        let answer = self.link.rows_of(&statement, bound).await;
        // what was refused may be the statement itself: it is prepared anew
        self.statement = answer.is_ok().then_some(statement);
        answer
    }
}

/// Puts a failure in the words of the store's contract.
pub(super) fn failed(failure: Failure) -> Error {
    failure.into_error("the database did not do what was asked")
}

/// An answer that this runtime's statement cannot have given: whatever it did is not known.
pub(super) fn not_understood(_: Error) -> Failure {
    Failure::Lost("the server's answer cannot be understood".to_owned())
}
