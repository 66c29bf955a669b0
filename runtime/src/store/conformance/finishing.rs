//! The finish: on its conditions, once, with every change told.

use std::sync::Arc;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{
    Bench, LEASE, assert_done, assert_not_now, at_once, change, checkpoint, count_done, kept, said,
};
use crate::store::{AskLaterBy, ErrorKind, EventKind, Finish, FinishBy, NoteKind, Written};

/// The performer ends what it performs, with the result that it gives.
pub async fn a_performer_ends_its_operation(open: impl Opens) {
    let bench = Bench::open(open).await;
    for state in [State::Succeeded, State::Failed, State::Cancelled] {
        let (key, ticket) = bench.claimed().await;
        let finish = bench.finish(&key, FinishBy::Performer(ticket), state);
        let answer = kept(bench.store.finish(finish.clone()).await);
        assert_eq!(answer, Written::Done(bench.now()));
        let stored = bench.read(&key).await;
        assert_eq!(stored.state, state);
        let result = stored.result.map(|result| (result.summary, result.data, result.at));
        assert_eq!(result, Some((finish.end.summary, finish.end.data, bench.now())));
        assert!(stored.running.is_none(), "what has ended is off the list of open work");
        assert!(stored.confirmed.is_some(), "its confirmation stays");
        let events = bench.events(&key).await;
        let Some(ended) = events.last() else { panic!("the end is on the record") };
        assert_eq!(ended.kind, EventKind::Ended);
        assert_eq!(
            (said(ended, "state"), said(ended, "by")),
            (state.as_str().into(), "performer".into())
        );
    }
}

/// A ticket ends the operation that it was made for, and no other ticket does.
pub async fn another_ticket_ends_nothing(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, _) = bench.claimed().await;
    let (_, of_another) = bench.claimed().await;
    let before = bench.on_record(&key).await;
    for ticket in [bench.ticket(), of_another] {
        let finish = bench.finish(&key, FinishBy::Performer(ticket), State::Succeeded);
        assert_not_now(bench.store.finish(finish).await, "it is not its ticket");
    }
    let new = bench.proposed().await;
    let finish = bench.finish(&new.key, FinishBy::Performer(bench.ticket()), State::Succeeded);
    assert_not_now(bench.store.finish(finish).await, "it was not confirmed");
    assert_eq!(bench.on_record(&key).await, before, "it is as it was");
}

/// A performer that answers late is believed, also when recovery has asked.
pub async fn a_performer_is_believed_after_the_question(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    kept(bench.store.end_life(bench.life).await);
    assert_eq!(bench.take().await.len(), 1, "what an ended life holds is asked about");
    let finish = bench.finish(&key, FinishBy::Performer(ticket), State::Succeeded);
    assert_done(bench.store.finish(finish).await, "its performer knows first-hand");
    let by = FinishBy::Asker { epoch: 1, fence: None };
    let finish = bench.finish(&key, by, State::Failed);
    assert_not_now(bench.store.finish(finish).await, "the asker comes too late");
    assert_eq!(bench.read(&key).await.state, State::Succeeded);
}

/// OPS-6-10: an end that does not tell exactly the changes on record is refused, whoever brings it.
pub async fn an_end_tells_every_change(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    for note in [change("Held"), checkpoint("payment"), change("Charged")] {
        assert!(matches!(bench.note(&key, ticket, note).await, Written::Done(_)));
    }
    let settler = FinishBy::Settler { who: "op".to_owned(), why: "call".to_owned() };
    let asker = FinishBy::Asker { epoch: 0, fence: None };
    for by in [FinishBy::Performer(ticket), asker, settler] {
        for changes_seen in [0, 1, 3] {
            let finish = bench.finish(&key, by.clone(), State::Failed);
            let finish = Finish { changes_seen, ..finish };
            assert_not_now(bench.store.finish(finish).await, "two changes are on record");
        }
    }
    let carried = vec!["Wrote the label".to_owned(), "Told the shop".to_owned()];
    let finish = bench.finish(&key, FinishBy::Performer(ticket), State::Failed);
    let finish = Finish { changes_seen: 2, carried: carried.clone(), ..finish };
    assert_done(bench.store.finish(finish).await, "two are told, and two more come with it");
    let notes = bench.notes(&key).await.into_iter().skip(3).map(|note| note.note);
    let expected: Vec<_> = carried.into_iter().map(NoteKind::Change).collect();
    assert_eq!(notes.collect::<Vec<_>>(), expected, "what came with the end is noted, in order");
}

/// Only whoever asked last ends an operation by what was found. Row D4.
pub async fn only_the_latest_asker_ends_an_operation(open: impl Opens) {
    let bench = Bench::open(open).await;
    let key = bench.left().await;
    assert_eq!(bench.take().await.len(), 1);
    bench.clock.advance(LEASE);
    assert_eq!(bench.take().await.len(), 1, "the question is taken a second time");
    for epoch in [0, 1, 3] {
        let finish = bench.finish(&key, FinishBy::Asker { epoch, fence: None }, State::Failed);
        assert_not_now(bench.store.finish(finish).await, "the second question is the latest");
    }
    for epoch in [0, 1, 3] {
        let finish = bench.finish(&key, FinishBy::AskerInPart { epoch }, State::Failed);
        assert_not_now(bench.store.finish(finish).await, "also of what was done in part");
    }
    let finish = bench.finish(&key, FinishBy::Asker { epoch: 2, fence: None }, State::Failed);
    assert_done(bench.store.finish(finish).await, "the latest asker ends it");
    let events = bench.events(&key).await;
    let Some(ended) = events.last() else { panic!("the end is on the record") };
    assert_eq!((said(ended, "by"), said(ended, "epoch")), ("asker".into(), 2.into()));
}

/// What was done in part ends by whoever found that out, and the record tells who.
pub async fn what_was_done_in_part_is_ended_by_its_asker(open: impl Opens) {
    let bench = Bench::open(open).await;
    let key = bench.left().await;
    assert_eq!(bench.take().await.len(), 1);
    let mut finish = bench.finish(&key, FinishBy::AskerInPart { epoch: 1 }, State::Failed);
    finish.carried = vec!["The deposit was charged.".to_owned()];
    assert_done(bench.store.finish(finish).await, "the latest asker ends it");
    let history = bench.history(&key).await;
    assert_eq!(history.stored.state, State::Failed);
    assert_eq!(history.notes.len(), 1, "the change is on record");
    let Some(ended) = history.events.last() else { panic!("the end is on the record") };
    assert_eq!((said(ended, "by"), said(ended, "epoch")), ("asker".into(), 1.into()));
}

/// A fence holds only while its checkpoint is not on record.
pub async fn a_fence_holds_only_without_its_checkpoint(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    assert!(matches!(bench.note(&key, ticket, checkpoint("payment")).await, Written::Done(_)));
    let later = bench.later(&key, AskLaterBy::Performer(ticket), std::time::Duration::ZERO);
    assert_done(bench.store.ask_later(later).await, "its performer does not know");
    assert_eq!(bench.take().await.len(), 1);
    let behind = |name: &str| FinishBy::Asker { epoch: 1, fence: Some(name.to_owned()) };
    let finish = bench.finish(&key, behind("payment"), State::Failed);
    assert_not_now(bench.store.finish(finish).await, "what is behind it may have happened");
    let finish = bench.finish(&key, behind("label"), State::Failed);
    assert_done(bench.store.finish(finish).await, "what is behind this one cannot happen");
}

/// From outside, an operation is settled while it is in progress, with who and why on the record.
pub async fn an_operation_is_settled_only_while_in_progress(open: impl Opens) {
    let bench = Bench::open(open).await;
    let settler =
        FinishBy::Settler { who: "operator 7".to_owned(), why: "the bank called".to_owned() };
    let new = bench.proposed().await;
    let finish = bench.finish(&new.key, settler.clone(), State::Failed);
    assert_not_now(bench.store.finish(finish).await, "nobody confirmed it");
    let (key, ticket) = bench.claimed().await;
    let finish = bench.finish(&key, settler, State::Failed);
    assert_done(bench.store.finish(finish).await, "it is in progress");
    let events = bench.events(&key).await;
    let Some(ended) = events.last() else { panic!("the end is on the record") };
    let told = ["by", "who", "why"].map(|member| said(ended, member));
    assert_eq!(told, ["settler", "operator 7", "the bank called"]);
    let finish = bench.finish(&key, FinishBy::Performer(ticket), State::Succeeded);
    assert_not_now(bench.store.finish(finish).await, "its performer comes too late");
}

/// Of many ends at the same time, one is written. Row D3.
pub async fn one_of_many_finishes_wins(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..5 {
        let (key, ticket) = bench.claimed().await;
        let settler = FinishBy::Settler { who: "op".to_owned(), why: "call".to_owned() };
        let finishes: Vec<_> = (0..32)
            .map(|number| match number % 2 {
                0 => bench.finish(&key, FinishBy::Performer(ticket), State::Succeeded),
                _ => bench.finish(&key, settler.clone(), State::Failed),
            })
            .collect();
        let answers = at_once(finishes.into_iter().map(|finish| {
            let store = Arc::clone(&bench.store);
            async move { kept(store.finish(finish).await) }
        }));
        assert_eq!(count_done(&answers.await), 1, "an operation ends once");
        let events = bench.events(&key).await;
        let ended = events.iter().filter(|event| event.kind == EventKind::Ended);
        assert_eq!(ended.count(), 1, "one end is on the record");
    }
}

/// OPS-3-22: an operation in progress does not end in a state that only a proposal can end in.
pub async fn what_was_confirmed_does_not_expire(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    for state in [State::Expired, State::Proposed, State::InProgress] {
        let finish = bench.finish(&key, FinishBy::Performer(ticket), state);
        let kind = bench.store.finish(finish).await.err().map(|error| error.kind());
        assert_eq!(kind, Some(ErrorKind::NotWritten), "it cannot become {state}");
    }
    assert_eq!(bench.read(&key).await.state, State::InProgress);
}
