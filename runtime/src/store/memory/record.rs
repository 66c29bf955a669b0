//! One operation in memory, with all that is on record about it.

use pap_protocol::operation::State;
use pap_protocol::value::Instant;

use super::state::Place;
use crate::lifecycle::{Move, after};
use crate::store::{
    ConfirmedBy, Erasure, Event, Key, Note, NoteKind, Owner, Running, Stored, StoredResult,
    StoredRevision, Ticket,
};

/// An operation.
pub(super) struct Record {
    /// Proposal order.
    pub(super) order: usize,
    pub(super) action: String,
    pub(super) owner: Owner,
    pub(super) state: State,
    /// The place that it has until it is final.
    pub(super) place: Place,
    pub(super) ticket: Option<Ticket>,
    pub(super) confirmed: Option<ConfirmedBy>,
    pub(super) result: Option<StoredResult>,
    pub(super) running: Option<Running>,
    pub(super) revisions: Vec<StoredRevision>,
    pub(super) notes: Vec<Note>,
    pub(super) events: Vec<Event>,
    pub(super) reference: Option<String>,
    pub(super) tells_release: bool,
    pub(super) erased: Option<Erasure>,
}

impl Record {
    /// What a reader gets.
    pub(super) fn stored(&self, key: &Key, now: Instant) -> Option<Stored> {
        Some(Stored {
            key: key.clone(),
            action: self.action.clone(),
            owner: self.owner.clone(),
            state: self.state,
            latest: self.latest()?.clone(),
            confirmed: self.confirmed.clone(),
            result: self.result.clone(),
            running: self.running.clone(),
            reference: self.reference.clone(),
            erased: self.erased,
            now,
        })
    }

    /// The revision that can be confirmed, or was.
    pub(super) fn latest(&self) -> Option<&StoredRevision> {
        self.revisions.last()
    }

    /// Whether it was not confirmed in time.
    pub(super) fn has_expired(&self, now: Instant) -> bool {
        self.state == State::Proposed && self.latest().is_some_and(|latest| latest.expires_at < now)
    }

    /// Whether it is in progress under this ticket.
    pub(super) fn is_performed_under(&self, ticket: Ticket) -> bool {
        self.state == State::InProgress && self.ticket == Some(ticket)
    }

    /// Whether it waits to be started.
    pub(super) fn is_deferred(&self) -> bool {
        self.state == State::InProgress && self.ticket.is_none()
    }

    /// Whether a checkpoint of this name is on record.
    pub(super) fn has_checkpoint(&self, wanted: &str) -> bool {
        self.notes
            .iter()
            .any(|note| matches!(&note.note, NoteKind::Checkpoint { name, .. } if name == wanted))
    }

    /// How many changes are on record.
    pub(super) fn changes(&self) -> usize {
        self.notes.iter().filter(|note| matches!(note.note, NoteKind::Change(_))).count()
    }

    /// Moves it, if the table allows the move.
    pub(super) fn moves(&mut self, event: Move) -> bool {
        let to = after(self.state, event);
        if let Some(to) = to {
            self.state = to;
        }
        to.is_some()
    }
}
