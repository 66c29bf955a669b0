//! Proposals as they were last read here, so that confirming one asks the store once and not twice.
//!
//! What is remembered is a guess and decides nothing: a claim states revision and digest again, and a store that
//! holds anything else refuses it. Then, and wherever a guess would come to anything but a claim, the store is read.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashlink::LinkedHashMap;
use pap_protocol::operation::{OperationId, Revision, State};

use crate::store::{Stored, StoredRevision};

/// What is remembered takes no more, in bytes: some thousand proposals, however many are stored.
const ROOM: usize = 16 * 1024 * 1024;

/// What one takes beside its texts.
const BESIDE: usize = size_of::<Stored>() + 512;

/// The proposals of one company that are remembered, those that were read longest ago first.
#[derive(Debug, Default)]
pub(crate) struct Offered(Mutex<Remembered>);

#[derive(Debug, Default)]
struct Remembered {
    proposals: LinkedHashMap<OperationId, Stored>,
    bytes: usize,
}

/// What somebody wants to claim.
pub(crate) struct ToClaim {
    pub(crate) stored: Stored,
    /// It is what was read before, and nothing but the store has to be asked.
    pub(crate) by_heart: bool,
}

impl Offered {
    /// Remembers a proposal as it was just read, if it can be claimed without asking anybody else.
    pub(crate) fn remember(&self, read: &Stored, is_claimable: impl FnOnce() -> bool) {
        // polled again and again, it is looked at once
        let is_new = || self.lock().number(&read.key.id) != Some(read.latest.number);
        if read.state == State::Proposed && is_new() && is_claimable() {
            self.lock().put(read.clone());
        }
    }

    /// Takes what is remembered: a second confirm reads for itself.
    pub(crate) fn take(&self, id: &OperationId) -> Option<Stored> {
        self.lock().take(id)
    }

    fn lock(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Remembered {
    fn number(&self, id: &OperationId) -> Option<Revision> {
        self.proposals.get(id).map(|known| known.latest.number)
    }

    fn put(&mut self, read: Stored) {
        drop(self.take(&read.key.id));
        self.bytes = self.bytes.saturating_add(takes(&read));
        self.proposals.insert(read.key.id.clone(), read);
        while self.bytes > ROOM
            && let Some((_, oldest)) = self.proposals.pop_front()
        {
            self.bytes = self.bytes.saturating_sub(takes(&oldest));
        }
    }

    fn take(&mut self, id: &OperationId) -> Option<Stored> {
        let taken = self.proposals.remove(id)?;
        self.bytes = self.bytes.saturating_sub(takes(&taken));
        Some(taken)
    }
}

/// How much memory it takes, in bytes.
fn takes(stored: &Stored) -> usize {
    let StoredRevision { full, wire, summary, scopes, url, .. } = &stored.latest;
    let owner = &stored.owner;
    let texts = [full, wire, summary, &stored.action, &owner.client, &owner.user, &owner.session];
    let if_any = [url, &owner.account, &stored.reference];
    let texts = texts.into_iter().chain(if_any.into_iter().flatten()).chain(scopes);
    texts.fold(BESIDE, |sum, text| sum.saturating_add(text.len()))
}

#[cfg(test)]
mod tests {
    use pap_protocol::value::Instant;

    use super::*;
    use crate::store::{Key, Owner};

    fn proposal(number: usize, length: usize) -> Stored {
        let id = format!("exc_{number:016}").parse().unwrap();
        let text = "x".repeat(length);
        let latest = StoredRevision {
            number: Revision::FIRST,
            schema_version: 1,
            full: text,
            wire: "{}".to_owned(),
            summary: "Said.".to_owned(),
            digest: [0; 32],
            user_approval_required: false,
            scopes: Vec::new(),
            url: None,
            expires_at: Instant::from_millis(1),
            issued_at: Instant::from_millis(0),
        };
        let owner = Owner {
            client: "juniper".to_owned(),
            user: "ada".to_owned(),
            account: None,
            session: "ses_1".to_owned(),
        };
        Stored {
            key: Key { company: "c".to_owned(), id },
            action: "a".to_owned(),
            owner,
            state: State::Proposed,
            latest,
            confirmed: None,
            result: None,
            running: None,
            reference: None,
            erased: None,
            now: Instant::from_millis(0),
        }
    }

    fn held(offered: &Offered) -> (usize, usize) {
        let remembered = offered.lock();
        (remembered.proposals.len(), remembered.bytes)
    }

    #[test]
    fn however_many_are_read_they_take_no_more_than_their_room() {
        let offered = Offered::default();
        for number in 0..100 {
            offered.remember(&proposal(number, ROOM / 10), || true);
            assert!(held(&offered).1 <= ROOM);
        }
        assert_eq!(held(&offered).0, 9, "those that were read last");
        assert!(offered.take(&proposal(0, 0).key.id).is_none());
        assert!(offered.take(&proposal(99, 0).key.id).is_some());
        for number in 0..100 {
            drop(offered.take(&proposal(number, 0).key.id));
        }
        assert_eq!(held(&offered), (0, 0), "what is taken out takes nothing");
    }

    #[test]
    fn only_what_is_proposed_and_can_be_claimed_is_remembered_and_once() {
        let offered = Offered::default();
        let read = proposal(1, 10);
        offered.remember(&Stored { state: State::InProgress, ..read.clone() }, || true);
        offered.remember(&read, || false);
        assert_eq!(held(&offered), (0, 0));
        offered.remember(&read, || true);
        let once = held(&offered);
        offered.remember(&read, || panic!("it is looked at once"));
        assert_eq!(held(&offered), once);
        let mut revised = read.clone();
        revised.latest.number = Revision::try_from(2).unwrap();
        offered.remember(&revised, || true);
        assert_eq!(offered.take(&read.key.id), Some(revised), "as it was read last");
        assert!(offered.take(&read.key.id).is_none(), "for one confirm");
    }
}
