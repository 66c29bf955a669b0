//! A store under examination, with what its promises are tried on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use pap_protocol::operation::{ApprovedBy, Revision, State};
use pap_protocol::value::Instant;

use super::Opens;
pub(super) use super::answers::*;
use super::draft::{self, LIFE};
pub(super) use super::draft::{COMPANY, SECRET};
use crate::clock::{Clock, SetClock};
use crate::store::{
    Act, ActBy, ActId, AskLater, AskLaterBy, Asked, Claim, CloseProposed, Closing, Confirming, End,
    Error, Event, Finish, FinishBy, History, Keeping, Key, Known, Life, NewOperation, Note,
    NoteKind, OpenAction, Performer, ProofUse, Proposed, Purge, ReadActs, Revise, Start, Store,
    Stored, StoredRevision, TakeAskable, TakeReleases, Ticket, Waiting, WriteNote, Written,
    digest_of,
};

/// How long a proposal can be confirmed here.
pub(super) const LIFETIME: Duration = Duration::from_secs(900);
/// How long a question is somebody's.
pub(super) const LEASE: Duration = Duration::from_secs(30);
/// The action of operations.
pub(super) const ACTION: &str = "orders.exchange";

/// A fresh store on a clock that stands still, with one life.
pub(super) struct Bench {
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: SetClock,
    pub(super) life: Life,
    made: AtomicU32,
}

impl Bench {
    pub(super) async fn open(open: impl Opens) -> Self {
        let clock = SetClock::at(Instant::from_millis(1_790_000_000_000));
        let store = open(Arc::new(clock.clone())).await;
        let bench = Self { store, clock, life: LIFE, made: AtomicU32::new(0) };
        kept(bench.store.begin_life(bench.life).await);
        bench
    }

    pub(super) fn keeping(&self) -> &dyn Keeping {
        self.store.keeping()
    }

    pub(super) fn now(&self) -> Instant {
        self.clock.now()
    }

    /// A number that was not used here.
    pub(super) fn number(&self) -> u32 {
        self.made.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// A ticket that was not used here.
    pub(super) fn ticket(&self) -> Ticket {
        Ticket(sixteen(self.number()))
    }

    /// A proof that was not used here.
    pub(super) fn proof(&self) -> ProofUse {
        ProofUse {
            thumbprint: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I".to_owned(),
            jti: format!("jti-{}", self.number()),
            until: self.now().saturating_add(Duration::from_secs(600)),
            ticket: self.ticket(),
        }
    }

    /// A revision that can be confirmed from now on.
    pub(super) fn revision(&self, number: u32) -> StoredRevision {
        let made = self.number();
        let summary = format!("Exchange {SECRET} {made} for a larger one.");
        let full = format!(r#"{{"item":"{SECRET} {made}","hold":"h{made}"}}"#);
        let wire = format!(r#"{{"item":"{SECRET} {made}"}}"#);
        StoredRevision {
            number: revision(number),
            schema_version: 1,
            digest: digest_of(&summary, &full, &wire),
            full,
            wire,
            summary,
            user_approval_required: made.is_multiple_of(2),
            scopes: vec!["orders:write".to_owned(), "profile".to_owned()],
            url: Some(format!("https://example.com/exchanges/{made}")),
            expires_at: self.now().saturating_add(LIFETIME),
            issued_at: self.now(),
        }
    }

    /// A new operation of an action that nobody has open.
    pub(super) fn operation(&self) -> NewOperation {
        let made = self.number();
        let drafted = draft::operation(made, self.now());
        NewOperation {
            open: OpenAction { identity: thirty_two(made), ..drafted.open },
            request: thirty_two(made + 1_000_000),
            revision: self.revision(1),
            reference: Some(format!("order:{made}")),
            ..drafted
        }
    }

    /// An operation that waits to be confirmed.
    pub(super) async fn proposed(&self) -> NewOperation {
        let new = self.operation();
        let proposed = kept(self.store.propose(new.clone()).await);
        assert_eq!(proposed, Proposed::New, "an action that nobody has open is opened");
        new
    }

    /// The claim of revision 1.
    pub(super) fn claim_of(&self, new: &NewOperation) -> Claim {
        Claim {
            key: new.key.clone(),
            revision: Revision::FIRST,
            approved_by: ApprovedBy::User,
            by: Confirming {
                client: new.owner.client.clone(),
                key_thumbprint: "thumbprint".to_owned(),
                session: "s2".to_owned(),
                account: new.owner.account.clone(),
                digest: new.revision.digest,
            },
            performer: Some(Performer { ticket: self.ticket(), life: self.life }),
            proof: None,
        }
    }

    /// A claim of what was revised to this.
    pub(super) fn claim_of_revision(&self, new: &NewOperation, latest: &StoredRevision) -> Claim {
        let mut claim = Claim { revision: latest.number, ..self.claim_of(new) };
        claim.by.digest = latest.digest;
        claim
    }

    /// An operation in progress, and the right to perform it.
    pub(super) async fn claimed(&self) -> (Key, Ticket) {
        let new = self.proposed().await;
        let claim = self.claim_of(&new);
        let ticket = ticket_of(&claim);
        assert_done(self.store.claim(claim).await, "the latest revision can be claimed in time");
        (new.key, ticket)
    }

    /// An operation that was claimed without a performer.
    pub(super) async fn deferred(&self) -> NewOperation {
        let new = self.proposed().await;
        let claim = Claim { performer: None, ..self.claim_of(&new) };
        assert_done(self.store.claim(claim).await, "it can be claimed without a performer");
        new
    }

    /// Removes what has ended before now, and says how many that were.
    pub(super) async fn purge_all(&self) -> u32 {
        let (company, action) = (COMPANY.to_owned(), ACTION.to_owned());
        let (ended_before, after, limit, by) = (self.now(), None, u32::MAX, None);
        let purge = Purge { company, action, ended_before, after, limit, by };
        kept(self.keeping().purge(purge).await).removed
    }

    /// An operator who does something that was not done here.
    pub(super) fn by(&self) -> ActBy {
        let (who, why) = ("operator 7".to_owned(), "kept for a year".to_owned());
        ActBy { act: ActId(sixteen(self.number())), who, why }
    }

    /// What operators of a company did, all of it.
    pub(super) async fn acts_of(&self, company: &str) -> Vec<Act> {
        let read = ReadActs { company: company.to_owned(), after: 0, limit: u32::MAX };
        kept(self.keeping().acts(read).await)
    }

    /// What waits to be started.
    pub(super) async fn waiting(&self) -> Vec<Stored> {
        kept(self.store.waiting(waiting_of(COMPANY, 100)).await)
    }

    /// A new operation of another company with the same id in the same place.
    pub(super) fn of_another(&self, mine: &NewOperation) -> NewOperation {
        let mut theirs = self.operation();
        theirs.key = Key { company: "another".to_owned(), id: mine.key.id.clone() };
        theirs.open = OpenAction { company: "another".to_owned(), ..mine.open.clone() };
        theirs
    }

    /// The start of an operation, by the living process.
    pub(super) fn start_of(&self, key: &Key) -> Start {
        let performer = Performer { ticket: self.ticket(), life: self.life };
        Start { key: key.clone(), performer }
    }

    /// An operation in progress that nobody performs any more; it may be asked about now.
    pub(super) async fn left(&self) -> Key {
        let (key, ticket) = self.claimed().await;
        let later = self.later(&key, AskLaterBy::Performer(ticket), Duration::ZERO);
        assert_done(self.store.ask_later(later).await, "a performer says when to ask");
        key
    }

    /// An operation in this final state, as its performer or nobody ended it.
    pub(super) async fn ended(&self, state: State) -> (NewOperation, Ticket) {
        let new = self.proposed().await;
        let claim = self.claim_of(&new);
        let ticket = ticket_of(&claim);
        if state == State::Expired {
            self.clock.advance(LIFETIME + Duration::from_millis(1));
            assert_done(self.close(&new.key, Closing::Expired).await, "a late proposal expires");
        } else {
            assert_done(self.store.claim(claim).await, "the latest revision can be claimed");
            let finish = self.finish(&new.key, FinishBy::Performer(ticket), state);
            assert_done(self.store.finish(finish).await, "a performer finishes");
        }
        (new, ticket)
    }

    pub(super) async fn close(&self, key: &Key, closing: Closing) -> Result<Written, Error> {
        let summary = format!("Nothing was changed about the {SECRET}.");
        let close = CloseProposed { key: key.clone(), closing, summary, proof: None };
        self.store.close_proposed(close).await
    }

    /// A finish that tells no changes.
    pub(super) fn finish(&self, key: &Key, by: FinishBy, state: State) -> Finish {
        let summary = format!("The {SECRET} ships today ({}).", self.number());
        let end = End { state, summary, data: Some(format!(r#"{{"item":"{SECRET}"}}"#)) };
        Finish { key: key.clone(), by, end, changes_seen: 0, carried: Vec::new() }
    }

    pub(super) fn later(&self, key: &Key, by: AskLaterBy, after: Duration) -> AskLater {
        AskLater {
            key: key.clone(),
            by,
            ask_after: self.now().saturating_add(after),
            due: None,
            attention: false,
            why: "the warehouse did not answer".to_owned(),
        }
    }

    pub(super) async fn note(&self, key: &Key, ticket: Ticket, note: NoteKind) -> Written {
        let write = WriteNote { key: key.clone(), ticket, note };
        kept(self.store.write_note(write).await)
    }

    pub(super) async fn revise(&self, key: &Key, revision: StoredRevision) -> Written {
        kept(self.store.revise(Revise { key: key.clone(), revision, request: None }).await)
    }

    /// Takes up to ten questions.
    pub(super) async fn take(&self) -> Vec<Asked> {
        self.take_up_to(10).await
    }

    pub(super) async fn take_up_to(&self, limit: u32) -> Vec<Asked> {
        kept(self.store.take_askable(taking(COMPANY, limit)).await)
    }

    pub(super) async fn read(&self, key: &Key) -> Stored {
        there(kept(self.store.read(key).await), key)
    }

    pub(super) async fn history(&self, key: &Key) -> History {
        there(kept(self.store.history(key).await), key)
    }

    pub(super) async fn events(&self, key: &Key) -> Vec<Event> {
        self.history(key).await.events
    }

    pub(super) async fn notes(&self, key: &Key) -> Vec<Note> {
        self.history(key).await.notes
    }

    /// What is on record, without the moment of reading.
    pub(super) async fn on_record(&self, key: &Key) -> History {
        let mut history = self.history(key).await;
        history.stored.now = Instant::from_millis(0);
        history
    }
}

/// The ticket of a claim that names its performer.
#[track_caller]
pub(super) fn ticket_of(claim: &Claim) -> Ticket {
    match claim.performer {
        Some(performer) => performer.ticket,
        None => panic!("the claim names its performer"),
    }
}

/// The action of every operation here, in its first version.
pub(super) fn known() -> Vec<Known> {
    vec![Known { action: ACTION.to_owned(), versions: vec![1] }]
}

/// Of a company that knows all that is here.
pub(super) fn taking(company: &str, limit: u32) -> TakeAskable {
    TakeAskable { company: company.to_owned(), limit, lease: LEASE, known: known() }
}

/// The same for what waits to be started.
pub(super) fn waiting_of(company: &str, limit: u32) -> Waiting {
    Waiting { company: company.to_owned(), limit, known: known() }
}

/// The same for releases.
pub(super) fn releases_of(company: &str, limit: u32) -> TakeReleases {
    TakeReleases { company: company.to_owned(), limit, lease: LEASE, known: known() }
}

/// A change in the User's words.
pub(super) fn change(text: &str) -> NoteKind {
    NoteKind::Change(format!("{text} the {SECRET}"))
}

/// A checkpoint.
pub(super) fn checkpoint(name: &str) -> NoteKind {
    NoteKind::Checkpoint { name: name.to_owned(), value: format!(r#""{SECRET}""#) }
}
