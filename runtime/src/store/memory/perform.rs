//! From the confirmation to the end: claim, stop, note, finish.

use pap_protocol::operation::Confirmation;
use pap_protocol::value::Instant;

use super::ask::is_known;
use super::record::Record;
use super::state::State;
use crate::lifecycle::Move;
use crate::store::guard::check_end;
use crate::store::{
    Claim, ConfirmedBy, Error, EventKind, Finish, FinishBy, Late, Note, NoteKind, PauseOf,
    RequestStop, Running, Start, Stored, StoredResult, StoredRevision, Waiting, WriteNote, Written,
    detail,
};

impl State {
    pub(super) fn claim(&mut self, claim: Claim, now: Instant) -> Result<Written, Error> {
        let event = detail::confirmed(&claim)?;
        if !self.accept_proof(claim.proof.as_ref()) {
            return Ok(Written::Replayed);
        }
        let Claim { key, revision, approved_by, by, performer, .. } = claim;
        let Some(record) = self.record(&key) else { return Ok(Written::NotNow) };
        if self.is_paused(&key.company, &record.action, PauseOf::Claims) {
            return Ok(Written::NotNow);
        }
        let Some(record) = self.record_mut(&key) else { return Ok(Written::NotNow) };
        let is_latest =
            |latest: &StoredRevision| latest.number == revision && latest.digest == by.digest;
        let is_latest = record.latest().is_some_and(is_latest);
        if record.has_expired(now) || !is_latest || !record.moves(Move::Confirm) {
            return Ok(Written::NotNow);
        }
        let confirmation = Confirmation { revision, approved_by, confirmed_at: now };
        record.confirmed = Some(ConfirmedBy { confirmation, by });
        record.ticket = performer.map(|performer| performer.ticket);
        record.running = Some(Running {
            life: performer.map(|performer| performer.life),
            performing: performer.is_some(),
            epoch: 0,
            ask_after: now,
            asks: 0,
            died_asking: 0,
            stop_requested: None,
            due: None,
            attention: false,
        });
        self.event(&key, EventKind::Confirmed, now, event);
        Ok(Written::Done(now))
    }

    pub(super) fn start(&mut self, start: &Start, now: Instant) -> Written {
        let record = self.record_mut(&start.key).filter(|record| record.is_deferred());
        let Some(record) = record else { return Written::NotNow };
        let Some(running) = record.running.as_mut() else { return Written::NotNow };
        if running.stop_requested.is_some() || running.epoch > 0 {
            return Written::NotNow;
        }
        running.life = Some(start.performer.life);
        running.performing = true;
        running.ask_after = now;
        record.ticket = Some(start.performer.ticket);
        self.event(&start.key, EventKind::Started, now, detail::STARTED);
        Written::Done(now)
    }

    /// Those that wait to be started, the longest waiting first.
    pub(super) fn waiting(&self, which: &Waiting, now: Instant) -> Vec<Stored> {
        let mut waiting: Vec<_> = self
            .records()
            .filter(|(key, record)| key.company == which.company && record.is_deferred())
            .filter(|(_, record)| is_known(&which.known, record))
            .filter_map(|(key, record)| {
                let since = record.running.as_ref()?.ask_after;
                Some(((since, record.order), record.stored(key, now)?))
            })
            .collect();
        waiting.sort_by_key(|(since, _)| *since);
        let limit = usize::try_from(which.limit).unwrap_or(usize::MAX);
        waiting.into_iter().map(|(_, stored)| stored).take(limit).collect()
    }

    pub(super) fn request_stop(&mut self, stop: &RequestStop, now: Instant) -> Written {
        if !self.accept_proof(stop.proof.as_ref()) {
            return Written::Replayed;
        }
        let running = self.record_mut(&stop.key).and_then(|record| record.running.as_mut());
        let Some(running) = running else { return Written::NotNow };
        if let Some(first) = running.stop_requested {
            return Written::Done(first);
        }
        running.stop_requested = Some(now);
        self.event(&stop.key, EventKind::StopRequested, now, detail::STOP_REQUESTED);
        Written::Done(now)
    }

    pub(super) fn write_note(&mut self, write: WriteNote, at: Instant) -> Result<Written, Error> {
        let WriteNote { key, ticket, note } = write;
        let (kind, event) = match &note {
            NoteKind::Change(_) => (EventKind::ChangeNoted, detail::change_noted(false).to_owned()),
            NoteKind::Checkpoint { name, .. } => (EventKind::Remembered, detail::remembered(name)?),
        };
        let record = self.record_mut(&key).filter(|record| record.is_performed_under(ticket));
        let Some(record) = record else { return Ok(Written::NotNow) };
        if let NoteKind::Checkpoint { name, .. } = &note {
            let asked = record.running.as_ref().is_none_or(|running| running.epoch > 0);
            if asked || record.has_checkpoint(name) {
                return Ok(Written::NotNow);
            }
        }
        record.notes.push(Note { note, at });
        self.event(&key, kind, at, event);
        Ok(Written::Done(at))
    }

    pub(super) fn finish(&mut self, finish: Finish, at: Instant) -> Result<Written, Error> {
        check_end(finish.end.state)?;
        let event = detail::finished(finish.end.state, &finish.by)?;
        let Some(record) = self.record_mut(&finish.key) else { return Ok(Written::NotNow) };
        let Some(step) = ending(record, &finish) else { return Ok(Written::NotNow) };
        if !record.moves(step) {
            return Ok(Written::NotNow);
        }
        let Finish { key, end, carried, .. } = finish;
        record.result = Some(StoredResult { summary: end.summary, data: end.data, at });
        record.running = None;
        let place = record.place.clone();
        let changes = carried.len();
        let carried = carried.into_iter().map(|change| Note { note: NoteKind::Change(change), at });
        record.notes.extend(carried);
        self.vacate(&place);
        for _ in 0..changes {
            self.event(&key, EventKind::ChangeNoted, at, detail::change_noted(true));
        }
        self.event(&key, EventKind::Ended, at, event);
        Ok(Written::Done(at))
    }

    pub(super) fn record_late(&mut self, late: &Late, now: Instant) -> Result<(), Error> {
        let Some(record) = self.record(&late.key) else {
            return Err(Error::not_written(format!("there is no operation `{}`", late.key.id)));
        };
        let event =
            if record.erased.is_some() { detail::late_blanked(late)? } else { detail::late(late)? };
        self.event(&late.key, EventKind::LateOutcome, now, event);
        Ok(())
    }
}

/// The move that this finish is, if what it states holds.
fn ending(record: &Record, finish: &Finish) -> Option<Move> {
    let running = record.running.as_ref()?;
    let holds = match &finish.by {
        FinishBy::Performer(ticket) => record.is_performed_under(*ticket),
        FinishBy::Asker { epoch, fence } => {
            running.epoch == *epoch
                && !fence.as_ref().is_some_and(|fence| record.has_checkpoint(fence))
        }
        // no copy of what is in memory is taken into use
        FinishBy::AskerInPart { epoch } => running.epoch == *epoch,
        FinishBy::NotStarted => record.is_deferred(),
        FinishBy::Settler { .. } => true,
    };
    let all_told = usize::try_from(finish.changes_seen).is_ok_and(|seen| seen == record.changes());
    let step = Move::ALL
        .into_iter()
        .find(|step| crate::lifecycle::after(record.state, *step) == Some(finish.end.state));
    step.filter(|_| holds && all_told)
}
