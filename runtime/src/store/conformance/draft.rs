//! Operations to put into a store: for the promises of every store, and for the tests of what only one can show.

use std::time::Duration;

use pap_protocol::operation::{ApprovedBy, OperationId, Revision, State};
use pap_protocol::value::Instant;

use crate::store::{
    Act, ActBy, Claim, Confirming, End, Finish, FinishBy, Key, Known, Life, NewOperation,
    OpenAction, Owner, Pause, PauseOf, Performer, Proposed, ReadActs, Resume, Store,
    StoredRevision, TakeAskable, Ticket, Written, digest_of,
};

/// Part of every word and term that is stored: no error may tell it.
pub const SECRET: &str = "jacket";
/// Whose operations they are.
pub const COMPANY: &str = "outfitters";
/// The life that claims them.
pub const LIFE: Life = Life([1; 16]);

/// The key of operation `number`.
pub fn key(number: u32) -> Key {
    let id = format!("exc_{number}").parse::<OperationId>();
    Key { company: COMPANY.to_owned(), id: id.unwrap_or_else(|error| panic!("{error}")) }
}

/// A ticket that is made of this number alone.
pub fn ticket(number: u32) -> Ticket {
    Ticket(u128::from(number).to_be_bytes())
}

/// A revision that can be confirmed for 15 minutes from `now`.
pub fn revision(number: u32, now: Instant) -> StoredRevision {
    let summary = format!("Exchange the {SECRET} for another, take {number}.");
    let full = format!(r#"{{"item":"{SECRET}","take":{number},"hold":1}}"#);
    let wire = format!(r#"{{"item":"{SECRET}","take":{number}}}"#);
    StoredRevision {
        number: Revision::try_from(number).unwrap_or_else(|error| panic!("{error}")),
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
    for (byte, of_place) in identity.iter_mut().zip(place.to_be_bytes()) {
        *byte = of_place;
    }
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

/// A claim of the first revision of operation `number`, to be performed under this ticket.
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

/// The end of operation `number`, with data.
pub fn finish(number: u32, by: FinishBy, state: State) -> Finish {
    let summary = format!("The {SECRET} ships today.");
    let end = End { state, summary, data: Some(format!(r#"{{"item":"{SECRET}"}}"#)) };
    Finish { key: key(number), by, end, changes_seen: 0, carried: Vec::new() }
}

/// Takes every question there is, for 30 s.
pub fn take() -> TakeAskable {
    let known = vec![Known { action: "orders.exchange".to_owned(), versions: vec![1] }];
    let lease = Duration::from_secs(30);
    TakeAskable { company: COMPANY.to_owned(), limit: 100, lease, known }
}

/// An operator who does something that was not done before.
pub fn by() -> ActBy {
    ActBy::new("operator 7", "request 17").unwrap_or_else(|error| panic!("{error}"))
}

/// Holds back an action, or all of them.
pub fn pause(action: Option<&str>, of: PauseOf) -> Pause {
    Pause {
        company: COMPANY.to_owned(),
        action: action.map(str::to_owned),
        of,
        who: "operator 7".to_owned(),
        why: "the warehouse burns".to_owned(),
    }
}

/// Ends a pause.
pub fn resume(action: Option<&str>, of: PauseOf) -> Resume {
    Resume {
        company: COMPANY.to_owned(),
        action: action.map(str::to_owned),
        of,
        who: "operator 8".to_owned(),
        why: "it rained".to_owned(),
    }
}

/// What operators did, all of it.
pub async fn acts(store: &dyn Store) -> Vec<Act> {
    let read = ReadActs { company: COMPANY.to_owned(), after: 0, limit: u32::MAX };
    store.keeping().acts(read).await.unwrap_or_else(|error| panic!("{error}"))
}

/// Whether it was written.
pub fn done(written: &Written) -> bool {
    matches!(written, Written::Done(_))
}

/// Puts an operation on record whose place is free.
pub async fn propose(store: &dyn Store, new: NewOperation) {
    let proposed = store.propose(new).await;
    assert!(matches!(proposed, Ok(Proposed::New)), "{proposed:?}");
}
