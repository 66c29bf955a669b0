//! While an operation is performed: notes, and requests to stop.

use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{
    Bench, LEASE, SECRET, assert_done, assert_not_now, change, checkpoint, kept, said, ticket_of,
};
use crate::store::{
    AskLaterBy, Claim, EventKind, FinishBy, Note, NoteKind, RequestStop, Revise, WriteNote, Written,
};

/// Changes and checkpoints come back as they were noted, in order.
pub async fn notes_come_back_in_order(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    let written = [
        change("Held"),
        checkpoint("payment"),
        change("Charged"),
        change("Charged"),
        checkpoint("label"),
    ];
    let mut expected = Vec::new();
    for note in written {
        bench.clock.advance(Duration::from_secs(1));
        let answer = bench.note(&key, ticket, note.clone()).await;
        assert_eq!(answer, Written::Done(bench.now()), "a performer notes what it does");
        expected.push(Note { note, at: bench.now() });
        assert_eq!(bench.notes(&key).await, expected, "notes are kept in order");
    }
    let events = bench.events(&key).await;
    let noted: Vec<_> = events.iter().map(|event| event.kind).skip(2).collect();
    let (changed, remembered) = (EventKind::ChangeNoted, EventKind::Remembered);
    assert_eq!(noted, [changed, remembered, changed, changed, remembered]);
    let names: Vec<_> = events.iter().filter(|event| event.kind == remembered).collect();
    let names: Vec<_> = names.into_iter().map(|event| said(event, "name")).collect();
    assert_eq!(names, ["payment", "label"]);
}

/// Only whoever has the ticket notes anything.
pub async fn only_the_performer_notes(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, _) = bench.claimed().await;
    let new = bench.proposed().await;
    let before = (bench.on_record(&key).await, bench.on_record(&new.key).await);
    for note in [change("Charged"), checkpoint("payment")] {
        let answer = bench.note(&key, bench.ticket(), note.clone()).await;
        assert_eq!(answer, Written::NotNow, "another ticket notes nothing");
        let answer = bench.note(&new.key, bench.ticket(), note).await;
        assert_eq!(answer, Written::NotNow, "before the claim nobody notes anything");
    }
    let after = (bench.on_record(&key).await, bench.on_record(&new.key).await);
    assert_eq!(after, before, "nothing was noted");
}

/// A checkpoint is written once per name, and what it holds stays.
pub async fn a_checkpoint_is_written_once(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    let first = checkpoint("payment");
    assert!(matches!(bench.note(&key, ticket, first.clone()).await, Written::Done(_)));
    let other = NoteKind::Checkpoint { name: "payment".to_owned(), value: "2".to_owned() };
    for again in [first.clone(), other] {
        let answer = bench.note(&key, ticket, again).await;
        assert_eq!(answer, Written::NotNow, "a checkpoint is written once");
    }
    let notes: Vec<_> = bench.notes(&key).await.into_iter().map(|note| note.note).collect();
    assert_eq!(notes, [first]);
    let (other, its_ticket) = bench.claimed().await;
    let answer = bench.note(&other, its_ticket, checkpoint("payment")).await;
    assert!(matches!(answer, Written::Done(_)), "another operation has its own checkpoints");
}

/// Once recovery has asked, a checkpoint that was not written can never be written; a change can.
pub async fn no_checkpoint_is_written_after_the_question(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, ticket) = bench.claimed().await;
    kept(bench.store.end_life(bench.life).await);
    assert_eq!(bench.take().await.len(), 1, "what an ended life holds is asked about");
    let answer = bench.note(&key, ticket, checkpoint("payment")).await;
    assert_eq!(answer, Written::NotNow, "a checkpoint is barred for ever");
    let later = bench.later(&key, AskLaterBy::Asker { epoch: 1 }, LEASE);
    assert_done(bench.store.ask_later(later).await, "the asker answers");
    let answer = bench.note(&key, ticket, checkpoint("payment")).await;
    assert_eq!(answer, Written::NotNow, "also when the question was answered");
    let answer = bench.note(&key, ticket, change("Charged")).await;
    assert!(matches!(answer, Written::Done(_)), "what was changed is still told");
}

/// OPS-7-3: the first request to stop stands, and asking again is answered like the first.
pub async fn the_first_request_to_stop_stands(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (key, _) = bench.claimed().await;
    let stop = |proof| RequestStop { key: key.clone(), proof };
    let first = bench.now();
    let answer = kept(bench.store.request_stop(stop(Some(bench.proof()))).await);
    assert_eq!(answer, Written::Done(first), "a request to stop is recorded");
    bench.clock.advance(Duration::from_secs(5));
    for proof in [Some(bench.proof()), None] {
        let answer = kept(bench.store.request_stop(stop(proof)).await);
        assert_eq!(answer, Written::Done(first), "the moment of the first stands");
    }
    let stored = bench.read(&key).await;
    assert_eq!(stored.state, State::InProgress, "a request to stop stops nothing by itself");
    let requested = stored.running.and_then(|running| running.stop_requested);
    assert_eq!(requested, Some(first));
    let events = bench.events(&key).await;
    let asked = events.iter().filter(|event| event.kind == EventKind::StopRequested);
    assert_eq!(asked.count(), 1, "it is on the record once");
}

/// What is not in progress is not stopped.
pub async fn what_is_not_in_progress_is_not_stopped(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let stop = RequestStop { key: new.key.clone(), proof: None };
    assert_not_now(bench.store.request_stop(stop).await, "it is proposed");
    assert_eq!(bench.events(&new.key).await.len(), 1, "nothing is on the record");
}

/// Every change of an operation is on its record, in order, and no event tells terms or summaries.
pub async fn every_change_is_on_the_record_and_no_terms(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let second = bench.revision(2);
    let revise = Revise { key: new.key.clone(), revision: second.clone(), request: None };
    assert_done(bench.store.revise(revise).await, "it can be revised");
    let claim = bench.claim_of_revision(&new, &second);
    let claim = Claim { proof: Some(bench.proof()), ..claim };
    let ticket = ticket_of(&claim);
    assert_done(bench.store.claim(claim).await, "it can be claimed");
    for note in [change("Charged"), checkpoint("payment")] {
        let write = WriteNote { key: new.key.clone(), ticket, note };
        assert_done(bench.store.write_note(write).await, "its performer notes");
    }
    let stop = RequestStop { key: new.key.clone(), proof: Some(bench.proof()) };
    assert_done(bench.store.request_stop(stop).await, "it can be stopped");
    let later = bench.later(&new.key, AskLaterBy::Performer(ticket), Duration::ZERO);
    assert_done(bench.store.ask_later(later).await, "its performer does not know");
    assert_eq!(bench.take_up_to(1).await.len(), 1, "it is asked about");
    let by = FinishBy::Asker { epoch: 1, fence: Some("label".to_owned()) };
    let mut finish = bench.finish(&new.key, by, State::Cancelled);
    finish.changes_seen = 1;
    finish.carried = vec![format!("Refunded the {SECRET}")];
    assert_done(bench.store.finish(finish).await, "its asker ends it");

    let events = bench.events(&new.key).await;
    let kinds: Vec<_> = events.iter().map(|event| event.kind.word()).collect();
    assert_eq!(
        kinds,
        [
            "proposed",
            "revised",
            "confirmed",
            "change_noted",
            "remembered",
            "stop_requested",
            "unsettled",
            "asked",
            "change_noted",
            "ended",
        ]
    );
    assert!(events.is_sorted_by(|a, b| a.sequence < b.sequence && a.at <= b.at), "in order");
    for event in &events {
        assert!(!event.detail.contains(SECRET), "{} tells no terms", event.kind.word());
        // every detail is an object
        let _member = said(event, "");
    }
    let Some(ended) = events.last() else { panic!("the end is on the record") };
    let told = ["state", "by", "epoch", "fence"].map(|member| said(ended, member).to_string());
    assert_eq!(told, [r#""cancelled""#, r#""asker""#, "1", r#""label""#]);
}
