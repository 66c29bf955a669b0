//! Everything the store in memory keeps, and how it is found.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use pap_protocol::operation::Revision;
use pap_protocol::value::Instant;

use super::acts::Acted;
use super::record::Record;
use crate::store::{
    Error, Event, EventKind, Found, History, Key, Life, OpenAction, Paused, ProofUse, ReleaseWhy,
    Stored, Ticket,
};

/// The whole store.
#[derive(Default)]
pub(super) struct State {
    records: HashMap<Key, Record>,
    open: HashMap<Place, Opened>,
    /// Lives that go on; one that is not here is dead.
    lives: HashMap<Life, bool>,
    proofs: HashMap<(String, String), (Ticket, Instant)>,
    forget_at: usize,
    /// The greatest `until` of a proof that was forgotten.
    forgotten: Option<Instant>,
    /// The clock as it is set, at the change that is being made, in milliseconds since 1970.
    pub(super) as_set: i64,
    sequence: u64,
    /// Grows with each operation.
    places: usize,
    pub(super) releases: Vec<ToRelease>,
    pub(super) pauses: Vec<(String, Paused)>,
    pub(super) acts: Vec<Acted>,
    /// Ids of operations that were purged.
    purged: HashSet<Key>,
}

/// A release that was not told yet.
pub(super) struct ToRelease {
    pub(super) key: Key,
    pub(super) revision: Revision,
    pub(super) why: ReleaseWhy,
    pub(super) try_after: Instant,
    pub(super) tries: u32,
}

/// A place that at most one open operation has.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    company: String,
    owner: String,
    action: String,
    identity: [u8; 32],
}

impl Place {
    /// The place under one owner tag.
    pub(super) fn of(action: &OpenAction, owner: &str) -> Self {
        Self {
            company: action.company.clone(),
            owner: owner.to_owned(),
            action: action.action.clone(),
            identity: action.identity,
        }
    }
}

/// What has a place.
pub(super) struct Opened {
    pub(super) key: Key,
    /// Digest of the request that led to its latest revision.
    pub(super) request: [u8; 32],
}

impl State {
    pub(super) fn operations(&self) -> usize {
        self.records.len()
    }

    pub(super) fn record(&self, key: &Key) -> Option<&Record> {
        self.records.get(key)
    }

    pub(super) fn record_mut(&mut self, key: &Key) -> Option<&mut Record> {
        self.records.get_mut(key)
    }

    pub(super) fn records(&self) -> impl Iterator<Item = (&Key, &Record)> {
        self.records.iter()
    }

    /// The place of the next operation in proposal order.
    pub(super) fn next_place(&mut self) -> usize {
        self.places += 1;
        self.places
    }

    /// How many operations of a company were purged.
    pub(super) fn removed_of(&self, company: &str) -> usize {
        self.purged.iter().filter(|key| key.company == company).count()
    }

    /// Whether an operation had this id and was purged.
    pub(super) fn was_issued(&self, key: &Key) -> bool {
        self.purged.contains(key)
    }

    pub(super) fn remove(&mut self, key: &Key) {
        self.records.remove(key);
        self.purged.insert(key.clone());
    }

    pub(super) fn insert(&mut self, key: Key, record: Record) {
        self.records.insert(key, record);
    }

    pub(super) fn opened(&self, place: &Place) -> Option<&Opened> {
        self.open.get(place)
    }

    pub(super) fn opened_mut(&mut self, place: &Place) -> Option<&mut Opened> {
        self.open.get_mut(place)
    }

    pub(super) fn occupy(&mut self, place: Place, opened: Opened) {
        self.open.insert(place, opened);
    }

    pub(super) fn vacate(&mut self, place: &Place) {
        self.open.remove(place);
    }

    /// Appends a line to the record of an operation.
    pub(super) fn event(
        &mut self,
        key: &Key,
        kind: EventKind,
        at: Instant,
        detail: impl Into<String>,
    ) {
        self.sequence += 1;
        let event = Event { sequence: self.sequence, at, kind, detail: detail.into() };
        if let Some(record) = self.records.get_mut(key) {
            record.events.push(event);
        }
    }

    pub(super) fn begin_life(&mut self, life: Life) -> Result<(), Error> {
        if *self.lives.entry(life).or_insert(true) {
            return Ok(());
        }
        Err(Error::not_written("a life that has ended does not begin again: take a new one"))
    }

    pub(super) fn end_life(&mut self, life: Life) {
        if let Some(goes_on) = self.lives.get_mut(&life) {
            *goes_on = false;
        }
    }

    /// Ends all lives, with the lease of every question that was taken and not answered.
    pub(super) fn end_lives(&mut self, now: Instant) {
        self.lives.values_mut().for_each(|goes_on| *goes_on = false);
        let running = self.records.values_mut().filter_map(|record| record.running.as_mut());
        for running in running.filter(|running| running.died_asking > 0) {
            running.ask_after = running.ask_after.min(now);
        }
    }

    /// Whether a life was begun and has not ended.
    pub(super) fn lives(&self, life: Life) -> bool {
        self.lives.get(&life).copied().unwrap_or(false)
    }

    /// Puts the proof on record before anything is decided; `false` if another request used it, or if it
    /// could have been used and forgotten.
    pub(super) fn accept_proof(&mut self, proof: Option<&ProofUse>) -> bool {
        let Some(proof) = proof else { return true };
        if self.proofs.len() > self.forget_at {
            self.forget_proofs();
        }
        let name = (proof.thumbprint.clone(), proof.jti.clone());
        match self.proofs.entry(name) {
            Entry::Occupied(used) => used.get().0 == proof.ticket,
            Entry::Vacant(_) if self.forgotten.is_some_and(|greatest| proof.until <= greatest) => {
                false
            }
            Entry::Vacant(new) => {
                new.insert((proof.ticket, proof.until));
                true
            }
        }
    }

    /// Forgets what is over by the clock as it is set: one that was ahead must not hold back what comes after.
    fn forget_proofs(&mut self) {
        let Self { proofs, forgotten, as_set, .. } = self;
        proofs.retain(|_, (_, until)| {
            let over = until.as_millis() < *as_set;
            if over {
                *forgotten = (*forgotten).max(Some(*until));
            }
            !over
        });
        self.forget_at = 64 + 2 * self.proofs.len();
    }

    pub(super) fn read(&self, key: &Key, now: Instant) -> Option<Stored> {
        self.records.get(key)?.stored(key, now)
    }

    pub(super) fn find_open(&self, action: &OpenAction, now: Instant) -> Option<Found> {
        action.owners.iter().find_map(|owner| {
            let opened = self.open.get(&Place::of(action, owner))?;
            let record = self.records.get(&opened.key)?;
            let stored = record.stored(&opened.key, now).filter(|_| !record.has_expired(now))?;
            Some(Found { stored, request: opened.request })
        })
    }

    pub(super) fn history(&self, key: &Key, now: Instant) -> Option<History> {
        let record = self.records.get(key)?;
        Some(History {
            stored: record.stored(key, now)?,
            revisions: record.revisions.clone(),
            notes: record.notes.clone(),
            events: record.events.clone(),
        })
    }
}
