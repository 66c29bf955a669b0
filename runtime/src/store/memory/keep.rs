//! How long operations are kept, and what is blanked before.

use pap_protocol::value::Instant;

use super::record::Record;
use super::search::place;
use super::state::State;
use crate::store::invariants::{Acted, broken};
use crate::store::{
    ActKind, Count, CountOf, Counted, Erase, Erased, Erasure, Error, EventKind, Key, NoteKind,
    Purge, Purged, ReadActs, StoredRevision, detail, random, salted,
};

impl State {
    pub(super) fn purge(&mut self, purge: &Purge, now: Instant) -> Purged {
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
        let over = looked_at
            .into_iter()
            .filter(|(key, record)| ended(record, purge.ended_before) && self.is_over(key, record));
        let over: Vec<Key> = over.map(|(key, _)| key.clone()).collect();
        for key in &over {
            self.remove(key);
        }
        let removed = u32::try_from(over.len()).unwrap_or(u32::MAX);
        if let Some(by) = &purge.by {
            let what = (ActKind::Purge, Some(&purge.action));
            self.acted_on(&purge.company, what, (by, removed), now);
        }
        Purged { removed, next }
    }

    pub(super) fn erase(&mut self, erase: &Erase, now: Instant) -> Result<Erased, Error> {
        let of_account: Vec<_> = self
            .in_order(&erase.company)
            .into_iter()
            .filter(|(_, record)| record.owner.account.as_ref() == Some(&erase.account))
            .map(|(key, record)| (key.clone(), self.is_over(key, record)))
            .collect();
        let (over, open): (Vec<_>, Vec<_>) = of_account.into_iter().partition(|(_, over)| *over);
        let limit = usize::try_from(erase.limit).unwrap_or(usize::MAX);
        let more = over.len() > limit;
        let mut erased = 0;
        for (key, _) in over.into_iter().take(limit) {
            let salt = random::bytes()?;
            if let Some(record) = self.record_mut(&key) {
                blank(record, Erasure { at: now, salt });
                self.event(&key, EventKind::Erased, now, detail::ERASED);
                erased += 1;
            }
        }
        self.acted_on(&erase.company, (ActKind::Erase, None), (&erase.by, erased), now);
        Ok(Erased { erased, open: u32::try_from(open.len()).unwrap_or(u32::MAX), more })
    }

    pub(super) fn count(&self, count: &Count) -> Counted {
        let mut counted = Counted::default();
        for (key, record) in self.in_order(&count.company) {
            let (is_sought, would_go) = match &count.of {
                CountOf::Purge { action, ended_before } => {
                    (record.action == *action, ended(record, *ended_before))
                }
                CountOf::Erase { account } => {
                    (record.owner.account.as_ref() == Some(account), true)
                }
            };
            let is_over = self.is_over(key, record);
            counted.would += u32::from(is_sought && would_go && is_over);
            counted.open += u32::from(is_sought && !is_over);
        }
        counted
    }

    /// Whether it is final and nothing is left to tell of it.
    fn is_over(&self, key: &Key, record: &Record) -> bool {
        record.state.is_final() && !self.releases.iter().any(|release| release.key == *key)
    }

    pub(super) fn verify(&self, company: &str, now: Instant) -> Vec<String> {
        let mut wrong = self.acts_beside(company).broken();
        let of_each = self.in_order(company).into_iter().flat_map(|(key, record)| {
            let mut lines = self.history(key, now).map_or_else(Vec::new, |all| broken(&all));
            let has_place = self.opened(&record.place).is_some_and(|opened| opened.key == *key);
            if has_place == record.state.is_final() {
                lines.push(
                    "it has a place among the open actions and is final, or the other way round",
                );
            }
            lines.into_iter().map(move |what| format!("`{}`: {what}", key.id))
        });
        wrong.extend(of_each);
        wrong
    }

    /// What operators did, beside what is there of it.
    fn acts_beside(&self, company: &str) -> Acted {
        let count = |many: usize| u64::try_from(many).unwrap_or(u64::MAX);
        let of_ours = self.in_order(company);
        let blanked = of_ours.iter().filter(|(_, record)| record.erased.is_some()).count();
        let all = ReadActs { company: company.to_owned(), after: 0, limit: u32::MAX };
        Acted {
            blanked: count(blanked),
            pauses: self.pauses_of(company),
            acts: self.acts_of(&all),
            removed: count(self.removed_of(company)),
        }
    }
}

fn ended(record: &Record, before: Instant) -> bool {
    record.result.as_ref().is_some_and(|result| result.at < before)
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
            scopes: Vec::new(),
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

#[cfg(test)]
mod tests {
    use pap_protocol::operation::State as OperationState;

    use super::*;
    use crate::store::memory::Memory;
    use crate::store::{NewOperation, OpenAction, Owner, digest_of};

    fn proposed(now: Instant) -> NewOperation {
        let company = "c".to_owned();
        NewOperation {
            key: Key { company: company.clone(), id: "op_1".parse().unwrap() },
            owner: Owner {
                client: "a".to_owned(),
                user: "u".to_owned(),
                account: None,
                session: "s".to_owned(),
            },
            open: OpenAction {
                company,
                owners: vec!["s:u s".to_owned()],
                action: "x".to_owned(),
                identity: [1; 32],
            },
            request: [1; 32],
            revision: StoredRevision {
                number: pap_protocol::operation::Revision::FIRST,
                schema_version: 1,
                full: "{}".to_owned(),
                wire: "{}".to_owned(),
                summary: "Do it.".to_owned(),
                digest: digest_of("Do it.", "{}", "{}"),
                user_approval_required: false,
                scopes: Vec::new(),
                url: None,
                expires_at: now,
                issued_at: now,
            },
            reference: None,
            tells_release: false,
        }
    }

    fn said(damage: impl FnOnce(&mut State, &Key)) -> Vec<String> {
        let memory = Memory::new();
        memory.with(|state, now| {
            let new = proposed(now);
            let key = new.key.clone();
            assert!(state.propose(new, now).is_ok());
            assert!(state.verify(&key.company, now).is_empty(), "it is healthy");
            damage(state, &key);
            state.verify(&key.company, now)
        })
    }

    #[test]
    fn what_does_not_fit_together_is_said() {
        let lines = said(|state, key| {
            let Some(record) = state.record_mut(key) else { return };
            record.state = OperationState::InProgress;
        });
        assert!(lines.len() >= 2, "{lines:?}");
        assert!(lines.iter().all(|line| line.starts_with("`op_1`: ")), "{lines:?}");
        let lines = said(|state, key| {
            let Some(record) = state.record_mut(key) else { return };
            if let Some(revision) = record.revisions.first_mut() {
                revision.summary.push('!');
            }
        });
        assert_eq!(lines, ["`op_1`: the digest of a revision is not that of its words"]);
        let lines = said(|state, key| {
            let Some(place) = state.record(key).map(|record| record.place.clone()) else { return };
            state.vacate(&place);
        });
        assert_eq!(lines.len(), 1, "{lines:?}");
    }
}
