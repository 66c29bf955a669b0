//! What one job may do inside the writer's transaction.

use std::cell::Cell;
use std::collections::HashSet;

use pap_protocol::value::Instant;
use rusqlite::{Connection, Params, Row};
use sha2::{Digest, Sha256};

use super::failure::store_error;
use super::places::Places;
use super::proofs::{ProofDigest, Proofs};
use super::sql;
use crate::store::{Error, EventKind, Key, ProofUse, ReleaseWhy, Ticket};

/// The open transaction, as one job sees it. Nothing here commits.
pub(super) struct Transaction<'c> {
    pub(super) connection: &'c Connection,
    /// The store's clock: one moment for the whole job.
    pub(super) now: Instant,
    /// Tickets of commits that nobody knows about.
    pub(super) spent: &'c HashSet<Ticket>,
    /// Whether anything may be paused: while nothing is, no claim looks for it.
    pub(super) paused: &'c Cell<bool>,
    /// Proofs that were used.
    pub(super) proofs: &'c Proofs,
    /// Places to be cleared.
    pub(super) places: &'c Places,
}

impl Transaction<'_> {
    /// Runs a statement that gives no rows, and says how many rows it changed.
    pub(super) fn execute(&self, sql: &str, params: impl Params) -> Result<usize, Error> {
        let done = self.connection.prepare_cached(sql).and_then(|mut found| found.execute(params));
        done.map_err(|error| store_error("a statement failed", error))
    }

    /// The first row, if there is one.
    pub(super) fn first<T>(
        &self,
        sql: &str,
        params: impl Params,
        take: impl FnOnce(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        first(self.connection, sql, params, take)
    }

    /// The integer key of an operation, if the company has it.
    pub(super) fn key_of(&self, key: &Key) -> Result<Option<i64>, Error> {
        self.first(sql::KEY_OF, (key.id.as_str(), &key.company), |row| integer(row, 0))
    }

    /// Runs a conditional write about one operation; `false` if its condition did not hold.
    pub(super) fn changes(&self, sql: &str, params: impl Params) -> Result<bool, Error> {
        self.execute(sql, params).map(|rows| rows > 0)
    }

    /// Puts a revision that will not be performed on the list of what is to be released, if the company
    /// asked to be told; `None`: the latest.
    pub(super) fn will_release(
        &self,
        key: i64,
        revision: Option<u32>,
        why: ReleaseWhy,
    ) -> Result<(), Error> {
        let params = (key, revision, why.word(), self.now.as_millis());
        self.execute(sql::INSERT_RELEASE, params).map(drop)
    }

    /// Does work that overwrites whatever it deletes, also where that takes a page to the device that nothing
    /// else would.
    pub(super) fn overwriting<T>(
        &self,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let set = |how: &str| self.connection.pragma_update(None, "secure_delete", how);
        set("on").map_err(|error| store_error("`secure_delete` could not be set", error))?;
        let done = work();
        if let Err(error) = set("fast") {
            tracing::warn!(%error, "`secure_delete` could not be set back: writes are slower now");
        }
        done
    }

    /// The number of the next note of an operation.
    pub(super) fn next_note(&self, key: i64) -> Result<Option<i64>, Error> {
        self.first(sql::NEXT_NOTE, (key,), |row| integer(row, 0))
    }

    /// Puts the proof on record before anything is decided; `false` if another request used it, or if it
    /// could have been used and forgotten.
    pub(super) fn accept_proof(&self, proof: Option<&Proof>) -> Result<bool, Error> {
        let Some(&Proof { digest, ticket, until }) = proof else { return Ok(true) };
        Ok(self.proofs.add(self.connection, digest, ticket, until)?
            || self.proofs.is_ours(self.connection, digest, ticket)?)
    }

    /// Appends a line to the record of an operation.
    pub(super) fn event(&self, key: i64, kind: EventKind, detail: &str) -> Result<(), Error> {
        if kind == EventKind::Ended {
            self.places.one_more();
        }
        let params = (key, self.now.as_millis(), kind.word(), detail);
        self.execute(sql::INSERT_EVENT, params).map(drop)
    }
}

/// A proof, ready to be bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proof {
    digest: ProofDigest,
    ticket: Ticket,
    until: i64,
}

impl Proof {
    pub(super) fn of(proof: &ProofUse) -> Self {
        Self { digest: digest_of(proof), ticket: proof.ticket, until: proof.until.as_millis() }
    }
}

/// The first row of a statement on any connection, if there is one.
pub(super) fn first<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    take: impl FnOnce(&Row<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let failed = |error| store_error("a statement failed", error);
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let mut rows = statement.query(params).map_err(failed)?;
    rows.next().map_err(failed)?.map(take).transpose()
}

/// Every row of a statement on any connection.
pub(super) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    mut take: impl FnMut(&Row<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let failed = |error| store_error("a statement failed", error);
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let mut rows = statement.query(params).map_err(failed)?;
    let mut taken = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        taken.push(take(row)?);
    }
    Ok(taken)
}

/// Row after row of a statement on any connection, until told to stop.
pub(super) fn each(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    mut take: impl FnMut(&Row<'_>) -> Result<bool, Error>,
) -> Result<(), Error> {
    let failed = |error| store_error("a statement failed", error);
    let mut statement = connection.prepare_cached(sql).map_err(failed)?;
    let mut rows = statement.query(params).map_err(failed)?;
    while let Some(row) = rows.next().map_err(failed)? {
        if !take(row)? {
            break;
        }
    }
    Ok(())
}

/// A column that holds an integer.
pub(super) fn integer(row: &Row<'_>, column: usize) -> Result<i64, Error> {
    row.get(column).map_err(|error| store_error("a row cannot be read", error))
}

/// Half a digest of thumbprint and `jti`: a row has one size whatever an agent sends.
fn digest_of(proof: &ProofUse) -> ProofDigest {
    let mut digest = Sha256::new();
    for part in [&proof.thumbprint, &proof.jti] {
        // the length in front keeps ("ab", "c") and ("a", "bc") apart
        digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        digest.update(part);
    }
    let whole: [u8; 32] = digest.finalize().into();
    let mut half = ProofDigest::default();
    half.iter_mut().zip(whole).for_each(|(half, byte)| *half = byte);
    half
}
