//! Who is asked about an operation in progress, and when.

use pap_protocol::value::Instant;

use super::record::Record;
use super::state::State;
use crate::store::{
    AskLater, AskLaterBy, Asked, Error, EventKind, Key, Known, TakeAskable, Written, detail,
};

/// A question that so many processes died asking is put aside.
const DIED_ASKING_MAX: u32 = 3;

impl State {
    pub(super) fn ask_later(&mut self, later: &AskLater, now: Instant) -> Result<Written, Error> {
        let event = detail::unsettled(later)?;
        let Some(record) = self.record(&later.key) else { return Ok(Written::NotNow) };
        let nobody_performs = record.running.as_ref().is_some_and(|running| {
            running.life.is_some_and(|life| !running.performing || !self.lives(life))
        });
        let Some(record) = self.record_mut(&later.key) else { return Ok(Written::NotNow) };
        let (ticket, state) = (record.ticket, record.state);
        let Some(running) = record.running.as_mut().filter(|_| !state.is_final()) else {
            return Ok(Written::NotNow);
        };
        match &later.by {
            AskLaterBy::Performer(own) if ticket == Some(*own) => running.performing = false,
            AskLaterBy::Asker { epoch } if running.epoch == *epoch => {}
            AskLaterBy::Operator { .. } if nobody_performs => {}
            AskLaterBy::Performer(_) | AskLaterBy::Asker { .. } | AskLaterBy::Operator { .. } => {
                return Ok(Written::NotNow);
            }
        }
        running.ask_after = later.ask_after.at_utc();
        running.due = later.due.map(Instant::at_utc).or(running.due);
        running.attention = later.attention;
        running.died_asking = 0;
        self.event(&later.key, EventKind::Unsettled, now, event);
        Ok(Written::Done(now))
    }

    pub(super) fn take_askable(&mut self, take: &TakeAskable, now: Instant) -> Vec<Asked> {
        let limit = usize::try_from(take.limit).unwrap_or(usize::MAX);
        let mut askable: Vec<_> = self
            .records()
            .filter(|(key, record)| key.company == take.company && is_known(&take.known, record))
            .filter_map(|(key, record)| Some((self.askable_since(record, now)?, key.clone())))
            .collect();
        askable.sort_by_key(|(since, _)| *since);
        let mut alone = self.asks_a_suspect(&take.company, now);
        let keys: Vec<_> = askable
            .into_iter()
            .map(|(_, key)| key)
            .filter(|key| !self.is_suspect(key) || !std::mem::replace(&mut alone, true))
            .take(limit)
            .collect();
        let taken = keys.into_iter();
        taken.filter_map(|key| self.take(&key, now.saturating_add(take.lease), now)).collect()
    }

    /// Whether a process may have died asking about it.
    fn is_suspect(&self, key: &Key) -> bool {
        let running = self.record(key).and_then(|record| record.running.as_ref());
        running.is_some_and(|running| running.died_asking > 0)
    }

    /// Whether one that a process may have died of is being asked about: only one is at a time, so that it takes
    /// no other with it.
    fn asks_a_suspect(&self, company: &str, now: Instant) -> bool {
        self.records().filter(|(key, _)| key.company == company).any(|(_, record)| {
            let running = record.running.as_ref();
            running.is_some_and(|running| running.died_asking > 1 && running.ask_after > now)
        })
    }

    /// Since when it can be asked about, and its place in proposal order.
    fn askable_since(&self, record: &Record, now: Instant) -> Option<(Instant, usize)> {
        let running = record.running.as_ref()?;
        // nobody has begun what waits to be started
        running.life?;
        let performed = running.performing && self.lives(running.life?);
        let askable =
            !performed && running.ask_after <= now && running.died_asking < DIED_ASKING_MAX;
        askable.then_some((running.ask_after, record.order))
    }

    fn take(&mut self, key: &Key, ask_after: Instant, now: Instant) -> Option<Asked> {
        let running = self.record_mut(key)?.running.as_mut()?;
        running.epoch = running.epoch.saturating_add(1);
        running.asks = running.asks.saturating_add(1);
        running.died_asking = running.died_asking.saturating_add(1);
        running.attention |= running.died_asking >= DIED_ASKING_MAX;
        running.ask_after = ask_after;
        let event = detail::asked(running.epoch, running.asks, running.died_asking);
        self.event(key, EventKind::Asked, now, event);
        let record = self.record(key)?;
        Some(Asked { stored: record.stored(key, now)?, notes: record.notes.clone() })
    }
}

/// Whether whoever asks knows the action and the version of its terms.
pub(super) fn is_known(known: &[Known], record: &Record) -> bool {
    let Some(latest) = record.latest() else { return false };
    let known = known.iter().find(|known| known.action == record.action);
    known.is_some_and(|known| known.versions.contains(&latest.schema_version))
}
