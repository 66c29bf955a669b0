//! How long operations are kept: removed whole, or blanked, and never what is still open.

use std::time::Duration;

use pap_protocol::operation::State;
use pap_protocol::value::Instant;

use super::Opens;
use super::bench::{
    ACTION, Bench, COMPANY, SECRET, assert_done, change, checkpoint, kept, releases_of, revision,
};
use crate::store::{
    ActBy, ActId, AskLaterBy, Closing, EndRelease, Erase, Erased, ErrorKind, EventKind, Finish,
    FinishBy, Key, Late, NewOperation, NoteKind, OpenAction, Owner, Proposed, Purge, Search,
    Written, digest_of, salted,
};

pub(super) fn purge(ended_before: Instant) -> Purge {
    let (company, action) = (COMPANY.to_owned(), ACTION.to_owned());
    Purge { company, action, ended_before, after: None, limit: 1_000, by: None }
}

/// An operation that ended with everything on record that can be: revisions, notes, questions, a late
/// outcome.
async fn eventful(bench: &Bench, new: NewOperation) -> Key {
    assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::New);
    let second = bench.revision(2);
    assert!(matches!(bench.revise(&new.key, second.clone()).await, Written::Done(_)));
    let claim = bench.claim_of_revision(&new, &second);
    let ticket = super::bench::ticket_of(&claim);
    assert_done(bench.store.claim(claim).await, "it is claimed");
    for note in [change("Charged"), checkpoint("payment")] {
        assert!(matches!(bench.note(&new.key, ticket, note).await, Written::Done(_)));
    }
    let later = bench.later(&new.key, AskLaterBy::Performer(ticket), Duration::ZERO);
    assert_done(bench.store.ask_later(later).await, "its performer does not know");
    let finish = bench.finish(&new.key, FinishBy::Performer(ticket), State::Succeeded);
    let carried = vec![format!("Refunded the {SECRET}")];
    let finish = Finish { changes_seen: 1, carried, ..finish };
    assert_done(bench.store.finish(finish).await, "and then does");
    let what = "the warehouse says otherwise".to_owned();
    kept(bench.store.record_late(Late { key: new.key.clone(), state: None, what }).await);
    new.key
}

/// What ended before the moment is gone whole, and is not found, counted or told in any way.
/// Row E19.
pub async fn what_was_purged_is_gone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let old = eventful(&bench, bench.operation()).await;
    let (cancelled, expired) = (bench.proposed().await, bench.proposed().await);
    assert_done(bench.close(&cancelled.key, Closing::Cancelled).await, "one is declined");
    bench.clock.advance(super::bench::LIFETIME * 2);
    assert_eq!(kept(bench.keeping().expire_due(COMPANY, 9).await), 1);
    let moment = bench.now();
    let (at_it, _) = bench.ended(State::Failed).await;
    let before = bench.on_record(&at_it.key).await;

    let purged = kept(bench.keeping().purge(purge(moment)).await);
    assert_eq!((purged.removed, purged.next), (2, None), "what ended before, and not at it");
    for key in [&old, &cancelled.key] {
        assert!(kept(bench.store.read(key).await).is_none(), "it is not there");
        assert!(kept(bench.store.history(key).await).is_none(), "nor anything about it");
    }
    assert_eq!(bench.on_record(&at_it.key).await, before, "the others are as they were");
    bench.clock.advance(Duration::from_millis(1));
    assert_eq!(kept(bench.keeping().purge(purge(bench.now())).await).removed, 2, "then these");
    assert!(kept(bench.store.read(&expired.key).await).is_none());
    let all = Search { company: COMPANY.to_owned(), limit: 9, ..Search::default() };
    assert!(kept(bench.keeping().search(all).await).operations.is_empty(), "nothing is found");
    assert_eq!(kept(bench.keeping().purge(purge(bench.now())).await).removed, 0, "nothing is left");
    let lines = kept(bench.keeping().verify(COMPANY).await);
    assert!(lines.is_empty(), "and nothing loose: {lines:?}");
}

/// What is not final, or has a release that was not told, stays, however old it is. Row E20.
pub async fn what_is_open_is_never_purged(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (claimed, _) = bench.claimed().await;
    let open =
        [bench.proposed().await.key, claimed, bench.left().await, bench.deferred().await.key];
    let untold = NewOperation { tells_release: true, ..bench.operation() };
    assert_eq!(kept(bench.store.propose(untold.clone()).await), Proposed::New);
    assert_done(bench.close(&untold.key, Closing::Cancelled).await, "it is declined");
    bench.clock.advance(Duration::from_secs(100_000_000));
    let far = bench.now().saturating_add(Duration::from_secs(100_000_000));
    for round in 0..2 {
        assert_eq!(kept(bench.keeping().purge(purge(far)).await).removed, 0, "round {round}");
        for key in open.iter().chain([&untold.key]) {
            assert!(kept(bench.store.read(key).await).is_some(), "it stays");
        }
        // taken is not yet told
        let taken = kept(bench.keeping().take_releases(releases_of(COMPANY, 9)).await).releases;
        assert_eq!(taken.len(), 1 - round);
    }
    let key = untold.key.clone();
    let end = EndRelease { key, revision: revision(1), again_after: None };
    kept(bench.keeping().end_release(end).await);
    assert_eq!(kept(bench.keeping().purge(purge(far)).await).removed, 1, "then it is over");
    assert!(kept(bench.store.read(&untold.key).await).is_none());
}

/// The id of an operation that was removed is not issued again; its place among the open actions is free.
/// Row E19.
pub async fn the_id_of_what_was_purged_is_not_issued_again(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mut gone = Vec::new();
    for _ in 0..3 {
        gone.push(bench.ended(State::Succeeded).await.0);
    }
    bench.clock.advance(Duration::from_secs(1));
    assert_eq!(bench.purge_all().await, 3);
    for old in gone {
        let again = NewOperation { key: old.key.clone(), ..bench.operation() };
        let kind = bench.store.propose(again).await.err().map(|error| error.kind());
        assert_eq!(kind, Some(ErrorKind::NotWritten), "an id is issued once");
        assert!(kept(bench.store.read(&old.key).await).is_none());
        let next = NewOperation { open: old.open, ..bench.operation() };
        assert_eq!(kept(bench.store.propose(next).await), Proposed::New, "its place is free");
        let theirs = bench.of_another(&NewOperation { key: old.key, ..bench.operation() });
        assert_eq!(kept(bench.store.propose(theirs).await), Proposed::New, "another company may");
    }
}

/// Removing goes on from place to place, looks at no more than was asked for, and at one action and company.
pub async fn purging_goes_on_in_small_steps(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mut ended = 0;
    for number in 0..150 {
        if number % 3 == 0 {
            bench.proposed().await;
        } else {
            bench.ended(State::Succeeded).await;
            ended += 1;
        }
    }
    let mut other = bench.operation();
    other.open = OpenAction { action: "orders.return".to_owned(), ..other.open };
    let theirs = bench.of_another(&other);
    for new in [&other, &theirs] {
        assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::New);
        assert_done(bench.close(&new.key, Closing::Cancelled).await, "it is declined");
    }
    bench.clock.advance(Duration::from_secs(1));
    let none = kept(bench.keeping().purge(Purge { limit: 0, ..purge(bench.now()) }).await);
    assert_eq!(none.removed, 0);
    let (mut after, mut removed, mut steps) = (None, 0, 0);
    loop {
        let step = Purge { after, limit: 40, ..purge(bench.now()) };
        let step = kept(bench.keeping().purge(step).await);
        assert!(step.removed <= 40 && (step.next.is_none() || step.next > after));
        (removed, steps, after) = (removed + step.removed, steps + 1, step.next);
        if after.is_none() {
            break;
        }
    }
    assert_eq!((removed, steps), (ended, 4), "all of them, 40 looked at in each step");
    for key in [&other.key, &theirs.key] {
        assert!(kept(bench.store.read(key).await).is_some(), "another action, another company");
    }
}

/// What an account's final operations say is blanked: nothing of it is left in anything that can be read.
/// What became of them and when stays.
pub async fn what_was_erased_says_nothing(open: impl Opens) {
    let bench = Bench::open(open).await;
    let owner = Owner {
        client: "https://agent.example/client.json".to_owned(),
        user: "user-of-ada".to_owned(),
        account: Some("ada".to_owned()),
        session: "session-of-ada".to_owned(),
    };
    let new =
        NewOperation { owner, reference: Some("order-of-ada".to_owned()), ..bench.operation() };
    let key = eventful(&bench, new).await;
    let before = bench.history(&key).await;
    bench.clock.advance(Duration::from_secs(7));
    let erased = kept(bench.keeping().erase(erase("ada")).await);
    assert_eq!(erased, Erased { erased: 1, open: 0, more: false });

    let after = bench.history(&key).await;
    let told = [
        format!("{:?}", after.stored.owner),
        format!("{:?}", after.stored.reference),
        after.stored.confirmed.as_ref().map_or_else(String::new, |confirmed| {
            let by = &confirmed.by;
            format!("{} {} {:?}", by.key_thumbprint, by.session, by.account)
        }),
        after.notes.iter().fold(String::new(), |told, note| match &note.note {
            NoteKind::Change(text) | NoteKind::Checkpoint { value: text, .. } => told + text,
        }),
        format!("{:?}", after.events),
        after
            .stored
            .result
            .as_ref()
            .map_or_else(String::new, |result| format!("{}{:?}", result.summary, result.data)),
        after.revisions.iter().fold(String::new(), |told, revision| {
            told + &revision.full
                + &revision.wire
                + &revision.summary
                + &revision.scopes.concat()
                + revision.url.as_deref().unwrap_or_default()
        }),
    ]
    .concat();
    for word in [SECRET, "ada", "thumbprint", "s2", "orders:write", "warehouse"] {
        assert!(!told.contains(word), "`{word}` is left: {told}");
    }
    let kinds = |history: &crate::store::History| -> Vec<_> {
        history.events.iter().map(|event| (event.sequence, event.kind, event.at)).collect()
    };
    let (mut kept_kinds, kinds_before) = (kinds(&after), kinds(&before));
    let last = kept_kinds.pop().map(|(_, kind, at)| (kind, at));
    assert_eq!(last, Some((EventKind::Erased, bench.now())), "the blanking is on the record");
    assert_eq!(kept_kinds, kinds_before, "and what happened, and when");
    assert_eq!(after.stored.state, before.stored.state);
    assert_eq!(after.stored.action, before.stored.action);
    assert_eq!(after.stored.owner.client, before.stored.owner.client, "the agent is no person");
    let confirmation = |history: &crate::store::History| {
        history.stored.confirmed.as_ref().map(|confirmed| confirmed.confirmation.clone())
    };
    assert_eq!(confirmation(&after), confirmation(&before), "that it was confirmed, and how");
    let ended =
        |history: &crate::store::History| history.stored.result.as_ref().map(|result| result.at);
    assert_eq!(ended(&after), ended(&before));
    assert_eq!(after.notes.len(), before.notes.len());
    assert!(kept(bench.keeping().verify(COMPANY).await).is_empty(), "it still fits together");
}

/// Whoever has the words can show that they are the ones that were confirmed, and only by the salt beside
/// them.
pub async fn an_erased_digest_shows_the_words_to_whoever_has_them(open: impl Opens) {
    let bench = Bench::open(open).await;
    let keys = [eventful(&bench, bench.operation()).await, bench.ended(State::Failed).await.0.key];
    let mut before = Vec::new();
    for key in &keys {
        before.push(bench.history(key).await);
    }
    assert_eq!(kept(bench.keeping().erase(erase("acct")).await).erased, 2);
    let mut salts = Vec::new();
    for (key, before) in keys.iter().zip(before) {
        let after = bench.history(key).await;
        let Some(erasure) = after.stored.erased else { panic!("it was blanked") };
        assert_eq!(erasure.at, bench.now());
        for (was, is) in before.revisions.iter().zip(&after.revisions) {
            let digest = digest_of(&was.summary, &was.full, &was.wire);
            assert_eq!(is.digest, salted(&erasure.salt, &digest), "the words can be shown");
            assert_ne!(is.digest, was.digest, "and not looked up");
        }
        let confirmed = before.stored.confirmed.map(|was| salted(&erasure.salt, &was.by.digest));
        let is = after.stored.confirmed.map(|confirmed| confirmed.by.digest);
        assert_eq!(is, confirmed, "so can what was confirmed");
        salts.push(erasure.salt);
    }
    assert_ne!(salts.first(), salts.last(), "each has a salt of its own");
}

/// What is not final, or has a release that was not told, is left as it is and counted; the rest is blanked
/// in as many steps as were asked for, and nobody else's.
pub async fn what_is_open_is_not_erased(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (claimed, _) = bench.claimed().await;
    let mut open = vec![bench.proposed().await.key, claimed, bench.deferred().await.key];
    let untold = NewOperation { tells_release: true, ..bench.operation() };
    assert_eq!(kept(bench.store.propose(untold.clone()).await), Proposed::New);
    assert_done(bench.close(&untold.key, Closing::Cancelled).await, "it is declined");
    open.push(untold.key);
    let others = NewOperation {
        owner: Owner { account: Some("acct2".to_owned()), ..bench.operation().owner },
        ..bench.operation()
    };
    open.push(eventful(&bench, others).await);
    let theirs = bench.of_another(&bench.operation());
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::New);
    assert_done(bench.close(&theirs.key, Closing::Cancelled).await, "theirs is declined");
    open.push(theirs.key);
    let mut over = Vec::new();
    for _ in 0..20 {
        over.push(bench.ended(State::Succeeded).await.0.key);
    }
    let mut before = Vec::new();
    for key in &open {
        before.push(bench.on_record(key).await);
    }
    let all = |erased, more| Erased { erased, open: 4, more };
    for (limit, expected) in
        [(0, all(0, true)), (3, all(3, true)), (99, all(17, false)), (9, all(0, false))]
    {
        let step = Erase { limit, ..erase("acct") };
        assert_eq!(kept(bench.keeping().erase(step).await), expected);
    }
    for key in &over {
        assert!(bench.read(key).await.erased.is_some(), "what is over is blanked");
    }
    for (key, before) in open.iter().zip(before) {
        assert_eq!(bench.on_record(key).await, before, "what is open, or another's, is as it was");
    }
    let nobody = kept(bench.keeping().erase(erase("nobody")).await);
    assert_eq!(nobody, Erased { erased: 0, open: 0, more: false });
}

/// What was blanked is final like before: it can be found by what is left, kept late outcomes and be removed.
pub async fn what_was_erased_is_still_final(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (new, _) = bench.ended(State::Succeeded).await;
    assert_eq!(kept(bench.keeping().erase(erase("acct")).await).erased, 1);
    let by = Search { company: COMPANY.to_owned(), limit: 9, ..Search::default() };
    let found = kept(bench.keeping().search(by.clone()).await).operations;
    assert_eq!(found, [bench.read(&new.key).await], "it is found by what is left");
    let by_account = Search { account: Some("acct".to_owned()), ..by.clone() };
    let by_reference = Search { reference: new.reference.clone(), ..by };
    for gone in [by_account, by_reference] {
        assert!(kept(bench.keeping().search(gone).await).operations.is_empty());
    }
    let what = "the warehouse says otherwise".to_owned();
    let late = Late { key: new.key.clone(), state: Some(State::Failed), what };
    kept(bench.store.record_late(late).await);
    let on_record = bench.on_record(&new.key).await;
    let last = on_record.events.last().map(|event| (event.kind, event.detail.as_str()));
    let no_word = r#"{"state":"failed","what":""}"#;
    assert_eq!(last, Some((EventKind::LateOutcome, no_word)), "that it came, and no word of it");
    let again = NewOperation { key: new.key.clone(), ..bench.operation() };
    assert!(bench.store.propose(again).await.is_err(), "its id is not issued again");
    bench.clock.advance(Duration::from_secs(1));
    assert_eq!(bench.purge_all().await, 1);
    assert!(kept(bench.store.read(&new.key).await).is_none());
}

pub(super) fn erase(account: &str) -> Erase {
    let by =
        ActBy { act: ActId([7; 16]), who: "operator 7".to_owned(), why: "request 17".to_owned() };
    Erase { company: COMPANY.to_owned(), account: account.to_owned(), limit: 1_000, by }
}

/// A store on which nothing went wrong says nothing, in whatever state operations are.
pub async fn a_healthy_store_verifies(open: impl Opens) {
    let bench = Bench::open(open).await;
    assert!(kept(bench.keeping().verify(COMPANY).await).is_empty(), "an empty one");
    eventful(&bench, bench.operation()).await;
    for state in State::ALL.into_iter().filter(|state| state.is_final()) {
        bench.ended(state).await;
    }
    let untold = NewOperation { tells_release: true, ..bench.operation() };
    assert_eq!(kept(bench.store.propose(untold.clone()).await), Proposed::New);
    assert!(matches!(bench.revise(&untold.key, bench.revision(2)).await, Written::Done(_)));
    bench.left().await;
    bench.take().await;
    bench.claimed().await;
    bench.deferred().await;
    let started = bench.deferred().await;
    assert_done(bench.store.start(bench.start_of(&started.key)).await, "it is started");
    let theirs = bench.of_another(&bench.proposed().await);
    assert_eq!(kept(bench.store.propose(theirs).await), Proposed::New);
    for company in [COMPANY, "another", "nobody"] {
        let lines = kept(bench.keeping().verify(company).await);
        assert!(lines.is_empty(), "{company}: {lines:?}");
    }
}
