//! Which proofs were used: on record in the order in which they came, and known to the writing thread by
//! heart, so that a proof costs no page of its own in a tree that is sorted by digests.
//!
//! The file has one process and one writing thread, so nothing can be on record that is not known here.
//! A proof stays for two minutes; what is known is bounded by how many come in that time.

use std::cell::RefCell;
use std::collections::HashMap;

use rusqlite::Connection;

use super::failure::store_error;
use super::sql;
use super::transaction::{all, first, integer};
use crate::store::{Error, Ticket};

/// The first half of a SHA-256 digest of thumbprint and `jti`.
pub(super) type ProofDigest = [u8; 16];

/// The proofs on record, with what the open transaction has done to them.
#[derive(Debug, Default)]
pub(super) struct Proofs(RefCell<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Where each of them is.
    numbers: HashMap<ProofDigest, i64>,
    /// Those that the open transaction has put on record.
    added: Vec<ProofDigest>,
    /// Those that it has taken from the record.
    forgotten: Vec<ProofDigest>,
}

impl Proofs {
    /// Those that are on record in a file.
    pub(super) fn on_record(connection: &Connection) -> Result<Self, Error> {
        let numbers = all(connection, sql::PROOFS, (), |row| {
            let unreadable = |error| store_error("a proof cannot be read", error);
            Ok((row.get(1).map_err(unreadable)?, integer(row, 0)?))
        })?;
        let numbers = numbers.into_iter().collect();
        Ok(Self(RefCell::new(Known { numbers, ..Known::default() })))
    }

    /// Puts a proof on record; `false` if it is.
    pub(super) fn add(
        &self,
        connection: &Connection,
        proof: ProofDigest,
        ticket: Ticket,
        until: i64,
    ) -> Result<bool, Error> {
        let mut known = self.0.borrow_mut();
        if known.numbers.contains_key(&proof) {
            return Ok(false);
        }
        let added = connection
            .prepare_cached(sql::INSERT_PROOF)
            .and_then(|mut insert| insert.execute((proof, ticket.0, until)));
        added.map_err(|error| store_error("a proof could not be put on record", error))?;
        known.numbers.insert(proof, connection.last_insert_rowid());
        known.added.push(proof);
        Ok(true)
    }

    /// Whether a proof is on record under this ticket.
    pub(super) fn is_ours(
        &self,
        connection: &Connection,
        proof: ProofDigest,
        ticket: Ticket,
    ) -> Result<bool, Error> {
        let Some(number) = self.0.borrow().numbers.get(&proof).copied() else { return Ok(false) };
        let ours =
            first(connection, sql::PROOF_IS_OURS, (number, ticket.0), |row| integer(row, 0))?;
        Ok(ours == Some(1))
    }

    /// Takes some of the oldest from the record, up to the first whose time is not over; says whether
    /// there may be more.
    pub(super) fn forget(
        &self,
        connection: &Connection,
        now: i64,
        at_most: u32,
    ) -> Result<bool, Error> {
        let mut oldest = all(connection, sql::OLDEST_PROOFS, (at_most,), |row| {
            let unreadable = |error| store_error("a proof cannot be read", error);
            let proof: ProofDigest = row.get(1).map_err(unreadable)?;
            Ok((integer(row, 0)?, proof, integer(row, 2)?))
        })?;
        let looked_at = oldest.len();
        let over = oldest.iter().position(|(_, _, until)| *until >= now).unwrap_or(looked_at);
        oldest.truncate(over);
        let Some((last, ..)) = oldest.last() else { return Ok(false) };
        let forgotten = connection
            .prepare_cached(sql::FORGET_PROOFS)
            .and_then(|mut delete| delete.execute((last,)));
        forgotten.map_err(|error| store_error("proofs could not be forgotten", error))?;
        self.0.borrow_mut().forgotten.extend(oldest.iter().map(|(_, proof, _)| *proof));
        Ok(over == looked_at && usize::try_from(at_most).is_ok_and(|most| over == most))
    }

    /// How many the open transaction has put on record.
    pub(super) fn added(&self) -> usize {
        self.0.borrow().added.len()
    }

    /// The transaction, or what it did after it had added so many, was undone.
    pub(super) fn undo(&self, after: usize) {
        let mut known = self.0.borrow_mut();
        let Known { numbers, added, forgotten } = &mut *known;
        for proof in added.drain(after.min(added.len())..) {
            numbers.remove(&proof);
        }
        forgotten.clear();
    }

    /// The transaction was committed.
    pub(super) fn keep(&self) {
        let mut known = self.0.borrow_mut();
        let Known { numbers, added, forgotten } = &mut *known;
        added.clear();
        for proof in forgotten.drain(..) {
            numbers.remove(&proof);
        }
        // a rush that is over gives its memory back
        if numbers.capacity() / 8 > numbers.len() + 1_024 {
            numbers.shrink_to_fit();
        }
    }
}
