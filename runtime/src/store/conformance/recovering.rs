//! Questions: taken once, raised before they are asked, and put aside when asking kills.

use std::sync::Arc;
use std::time::Duration;

use super::Opens;
use super::bench::{
    Bench, COMPANY, LEASE, assert_done, assert_not_now, at_once, change, checkpoint, kept, said,
    taking,
};
use crate::store::{AskLater, AskLaterBy, ErrorKind, EventKind, Key, Life, Performer, Written};

/// What a living process performs is nobody's question, however long it takes.
pub async fn what_a_living_process_performs_is_not_asked_about(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, _) = bench.claimed().await;
    bench.clock.advance(Duration::from_secs(1_000_000));
    assert!(bench.take().await.is_empty(), "it is performed");
    let performing = bench.read(&key).await.running.map(|running| running.performing);
    assert_eq!(performing, Some(true));
}

/// What a life held that has ended, or never began, can be asked about at once.
pub async fn what_an_ended_life_held_is_asked_about(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (ended, _) = bench.claimed().await;
    let new = bench.proposed().await;
    let mut claim = bench.claim_of(&new);
    claim.performer = Some(Performer { ticket: bench.ticket(), life: Life([9; 16]) });
    assert_done(bench.store.claim(claim).await, "a store does not judge lives at the claim");
    assert_eq!(ids(&bench.take().await), [new.key], "a life that never began is dead");
    kept(bench.store.end_life(bench.life).await);
    assert_eq!(ids(&bench.take().await), [ended], "so is one that has ended");
}

/// A life that has ended does not begin again; one that goes on may be put on record twice.
pub async fn a_life_does_not_begin_again(open: impl Opens) {
    let bench = Bench::open(open).await;
    kept(bench.store.begin_life(bench.life).await);
    kept(bench.store.end_life(bench.life).await);
    kept(bench.store.end_life(bench.life).await);
    let kind = bench.store.begin_life(bench.life).await.err().map(|error| error.kind());
    assert_eq!(kind, Some(ErrorKind::NotWritten), "it has ended");
    kept(bench.store.begin_life(Life([2; 16])).await);
}

/// Two companies of one process share a store: neither's life ends the other's.
pub async fn a_life_that_begins_leaves_others_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (_, _) = bench.claimed().await;
    kept(bench.store.begin_life(Life([2; 16])).await);
    assert!(bench.take().await.is_empty(), "what the first life performs is performed");
    kept(bench.store.end_life(Life([2; 16])).await);
    assert!(bench.take().await.is_empty(), "also when the second has ended");
}

/// An operation that nobody performs any more is asked about when its time has come.
pub async fn what_nobody_performs_is_asked_about_in_time(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    let due = bench.now().saturating_add(Duration::from_secs(3_600));
    let later = bench.later(&key, AskLaterBy::Performer(ticket), Duration::from_secs(60));
    let later = AskLater { due: Some(due), attention: true, ..later };
    let answer = kept(bench.store.ask_later(later).await);
    assert_eq!(answer, Written::Done(bench.now()));
    let running = bench.read(&key).await.running;
    let running = running.map(|running| (running.performing, running.due, running.attention));
    assert_eq!(running, Some((false, Some(due), true)), "what was said is on record");
    let events = bench.events(&key).await;
    let Some(unsettled) = events.last() else { panic!("it is on the record") };
    assert_eq!(unsettled.kind, EventKind::Unsettled);
    assert_eq!(said(unsettled, "why"), "the warehouse did not answer");

    bench.clock.advance(Duration::from_millis(59_999));
    assert!(bench.take().await.is_empty(), "its time has not come");
    bench.clock.advance(Duration::from_millis(1));
    assert_eq!(ids(&bench.take().await), [key], "now it has");
}

/// Whoever says when to ask is the performer by its ticket or the latest asker by its epoch.
pub async fn only_who_may_says_when_to_ask(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    for by in [AskLaterBy::Performer(bench.ticket()), AskLaterBy::Asker { epoch: 1 }] {
        let later = bench.later(&key, by, Duration::ZERO);
        assert_not_now(bench.store.ask_later(later).await, "neither performer nor asker");
    }
    let later = bench.later(&key, AskLaterBy::Performer(ticket), Duration::ZERO);
    assert_done(bench.store.ask_later(later).await, "its performer");
    assert_eq!(bench.take().await.len(), 1);
    bench.clock.advance(LEASE);
    assert_eq!(bench.take().await.len(), 1);
    let later = bench.later(&key, AskLaterBy::Asker { epoch: 1 }, Duration::ZERO);
    assert_not_now(bench.store.ask_later(later).await, "an asker that was overtaken");
    let later = bench.later(&key, AskLaterBy::Asker { epoch: 2 }, Duration::ZERO);
    assert_done(bench.store.ask_later(later).await, "the latest asker");
}

/// What was said about until when others finish it stays, unless something else is said.
pub async fn a_due_moment_is_kept_when_nothing_is_said(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    let due = bench.now().saturating_add(Duration::from_secs(9));
    for (said, expected) in [(Some(due), Some(due)), (None, Some(due))] {
        let later = bench.later(&key, AskLaterBy::Performer(ticket), Duration::ZERO);
        let later = AskLater { due: said, ..later };
        assert_done(bench.store.ask_later(later).await, "its performer says so");
        let on_record = bench.read(&key).await.running.and_then(|running| running.due);
        assert_eq!(on_record, expected);
    }
}

/// A question is raised on record before it is asked, and comes with all that was noted.
pub async fn a_question_is_raised_before_it_is_asked(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    for note in [change("Held"), checkpoint("payment")] {
        assert!(matches!(bench.note(&key, ticket, note).await, Written::Done(_)));
    }
    let later = bench.later(&key, AskLaterBy::Performer(ticket), Duration::ZERO);
    assert_done(bench.store.ask_later(later).await, "its performer does not know");
    let taken = bench.take().await;
    let [asked] = taken.as_slice() else { panic!("there is one question") };
    assert_eq!(asked.stored, bench.read(&key).await, "what is asked about is what is on record");
    assert_eq!(asked.notes, bench.notes(&key).await);
    let running = asked.stored.running.clone();
    let running = running.map(|running| {
        (running.epoch, running.asks, running.died_asking, running.attention, running.ask_after)
    });
    let lease_ends = bench.now().saturating_add(LEASE);
    assert_eq!(running, Some((1, 1, 1, false, lease_ends)), "epoch and counts are raised");
    let events = bench.events(&key).await;
    let Some(asked) = events.last() else { panic!("the question is on the record") };
    assert_eq!((asked.kind, said(asked, "epoch")), (EventKind::Asked, 1.into()));
}

/// A question whose asker never answered is asked again after its lease.
pub async fn a_question_is_asked_again_after_its_lease(open: impl Opens) {
    let bench = Bench::open(open).await;
    let key = bench.left().await;
    assert_eq!(ids(&bench.take().await), std::slice::from_ref(&key));
    assert!(bench.take().await.is_empty(), "it is somebody's question");
    bench.clock.advance(LEASE.saturating_sub(Duration::from_millis(1)));
    assert!(bench.take().await.is_empty(), "it still is");
    bench.clock.advance(Duration::from_millis(1));
    let taken = bench.take().await;
    assert_eq!(ids(&taken), [key], "now it is nobody's");
    let epoch = taken.first().and_then(|asked| asked.stored.running.clone());
    assert_eq!(epoch.map(|running| running.epoch), Some(2), "under an epoch of its own");
}

/// What three processes died asking about is put aside for a person; what was answered is not.
pub async fn a_question_that_kills_is_put_aside(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (deadly, harmless) = (bench.left().await, bench.left().await);
    for round in 1..=3 {
        let taken = bench.take().await;
        assert_eq!(taken.len(), 2, "round {round}: both are asked about");
        let later = bench.later(&harmless, AskLaterBy::Asker { epoch: round }, LEASE);
        assert_done(bench.store.ask_later(later).await, "one answers");
        bench.clock.advance(LEASE);
    }
    assert_eq!(ids(&bench.take().await), std::slice::from_ref(&harmless), "the other killed three");
    let aside = bench.read(&deadly).await.running;
    let aside = aside.map(|running| (running.died_asking, running.attention));
    assert_eq!(aside, Some((3, true)), "a person has to look");
    let asked = bench.read(&harmless).await.running;
    let asked = asked.map(|running| (running.died_asking, running.attention, running.asks));
    assert_eq!(asked, Some((1, false, 4)), "an answer clears the deaths and not the count");

    let later = bench.later(&deadly, AskLaterBy::Asker { epoch: 3 }, Duration::ZERO);
    assert_done(bench.store.ask_later(later).await, "its last asker had not died after all");
    assert_eq!(ids(&bench.take().await), [deadly], "so it is asked about again");
}

/// What was asked about together when a process died is asked about one by one: none is put aside with another.
pub async fn what_a_process_may_have_died_of_is_asked_about_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let suspects = [bench.left().await, bench.left().await, bench.left().await];
    assert_eq!(bench.take().await.len(), 3, "nobody has died yet");
    bench.clock.advance(LEASE);
    let fresh = bench.left().await;
    let mut first = ids(&bench.take().await);
    first.retain(|key| *key != fresh);
    let [deadly] = first.as_slice() else {
        panic!("one of them at a time, beside what is new: {first:?}")
    };
    assert!(bench.take().await.is_empty(), "and no other while it is asked about");
    bench.clock.advance(LEASE);
    let later = bench.later(&fresh, AskLaterBy::Asker { epoch: 1 }, LEASE.saturating_mul(9));
    assert_done(bench.store.ask_later(later).await, "this one answers");
    let mut left: Vec<_> = suspects.iter().filter(|key| *key != deadly).collect();
    for _ in 0..3 {
        let taken = ids(&bench.take().await);
        assert!(taken.len() <= 1, "{taken:?}");
        for key in taken {
            if key == *deadly {
                bench.clock.advance(LEASE);
                continue;
            }
            left.retain(|other| **other != key);
            let later = bench.later(&key, AskLaterBy::Asker { epoch: 2 }, LEASE.saturating_mul(9));
            assert_done(bench.store.ask_later(later).await, "it kills nobody");
        }
    }
    assert!(left.is_empty(), "the others were answered: {left:?}");
    let aside = bench.read(deadly).await.running;
    assert_eq!(aside.map(|running| (running.died_asking, running.attention)), Some((3, true)));
    assert!(bench.take().await.is_empty(), "it alone is put aside");
}

/// At most as many are taken as were asked for, those that wait longest first.
pub async fn the_longest_waiting_questions_come_first(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mut waiting = Vec::new();
    for _ in 0..5 {
        waiting.push(bench.left().await);
        bench.clock.advance(Duration::from_secs(1));
    }
    assert!(bench.take_up_to(0).await.is_empty());
    let (longest, rest) = waiting.split_at(3);
    assert_eq!(ids(&bench.take_up_to(3).await), longest);
    assert_eq!(ids(&bench.take_up_to(3).await), rest, "then those that are left");
}

/// Of many that look for questions at the same time, each question goes to one. Row D3.
pub async fn a_question_is_taken_by_one_of_many(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..12 {
        bench.left().await;
    }
    let answers = at_once((0..24).map(|_| {
        let store = Arc::clone(&bench.store);
        async move { kept(store.take_askable(taking(COMPANY, 5)).await) }
    }));
    let mut taken: Vec<_> = answers.await.iter().flat_map(|taken| ids(taken)).collect();
    taken.extend(ids(&bench.take_up_to(100).await));
    taken.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(taken.len(), 12, "each is asked about");
    taken.dedup();
    assert_eq!(taken.len(), 12, "by one asker");
}

fn ids(taken: &[crate::store::Asked]) -> Vec<Key> {
    taken.iter().map(|asked| asked.stored.key.clone()).collect()
}
