//! What the tests put into a store that they read the clock of.

use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::clock::{Clock, SetClock};
pub use pap_runtime::store::conformance::draft::*;
use pap_runtime::store::{AskLater, AskLaterBy, FinishBy, Store, Ticket};
use pap_runtime::value::Instant;

/// Noon of some day.
pub fn noon() -> SetClock {
    SetClock::at(Instant::from_millis(1_790_000_000_000))
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
