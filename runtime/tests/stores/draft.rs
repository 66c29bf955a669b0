//! What the tests put into a store.

use std::time::Duration;

use pap_protocol::operation::{ApprovedBy, Revision, State};
use pap_runtime::clock::{Clock, SetClock};
use pap_runtime::store::{
    AskLater, AskLaterBy, Claim, Confirming, End, Finish, FinishBy, Key, Known, Life, NewOperation,
    OpenAction, Owner, Performer, Proposed, Store, StoredRevision, TakeAskable, Ticket, Written,
    digest_of,
};
use pap_runtime::value::Instant;

/// Part of every word and term that is stored: no error may tell it.
pub const SECRET: &str = "jacket";
pub const COMPANY: &str = "outfitters";
pub const LIFE: Life = Life([1; 16]);

/// Noon of some day.
pub fn noon() -> SetClock {
    SetClock::at(Instant::from_millis(1_790_000_000_000))
}

pub fn key(number: u32) -> Key {
    Key { company: COMPANY.to_owned(), id: format!("exc_{number}").parse().unwrap() }
}

pub fn ticket(number: u32) -> Ticket {
    Ticket(u128::from(number).to_be_bytes())
}

pub fn revision(number: u32, now: Instant) -> StoredRevision {
    let summary = format!("Exchange the {SECRET} for another, take {number}.");
    let full = format!(r#"{{"item":"{SECRET}","take":{number},"hold":1}}"#);
    let wire = format!(r#"{{"item":"{SECRET}","take":{number}}}"#);
    StoredRevision {
        number: Revision::try_from(number).unwrap(),
        schema_version: 1,
        digest: digest_of(&summary, &full, &wire),
        full,
        wire,
        summary,
        user_approval_required: false,
        scopes: vec!["orders:write".to_owned()],
        url: None,
        expires_at: now.saturating_add(Duration::from_secs(900)),
        issued_at: now,
    }
}

/// Operation `number`, in a place of its own.
pub fn operation(number: u32, now: Instant) -> NewOperation {
    operation_in(number, number, now)
}

/// Operation `number`, in this place among the open actions.
pub fn operation_in(number: u32, place: u32, now: Instant) -> NewOperation {
    let mut identity = [0; 32];
    identity[..4].copy_from_slice(&place.to_be_bytes());
    NewOperation {
        key: key(number),
        owner: Owner {
            client: "https://agent.example/client.json".to_owned(),
            user: "u1".to_owned(),
            account: Some("acct".to_owned()),
            session: "s1".to_owned(),
        },
        open: OpenAction {
            company: COMPANY.to_owned(),
            owners: vec!["a:agent u1 acct".to_owned(), "s:agent u1 s1".to_owned()],
            action: "orders.exchange".to_owned(),
            identity,
        },
        request: identity,
        revision: revision(1, now),
        reference: None,
        tells_release: false,
    }
}

pub fn claim(number: u32, with: Ticket) -> Claim {
    Claim {
        key: key(number),
        revision: Revision::FIRST,
        approved_by: ApprovedBy::User,
        by: Confirming {
            client: "https://agent.example/client.json".to_owned(),
            key_thumbprint: "thumbprint".to_owned(),
            session: "s1".to_owned(),
            account: Some("acct".to_owned()),
            digest: revision(1, Instant::from_millis(0)).digest,
        },
        performer: Some(Performer { ticket: with, life: LIFE }),
        proof: None,
    }
}

pub fn finish(number: u32, by: FinishBy, state: State) -> Finish {
    let summary = format!("The {SECRET} ships today.");
    let end = End { state, summary, data: Some(format!(r#"{{"item":"{SECRET}"}}"#)) };
    Finish { key: key(number), by, end, changes_seen: 0, carried: Vec::new() }
}

pub fn ask_now(number: u32, with: Ticket, now: Instant) -> AskLater {
    AskLater {
        key: key(number),
        by: AskLaterBy::Performer(with),
        ask_after: now,
        due: None,
        attention: false,
        why: "nobody knows".to_owned(),
    }
}

pub fn take() -> TakeAskable {
    let known = vec![Known { action: "orders.exchange".to_owned(), versions: vec![1] }];
    let lease = Duration::from_secs(30);
    TakeAskable { company: COMPANY.to_owned(), limit: 100, lease, known }
}

pub fn done(written: &Written) -> bool {
    matches!(written, Written::Done(_))
}

/// Puts an operation on record whose place is free.
pub async fn propose(store: &dyn Store, new: NewOperation) {
    assert_eq!(store.propose(new).await.unwrap(), Proposed::New);
}

/// Operations 1 to 4: proposed, in progress, succeeded, expired.
pub async fn one_of_each(store: &dyn Store, clock: &SetClock) {
    store.begin_life(LIFE).await.unwrap();
    assert!(clock.now() <= store.clock().now());
    for number in 1..=4 {
        propose(store, operation(number, clock.now())).await;
    }
    for number in 2..=3 {
        assert!(done(&store.claim(claim(number, ticket(number))).await.unwrap()));
    }
    let end = finish(3, FinishBy::Performer(ticket(3)), State::Succeeded);
    assert!(done(&store.finish(end).await.unwrap()));
    clock.advance(Duration::from_secs(901));
    let again = operation_in(5, 4, clock.now());
    propose(store, again).await;
    let states = [State::Proposed, State::InProgress, State::Succeeded, State::Expired];
    for (number, state) in (1..).zip(states) {
        assert_eq!(store.read(&key(number)).await.unwrap().unwrap().state, state);
    }
}
