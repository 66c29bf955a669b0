//! The end: of what was never confirmed, and for ever.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{
    Bench, LIFETIME, assert_done, assert_not_now, at_once, change, checkpoint, count_done, kept,
    said,
};
use crate::store::{
    AskLaterBy, CloseProposed, Closing, EventKind, FinishBy, Key, Late, RequestStop, Ticket,
    Written,
};

/// OPS-7-2: what was declined is cancelled, with its result, and cannot be claimed.
pub async fn a_cancelled_proposal_cannot_be_claimed(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    bench.clock.advance(Duration::from_secs(3));
    let answer = kept(bench.close(&new.key, Closing::Cancelled).await);
    assert_eq!(answer, Written::Done(bench.now()), "a proposal can be declined");
    assert_not_now(bench.store.claim(bench.claim_of(&new)).await, "and not claimed after that");
    let history = bench.history(&new.key).await;
    assert_eq!(history.stored.state, State::Cancelled);
    assert!(history.stored.confirmed.is_none(), "nobody confirmed it");
    assert_eq!(history.stored.result.map(|result| result.at), Some(bench.now()));
    let Some(last) = history.events.last() else { panic!("the end is on the record") };
    assert_eq!(last.kind, EventKind::Ended);
    assert_eq!(said(last, "state"), "cancelled");
    assert_eq!(said(last, "by"), "cancelled");
}

/// A proposal can be declined also when nobody could confirm it any more.
pub async fn a_late_proposal_can_still_be_declined(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    bench.clock.advance(LIFETIME * 2);
    assert_done(bench.close(&new.key, Closing::Cancelled).await, "it is still proposed");
    assert_eq!(bench.read(&new.key).await.state, State::Cancelled);
}

/// A proposal expires after its last moment, and not at it.
pub async fn a_proposal_expires_only_after_its_last_moment(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    bench.clock.advance(LIFETIME);
    assert_not_now(bench.close(&new.key, Closing::Expired).await, "its last moment is in time");
    assert_eq!(bench.read(&new.key).await.state, State::Proposed);
    bench.clock.advance(Duration::from_millis(1));
    assert_done(bench.close(&new.key, Closing::Expired).await, "after it, it expires");
    let history = bench.history(&new.key).await;
    assert_eq!(history.stored.state, State::Expired);
    let Some(last) = history.events.last() else { panic!("the end is on the record") };
    assert_eq!((last.kind, said(last, "by")), (EventKind::Ended, "expired".into()));
}

/// What was confirmed is not closed as if nobody had confirmed it.
pub async fn a_confirmed_operation_is_not_closed_as_a_proposal(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, _) = bench.claimed().await;
    bench.clock.advance(LIFETIME * 2);
    let before = bench.on_record(&key).await;
    for closing in [Closing::Cancelled, Closing::Expired] {
        assert_not_now(bench.close(&key, closing).await, "it is in progress");
    }
    assert_eq!(bench.on_record(&key).await, before, "it is as it was");
}

/// Of a cancel and an expiry at the same time, one is written.
pub async fn one_of_many_ends_wins(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    bench.clock.advance(LIFETIME + Duration::from_millis(1));
    let closing = [Closing::Cancelled, Closing::Expired].into_iter().cycle().take(32);
    let answers = at_once(closing.map(|closing| {
        let (store, key) = (Arc::clone(&bench.store), new.key.clone());
        let close = CloseProposed { key, closing, summary: "Nothing.".to_owned(), proof: None };
        async move { kept(store.close_proposed(close).await) }
    }));
    assert_eq!(count_done(&answers.await), 1, "an operation ends once");
    let events = bench.events(&new.key).await;
    let ended = events.iter().filter(|event| event.kind == EventKind::Ended);
    assert_eq!(ended.count(), 1, "one end is on the record");
}

/// OPS-3-23 OPS-7-5: whatever is tried on a final operation, it stays as it is.
pub async fn a_final_operation_never_changes(open: impl Opens) {
    let bench = Bench::open(open).await;
    for state in State::ALL.into_iter().filter(|state| state.is_final()) {
        let (new, ticket) = bench.ended(state).await;
        never_changes(&bench, &new, ticket).await;
    }
    let new = bench.proposed().await;
    assert_done(bench.close(&new.key, Closing::Cancelled).await, "it can be declined");
    let ticket = bench.ticket();
    never_changes(&bench, &new, ticket).await;
}

async fn never_changes(bench: &Bench, new: &crate::store::NewOperation, ticket: Ticket) {
    let key = &new.key;
    let before = bench.on_record(key).await;
    let store = &bench.store;
    assert_not_now(store.claim(bench.claim_of(new)).await, "it is not claimed");
    let next = bench.revision(before.stored.latest.number.get() + 1);
    assert_eq!(bench.revise(key, next).await, Written::NotNow, "it is not revised");
    for closing in [Closing::Cancelled, Closing::Expired] {
        assert_not_now(bench.close(key, closing).await, "it is not closed again");
    }
    let stop = RequestStop { key: key.clone(), proof: None };
    assert_not_now(store.request_stop(stop).await, "it is not stopped");
    for note in [change("Charged"), checkpoint("payment")] {
        assert_eq!(bench.note(key, ticket, note).await, Written::NotNow, "nothing is noted");
    }
    for by in finishers(ticket) {
        for state in [State::Succeeded, State::Failed, State::Cancelled] {
            let finish = bench.finish(key, by.clone(), state);
            assert_not_now(store.finish(finish).await, "it does not end again");
        }
    }
    for by in [AskLaterBy::Performer(ticket), AskLaterBy::Asker { epoch: 0 }] {
        let later = bench.later(key, by, Duration::ZERO);
        assert_not_now(store.ask_later(later).await, "it is not asked about later");
    }
    assert!(bench.take().await.is_empty(), "it is not asked about");
    assert_eq!(bench.on_record(key).await, before, "a final operation never changes");
    keeps_a_late_outcome(bench, key).await;
}

async fn keeps_a_late_outcome(bench: &Bench, key: &Key) {
    let before = bench.on_record(key).await;
    let what = "the warehouse says that it was done after all".to_owned();
    let late = Late { key: key.clone(), state: Some(State::Succeeded), what: what.clone() };
    kept(bench.store.record_late(late).await);
    let mut after = bench.on_record(key).await;
    let Some(last) = after.events.pop() else { panic!("a late outcome is on the record") };
    assert_eq!(after, before, "a late outcome is added to the record and changes nothing");
    assert_eq!(last.kind, EventKind::LateOutcome);
    assert_eq!((said(&last, "state"), said(&last, "what")), ("succeeded".into(), what.into()));
}

fn finishers(ticket: Ticket) -> [FinishBy; 3] {
    [
        FinishBy::Performer(ticket),
        FinishBy::Asker { epoch: 0, fence: None },
        FinishBy::Settler { who: "operator".to_owned(), why: "a call".to_owned() },
    ]
}

/// A late outcome of an operation that is not there is an error, and not lost in silence.
pub async fn a_late_outcome_of_nothing_is_refused(open: impl Opens) {
    let bench = Bench::open(open).await;
    let key = bench.operation().key;
    let late = Late { key, state: None, what: "something".to_owned() };
    assert!(bench.store.record_late(late).await.is_err(), "there is no such operation");
}
