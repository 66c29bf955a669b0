//! Operations that are claimed first and started later: by one, or by nobody once a stop was asked.

use std::slice;
use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{
    ACTION, Bench, COMPANY, LIFETIME, assert_done, assert_not_now, at_once, change, checkpoint,
    count_done, kept, said, waiting_of,
};
use crate::store::{
    AskLaterBy, Claim, EventKind, FinishBy, Key, Known, Life, Performer, Proposed, RequestStop,
    Start, Waiting, Written,
};

/// A claim without a performer is confirmed and in progress, with its evidence, and has no performer.
pub async fn a_claim_without_a_performer_waits(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.deferred().await;
    let stored = bench.read(&new.key).await;
    assert_eq!(stored.state, State::InProgress, "it is confirmed");
    assert!(stored.confirmed.is_some(), "with its evidence");
    let running = stored.running.map(|running| (running.life, running.performing, running.epoch));
    assert_eq!(running, Some((None, false, 0)), "and nobody performs it");
    assert_not_now(bench.store.claim(bench.claim_of(&new)).await, "it is not claimed again");
    for ticket in [bench.ticket(), crate::store::Ticket([0; 16])] {
        let note = bench.note(&new.key, ticket, change("Charged")).await;
        assert_eq!(note, Written::NotNow, "no ticket notes anything");
        let finish = bench.finish(&new.key, FinishBy::Performer(ticket), State::Succeeded);
        assert_not_now(bench.store.finish(finish).await, "or ends it");
        let later = bench.later(&new.key, AskLaterBy::Performer(ticket), Duration::ZERO);
        assert_not_now(bench.store.ask_later(later).await, "or says when to ask");
    }
}

/// Starting spends the right to perform: its ticket notes and finishes like one that claimed.
pub async fn what_was_started_is_performed_like_what_was_claimed(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.deferred().await;
    bench.clock.advance(LIFETIME * 2);
    let start = bench.start_of(&new.key);
    let answer = kept(bench.store.start(start.clone()).await);
    assert_eq!(answer, Written::Done(bench.now()), "it is started, however late");
    let running = bench.read(&new.key).await.running;
    let running = running.map(|running| (running.life, running.performing, running.ask_after));
    assert_eq!(running, Some((Some(bench.life), true, bench.now())), "and performed from now on");
    let kinds: Vec<_> = bench.events(&new.key).await.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Proposed, EventKind::Confirmed, EventKind::Started]);
    let ticket = start.performer.ticket;
    assert!(matches!(bench.note(&new.key, ticket, checkpoint("p")).await, Written::Done(_)));
    let finish = bench.finish(&new.key, FinishBy::Performer(ticket), State::Succeeded);
    assert_done(bench.store.finish(finish).await, "its performer ends it");
}

/// OPS-6-4: of many starts at the same time one wins, and none comes after it.
pub async fn one_of_many_starts_wins(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..5 {
        let new = bench.deferred().await;
        let starts: Vec<_> = (0..64).map(|_| bench.start_of(&new.key)).collect();
        let again = starts.clone();
        let answers = at_once(starts.into_iter().map(|start| {
            let store = Arc::clone(&bench.store);
            async move { kept(store.start(start).await) }
        }));
        assert_eq!(count_done(&answers.await), 1, "the right to perform is given once");
        for start in again {
            assert_not_now(bench.store.start(start).await, "also not to its own ticket again");
        }
        let events = bench.events(&new.key).await;
        let started = events.iter().filter(|event| event.kind == EventKind::Started);
        assert_eq!(started.count(), 1, "one start is on the record");
    }
}

/// Only what waits to be started is started.
pub async fn only_what_waits_is_started(open: impl Opens) {
    let bench = Bench::open(open).await;
    let proposed = bench.proposed().await.key;
    let (claimed, _) = bench.claimed().await;
    let left = bench.left().await;
    let (ended, _) = bench.ended(State::Succeeded).await;
    let unknown = bench.operation().key;
    for key in [proposed, claimed, left, ended.key, unknown] {
        assert_not_now(bench.store.start(bench.start_of(&key)).await, "it does not wait");
    }
}

/// OPS-7-3: after a stop was asked nobody starts it, and it ends as not started.
pub async fn what_was_asked_to_stop_is_not_started(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.deferred().await;
    let stop = RequestStop { key: new.key.clone(), proof: Some(bench.proof()) };
    assert_done(bench.store.request_stop(stop).await, "it can be stopped");
    assert_not_now(bench.store.start(bench.start_of(&new.key)).await, "so it is not started");
    assert_eq!(ids(&bench.waiting().await), slice::from_ref(&new.key), "it is found, to be ended");
    let finish = bench.finish(&new.key, FinishBy::NotStarted, State::Cancelled);
    assert_done(bench.store.finish(finish).await, "nobody had started it");
    let events = bench.events(&new.key).await;
    let Some(ended) = events.last() else { panic!("the end is on the record") };
    assert_eq!(
        (said(ended, "state"), said(ended, "by")),
        ("cancelled".into(), "not_started".into())
    );
    assert_not_now(bench.store.start(bench.start_of(&new.key)).await, "nobody ever will");
    assert!(bench.waiting().await.is_empty(), "and it does not wait any more");
}

/// A start and its end as not started at the same time: one of the two is written. With a stop asked at the
/// same time as the start, whoever starts is told of it, or nobody starts.
pub async fn a_start_and_a_stop_do_not_both_win(open: impl Opens) {
    type Race = std::pin::Pin<Box<dyn Future<Output = Written> + Send>>;
    let bench = Bench::open(open).await;
    for _ in 0..20 {
        let new = bench.deferred().await;
        let start = bench.start_of(&new.key);
        let finish = bench.finish(&new.key, FinishBy::NotStarted, State::Cancelled);
        let (one, other) = (Arc::clone(&bench.store), Arc::clone(&bench.store));
        let starting: Race = Box::pin(async move { kept(one.start(start).await) });
        let ending: Race = Box::pin(async move { kept(other.finish(finish).await) });
        assert_eq!(count_done(&at_once([starting, ending]).await), 1, "exactly one is written");

        let new = bench.deferred().await;
        let start = bench.start_of(&new.key);
        let stop = RequestStop { key: new.key.clone(), proof: None };
        let (one, other) = (Arc::clone(&bench.store), Arc::clone(&bench.store));
        let starting: Race = Box::pin(async move { kept(one.start(start).await) });
        let stopping: Race = Box::pin(async move { kept(other.request_stop(stop).await) });
        let answers = at_once([starting, stopping]).await;
        assert!(count_done(&answers) >= 1, "a stop is taken in any case");
        let stored = bench.read(&new.key).await;
        let stop = stored.running.as_ref().and_then(|running| running.stop_requested);
        assert!(stop.is_some(), "the stop is on record");
        let finish = bench.finish(&new.key, FinishBy::NotStarted, State::Cancelled);
        let started = stored.running.is_some_and(|running| running.life.is_some());
        let ended = kept(bench.store.finish(finish).await);
        assert_eq!(started, ended == Written::NotNow, "what was started is not ended so");
    }
}

/// Only what was claimed without a performer, and not started, ends as not started.
pub async fn only_what_waits_ends_as_not_started(open: impl Opens) {
    let bench = Bench::open(open).await;
    let proposed = bench.proposed().await.key;
    let (claimed, _) = bench.claimed().await;
    let left = bench.left().await;
    let started = bench.deferred().await.key;
    assert_done(bench.store.start(bench.start_of(&started)).await, "it can be started");
    for key in [proposed, claimed, left, started] {
        let before = bench.on_record(&key).await;
        for state in [State::Cancelled, State::Failed, State::Succeeded] {
            let finish = bench.finish(&key, FinishBy::NotStarted, state);
            assert_not_now(bench.store.finish(finish).await, "it does not wait to be started");
        }
        assert_eq!(bench.on_record(&key).await, before, "it is as it was");
    }
}

/// Nobody is asked about what waits to be started, whatever else happens; an operator is refused too.
pub async fn what_waits_to_be_started_is_never_asked_about(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.deferred().await;
    let stop = RequestStop { key: new.key.clone(), proof: None };
    for _ in 0..2 {
        bench.clock.advance(Duration::from_secs(1_000_000));
        assert!(bench.take().await.is_empty(), "nobody has begun it");
        let by = AskLaterBy::Operator { who: "operator 7".to_owned() };
        let later = bench.later(&new.key, by, Duration::ZERO);
        assert_not_now(bench.store.ask_later(later).await, "there is nothing to ask about");
        assert_done(bench.store.request_stop(stop.clone()).await, "also with a stop asked");
    }
    kept(bench.store.end_life(bench.life).await);
    assert!(bench.take().await.is_empty(), "also after the life that claimed it has ended");
    let epoch = bench.read(&new.key).await.running.map(|running| running.epoch);
    assert_eq!(epoch, Some(0), "no question was raised");
}

/// What was started and whose life has ended is asked about, like anything that was performed.
pub async fn what_was_started_is_asked_about_when_its_life_has_ended(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.deferred().await;
    assert_done(bench.store.start(bench.start_of(&new.key)).await, "it can be started");
    assert!(bench.take().await.is_empty(), "it is performed");
    kept(bench.store.end_life(bench.life).await);
    let taken = bench.take().await;
    let taken: Vec<_> = taken.into_iter().map(|asked| asked.stored.key).collect();
    assert_eq!(taken, slice::from_ref(&new.key));

    // a life that never began is dead: only its starter may perform, and it is asked about at once
    let other = bench.deferred().await;
    let performer = Performer { ticket: bench.ticket(), life: Life([9; 16]) };
    let start = Start { key: other.key.clone(), performer };
    assert_done(bench.store.start(start).await, "a store does not judge lives at the start");
    assert_eq!(bench.take().await.len(), 1);
}

/// What waits longest comes first, at most as many as were asked for, each company's own.
pub async fn those_that_wait_longest_come_first(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mut expected = Vec::new();
    for _ in 0..4 {
        expected.push(bench.deferred().await.key);
        bench.clock.advance(Duration::from_secs(1));
    }
    let theirs = bench.of_another(&bench.operation());
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::New);
    let claim = Claim { performer: None, ..bench.claim_of(&theirs) };
    assert_done(bench.store.claim(claim).await, "another company defers");
    bench.claimed().await;
    bench.left().await;
    bench.deferred().await;
    let first = kept(bench.store.waiting(waiting_of(COMPANY, 4)).await);
    assert_eq!(ids(&first), expected, "oldest first, and nothing that does not wait");
    for stored in &first {
        assert_eq!(*stored, bench.read(&stored.key).await, "as it is on record");
    }
    assert!(kept(bench.store.waiting(waiting_of(COMPANY, 0)).await).is_empty());
    assert_eq!(ids(&kept(bench.store.waiting(waiting_of("another", 9)).await)), [theirs.key]);
    assert!(kept(bench.store.waiting(waiting_of("nobody", 9)).await).is_empty());
}

/// A company starts its own operations alone, and ends its own alone.
pub async fn a_company_starts_its_own_operations_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.deferred().await;
    let before = bench.on_record(&new.key).await;
    let key = Key { company: "another".to_owned(), id: new.key.id.clone() };
    assert_not_now(bench.store.start(bench.start_of(&key)).await, "it is not started");
    let finish = bench.finish(&key, FinishBy::NotStarted, State::Cancelled);
    assert_not_now(bench.store.finish(finish).await, "nor ended");
    assert_eq!(bench.on_record(&new.key).await, before, "it is as it was");
}

/// A proof that came with a claim without a performer was used like any other.
pub async fn a_deferred_claim_has_used_its_proof(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let proof = bench.proof();
    let claim = Claim { performer: None, proof: Some(proof.clone()), ..bench.claim_of(&new) };
    assert_done(bench.store.claim(claim.clone()).await, "it is claimed");
    assert_not_now(bench.store.claim(claim).await, "our own retry claims nothing again");
    let again = crate::store::ProofUse { ticket: bench.ticket(), ..proof };
    let answer = kept(bench.store.record_proof(again).await);
    assert_eq!(answer, Written::Replayed);
}

fn ids(waiting: &[crate::store::Stored]) -> Vec<Key> {
    waiting.iter().map(|stored| stored.key.clone()).collect()
}

/// What waits is found by who knows its action and the version of its terms, and by nobody else.
pub async fn what_waits_is_found_by_who_knows_it(open: impl Opens) {
    let bench = Bench::open(open).await;
    let key = bench.deferred().await.key;
    for (action, version) in [("another", 1), (ACTION, 2)] {
        let known = vec![Known { action: action.to_owned(), versions: vec![version] }];
        let which = Waiting { known, ..waiting_of(COMPANY, 9) };
        assert!(kept(bench.store.waiting(which).await).is_empty(), "hands off");
    }
    let which = Waiting { known: Vec::new(), ..waiting_of(COMPANY, 9) };
    assert!(kept(bench.store.waiting(which).await).is_empty(), "who knows nothing finds nothing");
    assert_eq!(ids(&bench.waiting().await), [key]);
}
