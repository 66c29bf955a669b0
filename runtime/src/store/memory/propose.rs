//! Until the confirmation: propose, revise, close.

use pap_protocol::value::Instant;

use super::record::Record;
use super::state::{Opened, Place, State};
use crate::lifecycle::Move;
use crate::store::guard::{check_first, check_new_revision};
use crate::store::{
    CloseProposed, Closing, EXPIRED, Error, EventKind, Key, NewOperation, PauseOf, Proposed,
    ReleaseWhy, Revise, StoredResult, StoredRevision, Written, detail,
};

impl State {
    pub(super) fn propose(&mut self, new: NewOperation, now: Instant) -> Result<Proposed, Error> {
        check_first(&new.revision)?;
        check_new_revision(&new.revision)?;
        let event = detail::proposed(&new)?;
        let places: Vec<_> =
            new.open.owners.iter().map(|owner| Place::of(&new.open, owner)).collect();
        let Some(place) = places.first().cloned() else {
            return Err(Error::not_written(
                "an operation is opened under an owner tag, and has none",
            ));
        };
        let mut expired = Vec::new();
        for opened in places.iter().filter_map(|place| self.opened(place)) {
            if !self.record(&opened.key).is_some_and(|record| record.has_expired(now)) {
                return Ok(Proposed::Open(opened.key.id.clone()));
            }
            expired.push(opened.key.clone());
        }
        if self.is_paused(&new.key.company, &new.open.action, PauseOf::Proposals) {
            return Ok(Proposed::Paused);
        }
        if self.record(&new.key).is_some() || self.was_issued(&new.key) {
            return Err(Error::not_written("this id was issued before"));
        }
        for key in expired {
            self.end_proposed(&key, Closing::Expired, EXPIRED.to_owned(), now);
        }
        let NewOperation { key, owner, open, request, revision, reference, tells_release } = new;
        let record = Record {
            order: self.next_place(),
            action: open.action,
            owner,
            state: pap_protocol::operation::State::Proposed,
            place: place.clone(),
            ticket: None,
            confirmed: None,
            result: None,
            running: None,
            revisions: vec![in_utc(revision)],
            notes: Vec::new(),
            events: Vec::new(),
            reference,
            tells_release,
            erased: None,
        };
        self.insert(key.clone(), record);
        self.occupy(place, Opened { key: key.clone(), request });
        self.event(&key, EventKind::Proposed, now, event);
        Ok(Proposed::New)
    }

    pub(super) fn revise(&mut self, revise: Revise, now: Instant) -> Result<Written, Error> {
        check_new_revision(&revise.revision)?;
        let event = detail::revised(&revise)?;
        let Revise { key, revision, request } = revise;
        let Some(record) = self.record_mut(&key) else { return Ok(Written::NotNow) };
        let next = record.latest().map(|latest| latest.number.get().saturating_add(1));
        if record.state != pap_protocol::operation::State::Proposed
            || record.has_expired(now)
            || next != Some(revision.number.get())
        {
            return Ok(Written::NotNow);
        }
        let before = record.latest().map(|latest| latest.number);
        record.revisions.push(in_utc(revision));
        self.will_release(&key, before, ReleaseWhy::Revised, now);
        let Some(record) = self.record(&key) else { return Ok(Written::NotNow) };
        let place = record.place.clone();
        if let (Some(opened), Some(request)) = (self.opened_mut(&place), request) {
            opened.request = request;
        }
        self.event(&key, EventKind::Revised, now, event);
        Ok(Written::Done(now))
    }

    pub(super) fn close_proposed(&mut self, close: CloseProposed, now: Instant) -> Written {
        if !self.accept_proof(close.proof.as_ref()) {
            return Written::Replayed;
        }
        if self.end_proposed(&close.key, close.closing, close.summary, now) {
            Written::Done(now)
        } else {
            Written::NotNow
        }
    }

    pub(super) fn end_proposed(
        &mut self,
        key: &Key,
        closing: Closing,
        summary: String,
        at: Instant,
    ) -> bool {
        let Some(record) = self.record_mut(key) else { return false };
        let event = match closing {
            Closing::Cancelled => Move::Cancel,
            Closing::Expired if record.has_expired(at) => Move::Expire,
            Closing::Expired => return false,
        };
        let was_proposed = record.state == pap_protocol::operation::State::Proposed;
        if !was_proposed || !record.moves(event) {
            return false;
        }
        record.result = Some(StoredResult { summary, data: None, at });
        let (place, latest) = (record.place.clone(), record.latest().map(|latest| latest.number));
        self.vacate(&place);
        let why = match closing {
            Closing::Cancelled => ReleaseWhy::Cancelled,
            Closing::Expired => ReleaseWhy::Expired,
        };
        self.will_release(key, latest, why, at);
        self.event(key, EventKind::Ended, at, detail::closed(closing));
        true
    }
}

/// Moments as every store gives them back.
fn in_utc(revision: StoredRevision) -> StoredRevision {
    let (expires_at, issued_at) = (revision.expires_at.at_utc(), revision.issued_at.at_utc());
    StoredRevision { expires_at, issued_at, ..revision }
}
