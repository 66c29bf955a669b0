//! Finding operations, reading the feed, and counting what is open.

use pap_protocol::operation::State as OperationState;
use pap_protocol::value::Instant;

use super::record::Record;
use super::state::State;
use crate::store::{
    Cursor, Error, Feed, FeedEvent, Key, NoSuchPlace, OVERDUE, OpenWork, Page, Place, ReadFeed,
    Search,
};

impl State {
    /// The operations of a company in proposal order.
    pub(super) fn in_order(&self, company: &str) -> Vec<(&Key, &Record)> {
        let mut records: Vec<_> =
            self.records().filter(|(key, _)| key.company == company).collect();
        records.sort_by_key(|(_, record)| record.order);
        records
    }

    pub(super) fn search(&self, search: &Search, now: Instant) -> Page {
        let limit = usize::try_from(search.limit).unwrap_or(usize::MAX);
        let mut found: Vec<_> = self
            .in_order(&search.company)
            .into_iter()
            .filter(|(_, record)| search.after.is_none_or(|after| place(record) > after))
            .filter(|(_, record)| self.is_sought(search, record))
            .take(limit.saturating_add(1))
            .collect();
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more).map(|(_, record)| place(record));
        let operations = found.into_iter().filter_map(|(key, record)| record.stored(key, now));
        Page { operations: operations.collect(), next }
    }

    pub(super) fn feed(&self, read: &ReadFeed) -> Result<Feed, Error> {
        let after = match read.after.place() {
            "" => 0,
            place => place.parse::<u64>().map_err(|_malformed| NoSuchPlace(place.to_owned()))?,
        };
        let mut events: Vec<_> = self
            .in_order(&read.company)
            .into_iter()
            .flat_map(|(key, record)| record.events.iter().map(move |event| (key, event)))
            .filter(|(_, event)| event.sequence > after)
            .collect();
        events.sort_by_key(|(_, event)| event.sequence);
        events.truncate(usize::try_from(read.limit).unwrap_or(usize::MAX));
        let events: Vec<_> = events
            .into_iter()
            .map(|(key, event)| FeedEvent {
                cursor: Cursor::at(event.sequence.to_string()),
                id: key.id.clone(),
                kind: event.kind,
                at: event.at,
            })
            .collect();
        let next = events.last().map_or_else(|| read.after.clone(), |event| event.cursor.clone());
        Ok(Feed { events, next })
    }

    pub(super) fn open_work(&self, company: &str, now: Instant) -> Vec<OpenWork> {
        let overdue = now.saturating_sub(OVERDUE);
        let mut work: Vec<OpenWork> = Vec::new();
        for (_, record) in self.in_order(company) {
            let Some(running) = &record.running else { continue };
            let at = work.iter().position(|open| open.action == record.action);
            let at = at.unwrap_or_else(|| {
                let action = record.action.clone();
                work.push(OpenWork {
                    action,
                    in_progress: 0,
                    oldest: None,
                    attention: 0,
                    deferred: 0,
                    handed_over: 0,
                });
                work.len() - 1
            });
            let Some(open) = work.get_mut(at) else { continue };
            let since = record.confirmed.as_ref().map(|by| by.confirmation.confirmed_at);
            open.in_progress += 1;
            open.oldest = open.oldest.into_iter().chain(since).min();
            open.attention += u64::from(self.needs_attention(record, overdue));
            open.deferred += u64::from(record.is_deferred());
            open.handed_over += u64::from(running.due.is_some());
        }
        work.sort_by(|one, other| one.action.cmp(&other.action));
        work
    }
}

/// Its place in proposal order.
pub(super) fn place(record: &Record) -> Place {
    Place(i64::try_from(record.order).unwrap_or(i64::MAX))
}

fn same(wanted: Option<&String>, is: Option<&String>) -> bool {
    wanted.is_none() || wanted == is
}

impl State {
    fn is_sought(&self, search: &Search, record: &Record) -> bool {
        let proposed = record.revisions.first().map(|first| first.issued_at);
        let before = |before: Option<Instant>| {
            before.is_none_or(|before| proposed.is_some_and(|at| at < before))
        };
        search.state.is_none_or(|state| state == record.state)
            && same(search.action.as_ref(), Some(&record.action))
            && same(search.account.as_ref(), record.owner.account.as_ref())
            && same(search.reference.as_ref(), record.reference.as_ref())
            && before(search.proposed_before)
            && search.attention_before.is_none_or(|before| self.needs_attention(record, before))
    }

    /// Whether a person has to look: it is marked so, or nobody asks or starts although the time has come.
    fn needs_attention(&self, record: &Record, before: Instant) -> bool {
        record.state == OperationState::InProgress
            && record.running.as_ref().is_some_and(|running| {
                let lives = running.life.is_some_and(|life| self.lives(life));
                let performed = running.performing && lives;
                running.attention || !performed && running.ask_after < before
            })
    }
}
