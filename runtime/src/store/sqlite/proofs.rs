//! Which proofs were used: on record in the order in which they came, and known to the writing thread by
//! heart, so that a proof costs no page of its own in a tree that is sorted by digests.
//!
//! The file has one process and one writing thread, so nothing can be on record that is not known here.
//! A proof stays for two minutes; what is known is bounded by how many come in that time. What was
//! forgotten is known by one moment: nothing is accepted whose time is not after that of all of them, so it
//! does not matter by which clock they were forgotten.

use std::cell::RefCell;
use std::collections::HashMap;

use rusqlite::Connection;

use super::failure::store_error;
use super::sql;
use super::transaction::{all, first, integer};
use crate::store::{Error, Ticket};

/// The first half of a SHA-256 digest of thumbprint and `jti`.
pub(super) type ProofDigest = [u8; 16];

/// No proof that is used now has its time over so much later (ms): it is of a time when the clock was ahead.
const FAR_MS: i64 = 600_000;
/// The name in `meta` of the greatest `until` of a proof that was forgotten.
const FORGOTTEN_UNTIL: &str = "forgotten_until";

/// The proofs on record, with what the open transaction has done to them.
#[derive(Debug)]
pub(super) struct Proofs(RefCell<Known>);

#[derive(Debug)]
struct Known {
    /// Where each of them is.
    numbers: HashMap<ProofDigest, i64>,
    /// Those that the open transaction has put on record.
    added: Vec<ProofDigest>,
    /// Those that it has taken from the record.
    forgotten: Vec<ProofDigest>,
    /// The greatest `until` of those that were forgotten, and what it is if the open transaction is committed.
    forgotten_until: [i64; 2],
    /// The oldest on record, if their time is far off.
    passed: Option<Passed>,
}

/// Proofs of a time when the clock was ahead: they stay, and hold up nothing that came after them.
#[derive(Debug, Clone, Copy)]
struct Passed {
    /// The last of them, by its number.
    last: i64,
    /// When the time of the first of them is over.
    until: i64,
}

impl Proofs {
    /// Those that are on record in a file.
    pub(super) fn on_record(connection: &Connection) -> Result<Self, Error> {
        let numbers = all(connection, sql::PROOFS, (), |row| {
            let unreadable = |error| store_error("a proof cannot be read", error);
            Ok((row.get(1).map_err(unreadable)?, integer(row, 0)?))
        })?;
        let forgotten_until = forgotten_until(connection)?;
        Ok(Self(RefCell::new(Known {
            numbers: numbers.into_iter().collect(),
            added: Vec::new(),
            forgotten: Vec::new(),
            forgotten_until: [forgotten_until; 2],
            passed: None,
        })))
    }

    /// Puts a proof on record; `false` if it is, or if it may have been and was forgotten.
    pub(super) fn add(
        &self,
        connection: &Connection,
        proof: ProofDigest,
        ticket: Ticket,
        until: i64,
    ) -> Result<bool, Error> {
        let mut known = self.0.borrow_mut();
        let [_, forgotten_until] = known.forgotten_until;
        if until <= forgotten_until || known.numbers.contains_key(&proof) {
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

    /// Takes some of the oldest from the record, up to the first whose time is not over by the clock as it is
    /// set, and puts on record up to when they were good; says whether there may be more.
    pub(super) fn forget(
        &self,
        connection: &Connection,
        as_set: i64,
        at_most: u32,
    ) -> Result<bool, Error> {
        let mut known = self.0.borrow_mut();
        let passed = known.passed.filter(|passed| passed.until >= as_set);
        let after = passed.map_or(0, |passed| passed.last);
        let mut oldest = all(connection, sql::OLDEST_PROOFS, (after, at_most), |row| {
            let unreadable = |error| store_error("a proof cannot be read", error);
            let proof: ProofDigest = row.get(1).map_err(unreadable)?;
            Ok((integer(row, 0)?, proof, integer(row, 2)?))
        })?;
        let looked_at = oldest.len();
        let far = |until: i64| until > as_set.saturating_add(FAR_MS);
        let stays = oldest.iter().position(|(.., until)| *until >= as_set && !far(*until));
        oldest.truncate(stays.unwrap_or(looked_at));
        let Some(&(last, ..)) = oldest.last() else { return Ok(false) };
        known.passed =
            oldest.iter().filter(|(.., until)| far(*until)).fold(passed, |passed, row| {
                let least = passed.map_or(row.2, |passed| passed.until.min(row.2));
                Some(Passed { last: row.0, until: least })
            });
        oldest.retain(|(.., until)| *until < as_set);
        if let Some(newest) = oldest.iter().map(|(.., until)| *until).max() {
            let forgotten = connection
                .prepare_cached(sql::FORGET_PROOFS)
                .and_then(|mut delete| delete.execute((after, last, as_set)));
            forgotten.map_err(|error| store_error("proofs could not be forgotten", error))?;
            known.forgotten.extend(oldest.iter().map(|(_, proof, _)| *proof));
            known.forgotten_up_to(connection, newest)?;
        }
        Ok(stays.is_none() && usize::try_from(at_most).is_ok_and(|most| looked_at == most))
    }

    /// How many the open transaction has put on record.
    pub(super) fn added(&self) -> usize {
        self.0.borrow().added.len()
    }

    /// The transaction, or what it did after it had added so many, was undone.
    pub(super) fn undo(&self, after: usize) {
        let mut known = self.0.borrow_mut();
        let Known { numbers, added, forgotten, forgotten_until: [kept, open], passed } =
            &mut *known;
        for proof in added.drain(after.min(added.len())..) {
            numbers.remove(&proof);
        }
        forgotten.clear();
        *open = *kept;
        *passed = None;
    }

    /// The transaction was committed.
    pub(super) fn keep(&self) {
        let mut known = self.0.borrow_mut();
        let Known { numbers, added, forgotten, forgotten_until: [kept, open], .. } = &mut *known;
        added.clear();
        for proof in forgotten.drain(..) {
            numbers.remove(&proof);
        }
        *kept = *open;
        // a rush that is over gives its memory back
        if numbers.capacity() / 8 > numbers.len() + 1_024 {
            numbers.shrink_to_fit();
        }
    }
}

impl Known {
    /// Puts on record that proofs up to this moment were forgotten. It only grows.
    fn forgotten_up_to(&mut self, connection: &Connection, until: i64) -> Result<(), Error> {
        let [_, open] = &mut self.forgotten_until;
        if until > *open {
            let set = connection
                .prepare_cached(sql::SET_META)
                .and_then(|mut set| set.execute((FORGOTTEN_UNTIL, until.to_string())));
            set.map_err(|error| store_error("`meta` could not be written", error))?;
            *open = until;
        }
        Ok(())
    }
}

/// The greatest `until` of a proof that was forgotten.
fn forgotten_until(connection: &Connection) -> Result<i64, Error> {
    let found = first(connection, sql::META, (FORGOTTEN_UNTIL,), |row| {
        row.get::<_, String>(0).map_err(|error| store_error("`meta` could not be read", error))
    })?;
    let Some(found) = found else { return Ok(i64::MIN) };
    found.parse().map_err(|error| {
        Error::corrupt(format!("`meta` has no readable `{FORGOTTEN_UNTIL}`")).from_source(error)
    })
}
