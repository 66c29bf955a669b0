//! How long operations are kept, and what is blanked before.

use pap_protocol::value::Instant;

use super::record::Record;
use super::search::place;
use super::state::State;
use crate::store::guard::{can_be, is_sound};
use crate::store::{
    Erase, Erased, Erasure, Error, EventKind, Key, NoteKind, Purge, Purged, StoredRevision, detail,
    salted,
};

impl State {
    pub(super) fn purge(&mut self, purge: &Purge) -> Purged {
        let limit = usize::try_from(purge.limit).unwrap_or(usize::MAX);
        let mut looked_at: Vec<_> = self
            .in_order(&purge.company)
            .into_iter()
            .filter(|(_, record)| record.action == purge.action)
            .filter(|(_, record)| purge.after.is_none_or(|after| place(record) > after))
            .take(limit.saturating_add(1))
            .collect();
        let more = looked_at.len() > limit;
        looked_at.truncate(limit);
        let next = looked_at.last().filter(|_| more).map(|(_, record)| place(record));
        let over = looked_at.into_iter().filter(|(key, record)| {
            let ended = record.result.as_ref().is_some_and(|result| result.at < purge.ended_before);
            ended && !self.releases.iter().any(|release| release.key == **key)
        });
        let over: Vec<Key> = over.map(|(key, _)| key.clone()).collect();
        for key in &over {
            self.remove(key);
        }
        Purged { removed: u32::try_from(over.len()).unwrap_or(u32::MAX), next }
    }

    pub(super) fn erase(&mut self, erase: &Erase, now: Instant) -> Result<Erased, Error> {
        let of_account: Vec<_> = self
            .in_order(&erase.company)
            .into_iter()
            .filter(|(_, record)| record.owner.account.as_ref() == Some(&erase.account))
            .map(|(key, record)| {
                let telling = self.releases.iter().any(|release| release.key == *key);
                (key.clone(), record.state.is_final() && !telling)
            })
            .collect();
        let (over, open): (Vec<_>, Vec<_>) = of_account.into_iter().partition(|(_, over)| *over);
        let limit = usize::try_from(erase.limit).unwrap_or(usize::MAX);
        let more = over.len() > limit;
        let mut erased = 0;
        for (key, _) in over.into_iter().take(limit) {
            let mut salt = [0; 32];
            getrandom::fill(&mut salt).map_err(|error| {
                Error::not_written("the system gave no random bytes").from_source(error)
            })?;
            if let Some(record) = self.record_mut(&key) {
                blank(record, Erasure { at: now, salt });
                self.event(&key, EventKind::Erased, now, detail::ERASED);
                erased += 1;
            }
        }
        Ok(Erased { erased, open: u32::try_from(open.len()).unwrap_or(u32::MAX), more })
    }

    pub(super) fn verify(&self, company: &str) -> Vec<String> {
        self.in_order(company)
            .into_iter()
            .flat_map(|(key, record)| {
                broken(record).map(move |what| format!("`{}`: {what}", key.id))
            })
            .collect()
    }
}

fn blank(record: &mut Record, erasure: Erasure) {
    record.owner.user.clear();
    record.owner.account = None;
    record.owner.session.clear();
    record.reference = None;
    for revision in &mut record.revisions {
        let digest = salted(&erasure.salt, &revision.digest);
        let blank = || String::new();
        *revision = StoredRevision {
            full: blank(),
            wire: blank(),
            summary: blank(),
            url: None,
            digest,
            ..revision.clone()
        };
    }
    if let Some(confirmed) = &mut record.confirmed {
        confirmed.by.session.clear();
        confirmed.by.account = None;
        confirmed.by.key_thumbprint.clear();
        confirmed.by.digest = salted(&erasure.salt, &confirmed.by.digest);
    }
    if let Some(result) = &mut record.result {
        result.summary.clear();
        result.data = None;
    }
    for note in &mut record.notes {
        match &mut note.note {
            NoteKind::Change(text) => text.clear(),
            NoteKind::Checkpoint { value, .. } => value.clear(),
        }
    }
    for event in &mut record.events {
        detail::ERASED.clone_into(&mut event.detail);
    }
    record.erased = Some(erasure);
}

/// What does not fit together in one record.
fn broken(record: &Record) -> impl Iterator<Item = &'static str> {
    let state = can_be(record.state, record.confirmed.is_some());
    let words = record.erased.is_some() || record.revisions.iter().all(is_sound);
    let running =
        record.running.is_some() == (record.state == pap_protocol::operation::State::InProgress);
    let result = record.result.is_some() == record.state.is_final();
    [
        (state, "its state does not follow from its confirmation"),
        (words, "the digest of a revision is not that of its words"),
        (running, "it is on the list of open work and not in progress, or the other way round"),
        (result, "it has a result and is not final, or the other way round"),
    ]
    .into_iter()
    .filter(|(holds, _)| !holds)
    .map(|(_, what)| what)
}
