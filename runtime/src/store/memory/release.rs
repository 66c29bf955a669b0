//! What hangs on proposals: their expiry, and the releases that the company is told of.

use pap_protocol::operation::Revision;
use pap_protocol::value::Instant;

use super::state::{State, ToRelease};
use crate::store::{
    ActKind, Closing, EXPIRED, EndRelease, EventKind, Key, Known, Pause, PauseOf, Paused, Release,
    ReleaseWhy, Resume, TakeReleases, TakenReleases, detail,
};

impl State {
    pub(super) fn expire_due(&mut self, company: &str, limit: u32, now: Instant) -> u32 {
        let mut due: Vec<_> = self
            .records()
            .filter(|(key, record)| key.company == company && record.has_expired(now))
            .map(|(key, record)| (record.order, key.clone()))
            .collect();
        due.sort_by_key(|(order, _)| *order);
        let mut expired = 0;
        for (_, key) in due.into_iter().take(usize::try_from(limit).unwrap_or(usize::MAX)) {
            if self.end_proposed(&key, Closing::Expired, EXPIRED.to_owned(), now) {
                expired += 1;
            }
        }
        expired
    }

    /// Puts it on the list of what is to be released, if the company wants to be told.
    pub(super) fn will_release(
        &mut self,
        key: &Key,
        revision: Option<Revision>,
        why: ReleaseWhy,
        now: Instant,
    ) {
        let tells = self.record(key).is_some_and(|record| record.tells_release);
        if let Some(revision) = revision.filter(|_| tells) {
            let key = key.clone();
            self.releases.push(ToRelease { key, revision, why, try_after: now, tries: 0 });
        }
    }

    pub(super) fn take_releases(&mut self, take: &TakeReleases, now: Instant) -> TakenReleases {
        let mut due: Vec<_> = self
            .releases
            .iter()
            .enumerate()
            .filter(|(_, release)| release.key.company == take.company && release.try_after <= now)
            .filter(|(_, release)| self.can_be_told(release, &take.known))
            .map(|(at, release)| (release.try_after, at))
            .collect();
        due.sort_unstable();
        let limit = usize::try_from(take.limit).unwrap_or(usize::MAX);
        let mut taken = Vec::new();
        for (_, at) in due.into_iter().take(limit) {
            let Some(release) = self.releases.get_mut(at) else { continue };
            release.tries = release.tries.saturating_add(1);
            release.try_after = now.saturating_add(take.lease);
            taken.push((release.key.clone(), release.revision, release.why, release.tries));
        }
        let more = taken.len() == limit;
        let told = taken.into_iter().filter_map(|(key, number, why, tries)| {
            let record = self.record(&key)?;
            let revision = record.revisions.iter().find(|revision| revision.number == number)?;
            Some(Release {
                stored: record.stored(&key, now)?,
                revision: revision.clone(),
                why,
                tries,
            })
        });
        TakenReleases { releases: told.collect(), more }
    }

    fn can_be_told(&self, release: &ToRelease, known: &[Known]) -> bool {
        let Some(record) = self.record(&release.key) else { return false };
        let revision = record.revisions.iter().find(|other| other.number == release.revision);
        known.iter().any(|known| {
            known.action == record.action
                && revision
                    .is_some_and(|revision| known.versions.contains(&revision.schema_version))
        })
    }

    pub(super) fn end_release(&mut self, end: &EndRelease, now: Instant) {
        let this = |release: &ToRelease| release.key == end.key && release.revision == end.revision;
        let Some(at) = self.releases.iter().position(this) else { return };
        if let Some(again) = end.again_after {
            if let Some(release) = self.releases.get_mut(at) {
                release.try_after = again.at_utc();
            }
            return;
        }
        let release = self.releases.remove(at);
        self.event(&end.key, EventKind::Released, now, detail::released(release.revision));
    }

    pub(super) fn pause(&mut self, pause: Pause, now: Instant) {
        let Pause { company, action, of, who, why } = pause;
        let there = self
            .pauses
            .iter()
            .any(|(other, paused)| *other == company && paused.action == action && paused.of == of);
        if !there {
            let what = (ActKind::Pause(of), action.as_ref());
            self.acted(&company, what, (&who, &why), now);
            self.pauses.push((company, Paused { action, of, since: now, who, why }));
        }
    }

    pub(super) fn resume(&mut self, resume: Resume, now: Instant) -> bool {
        let Resume { company, action, of, who, why } = resume;
        let before = self.pauses.len();
        self.pauses.retain(|(other, paused)| {
            *other != company || paused.action != action || paused.of != of
        });
        let ended = self.pauses.len() < before;
        if ended {
            let what = (ActKind::Resume(of), action.as_ref());
            self.acted(&company, what, (&who, &why), now);
        }
        ended
    }

    pub(super) fn pauses_of(&self, company: &str) -> Vec<Paused> {
        let pauses = self.pauses.iter().filter(|(other, _)| other == company);
        pauses.map(|(_, paused)| paused.clone()).collect()
    }

    /// Whether this is held back.
    pub(super) fn is_paused(&self, company: &str, action: &str, of: PauseOf) -> bool {
        self.pauses.iter().any(|(other, paused)| {
            other == company
                && paused.of == of
                && paused.action.as_deref().is_none_or(|paused| paused == action)
        })
    }
}
