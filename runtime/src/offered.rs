//! Proposals as they were last read here, so that confirming one asks the store once and not twice.
//!
//! What is remembered is a guess and decides nothing: a claim states revision and digest again, and a store that
//! holds anything else refuses it. Then, and wherever a guess would come to anything but a claim, the store is read.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashlink::LinkedHashMap;
use pap_protocol::operation::{OperationId, Revision, State};
use pap_protocol::value::Instant;

use crate::store::{Key, Owner, Stored, StoredRevision};

/// What is remembered takes no more, in bytes: some thousand proposals, however many are stored.
const ROOM: usize = 16 * 1024 * 1024;

/// What one takes beside its texts.
const BESIDE: usize = size_of::<Kept>() + 256;

/// The proposals of one company that are remembered, those that were read longest ago first.
#[derive(Default)]
pub(crate) struct Offered(Mutex<Remembered>);

#[derive(Default)]
struct Remembered {
    proposals: LinkedHashMap<OperationId, Kept>,
    bytes: usize,
}

/// A proposal as it is remembered. Its texts are one piece of memory, so that a confirm lets go of one that nothing
/// has touched for long, and not of one for each text.
struct Kept {
    number: Revision,
    schema_version: u32,
    digest: [u8; 32],
    user_approval_required: bool,
    expires_at: Instant,
    issued_at: Instant,
    /// Each with its length in front.
    texts: Box<[u8]>,
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
            self.lock().put(read.key.id.clone(), Kept::of(read));
        }
    }

    /// Takes what is remembered, as read now: a second confirm reads for itself.
    pub(crate) fn take(&self, key: Key, now: Instant) -> Option<Stored> {
        let kept = self.lock().take(&key.id)?;
        // what cannot be told is read from the store
        kept.stored(key, now).ok()
    }

    fn lock(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Remembered {
    fn number(&self, id: &OperationId) -> Option<Revision> {
        self.proposals.get(id).map(|known| known.number)
    }

    fn put(&mut self, id: OperationId, read: Kept) {
        drop(self.take(&id));
        self.bytes = self.bytes.saturating_add(read.takes());
        self.proposals.insert(id, read);
        while self.bytes > ROOM
            && let Some((_, oldest)) = self.proposals.pop_front()
        {
            self.bytes = self.bytes.saturating_sub(oldest.takes());
        }
    }

    fn take(&mut self, id: &OperationId) -> Option<Kept> {
        let taken = self.proposals.remove(id)?;
        self.bytes = self.bytes.saturating_sub(taken.takes());
        Some(taken)
    }
}

impl Kept {
    /// A proposal that may be remembered: what such a one has not is not kept.
    fn of(read: &Stored) -> Self {
        let Stored { action, owner, latest, reference, .. } = read;
        let Owner { client, user, account, session } = owner;
        let StoredRevision {
            number,
            schema_version,
            full,
            wire,
            summary,
            digest,
            user_approval_required,
            scopes,
            url,
            expires_at,
            issued_at,
        } = latest;
        let texts = [action, client, user, session, full, wire, summary].map(Some);
        let if_any = [account, url, reference].map(Option::as_ref);
        let texts = || texts.into_iter().chain(if_any).chain(scopes.iter().map(Some));
        let length = |text: Option<&String>| size_of::<usize>() + text.map_or(0, String::len);
        let mut packed = Vec::with_capacity(texts().map(length).sum());
        for text in texts() {
            packed.extend_from_slice(&text.map_or(NONE, String::len).to_ne_bytes());
            packed.extend_from_slice(text.map_or(b"", |text| text.as_bytes()));
        }
        Self {
            number: *number,
            schema_version: *schema_version,
            digest: *digest,
            user_approval_required: *user_approval_required,
            expires_at: *expires_at,
            issued_at: *issued_at,
            texts: packed.into_boxed_slice(),
        }
    }

    /// The same as it was read.
    fn stored(&self, key: Key, now: Instant) -> Result<Stored, Torn> {
        let mut texts = Texts(&self.texts);
        let [action, client, user, session, full, wire, summary] = texts.take()?;
        let [account, url, reference] = texts.take_if_any()?;
        let mut scopes = Vec::new();
        while !texts.0.is_empty() {
            let [scope] = texts.take()?;
            scopes.push(scope);
        }
        let latest = StoredRevision {
            number: self.number,
            schema_version: self.schema_version,
            full,
            wire,
            summary,
            digest: self.digest,
            user_approval_required: self.user_approval_required,
            scopes,
            url,
            expires_at: self.expires_at,
            issued_at: self.issued_at,
        };
        Ok(Stored {
            key,
            action,
            owner: Owner { client, user, account, session },
            state: State::Proposed,
            latest,
            confirmed: None,
            result: None,
            running: None,
            reference,
            erased: None,
            now,
        })
    }

    /// How much memory it takes, in bytes.
    fn takes(&self) -> usize {
        BESIDE.saturating_add(self.texts.len())
    }
}

/// The length of a text that there is not.
const NONE: usize = usize::MAX;

/// The texts that are left of a proposal.
struct Texts<'a>(&'a [u8]);

/// The bytes are not what was packed.
struct Torn;

impl Texts<'_> {
    fn next(&mut self) -> Result<Option<String>, Torn> {
        let (length, rest) = self.0.split_first_chunk().ok_or(Torn)?;
        let length = usize::from_ne_bytes(*length);
        if length == NONE {
            self.0 = rest;
            return Ok(None);
        }
        let (text, rest) = rest.split_at_checked(length).ok_or(Torn)?;
        self.0 = rest;
        Ok(Some(std::str::from_utf8(text).map_err(|_not_text| Torn)?.to_owned()))
    }

    fn take_if_any<const N: usize>(&mut self) -> Result<[Option<String>; N], Torn> {
        let mut all = [const { None }; N];
        for text in &mut all {
            *text = self.next()?;
        }
        Ok(all)
    }

    fn take<const N: usize>(&mut self) -> Result<[String; N], Torn> {
        let mut all = [const { String::new() }; N];
        for text in &mut all {
            *text = self.next()?.ok_or(Torn)?;
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn take(offered: &Offered, of: &Stored) -> Option<Stored> {
        offered.take(of.key.clone(), of.now)
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
        assert!(take(&offered, &proposal(0, 0)).is_none());
        assert!(take(&offered, &proposal(99, 0)).is_some());
        for number in 0..100 {
            drop(take(&offered, &proposal(number, 0)));
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
        assert_eq!(take(&offered, &read), Some(revised), "as it was read last");
        assert!(take(&offered, &read).is_none(), "for one confirm");
    }

    #[test]
    fn a_proposal_is_remembered_as_it_was_read() {
        let bare = proposal(1, 0);
        let mut whole = proposal(2, 70_000);
        whole.latest.scopes = vec!["orders:write".to_owned(), String::new(), "ø".to_owned()];
        whole.latest.url = Some("https://shop.example/exchanges/2".to_owned());
        whole.latest.digest = [7; 32];
        whole.latest.user_approval_required = true;
        whole.latest.schema_version = 3;
        whole.owner.account = Some("acc_ada".to_owned());
        whole.reference = Some(String::new());
        let offered = Offered::default();
        for read in [bare, whole] {
            offered.remember(&read, || true);
            assert_eq!(take(&offered, &read), Some(read), "nothing is lost and nothing is added");
        }
    }
}
