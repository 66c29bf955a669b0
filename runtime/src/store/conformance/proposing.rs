//! Proposals: kept whole, and one at a time for each action of an owner.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{Bench, LIFETIME, assert_done, at_once, id, kept, revision, thirty_two};
use crate::store::{
    Closing, EXPIRED, ErrorKind, EventKind, Key, NewOperation, OpenAction, Proposed, StoredRevision,
};

/// What was proposed is read as it was proposed.
pub async fn a_proposal_is_kept_whole(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let stored = bench.read(&new.key).await;
    assert_eq!(stored.key, new.key);
    assert_eq!(stored.action, new.open.action);
    assert_eq!(stored.owner, new.owner);
    assert_eq!(stored.state, State::Proposed);
    assert_eq!(stored.latest, new.revision, "the words and terms are kept as they are");
    assert_eq!(stored.now, bench.now(), "a read says when it was, by the store's clock");
    assert!(stored.confirmed.is_none() && stored.result.is_none() && stored.running.is_none());
    let history = bench.history(&new.key).await;
    assert_eq!(history.revisions, [new.revision]);
    let kinds: Vec<_> = history.events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Proposed], "a proposal is on the record");
}

/// What is optional may be absent, and comes back absent.
pub async fn a_proposal_without_account_scopes_and_page_is_kept(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mut new = bench.operation();
    new.owner.account = None;
    new.open.owners.truncate(1);
    new.revision.scopes = Vec::new();
    new.revision.url = None;
    assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::New);
    let stored = bench.read(&new.key).await;
    assert_eq!((stored.owner, stored.latest), (new.owner, new.revision));
}

/// An id names one operation for ever.
pub async fn an_id_is_issued_once(open: impl Opens) {
    let bench = Bench::open(open).await;
    let first = bench.proposed().await;
    let before = bench.on_record(&first.key).await;
    let second = NewOperation { key: first.key.clone(), ..bench.operation() };
    let refused = bench.store.propose(second.clone()).await;
    let kind = refused.err().map(|error| error.kind());
    assert_eq!(kind, Some(ErrorKind::NotWritten), "an id that was issued is refused");
    assert_eq!(bench.on_record(&first.key).await, before, "the operation is as it was");
    let found = kept(bench.store.find_open(&second.open).await);
    assert!(found.is_none(), "what was refused has no place among the open actions");
}

/// A revision is kept only under the number and with the digest that it must have.
pub async fn a_revision_that_cannot_be_read_again_is_refused(open: impl Opens) {
    let bench = Bench::open(open).await;
    let good = bench.operation();
    let wrong_digest = StoredRevision { digest: [0; 32], ..good.revision.clone() };
    let wrong_number = StoredRevision { number: revision(2), ..good.revision.clone() };
    for wrong in [wrong_digest, wrong_number] {
        let refused = bench.store.propose(NewOperation { revision: wrong, ..good.clone() }).await;
        let kind = refused.err().map(|error| error.kind());
        assert_eq!(kind, Some(ErrorKind::NotWritten), "it is refused before it is kept");
    }
    assert!(kept(bench.store.read(&good.key).await).is_none(), "nothing was kept");
    assert_eq!(kept(bench.store.propose(good).await), Proposed::New, "its place is free");
}

/// OPS-4-3: while an operation is open, the same action raised again is that operation.
pub async fn the_same_action_raised_again_is_the_open_operation(open: impl Opens) {
    let bench = Bench::open(open).await;
    let first = bench.proposed().await;
    let again = || NewOperation { open: first.open.clone(), ..bench.operation() };
    let open_one = Proposed::Open(first.key.id.clone());
    assert_eq!(kept(bench.store.propose(again()).await), open_one, "while it is proposed");
    let found = kept(bench.store.find_open(&first.open).await).map(|found| found.request);
    assert_eq!(found, Some(first.request), "it is found with the request that led to it");

    let claim = bench.claim_of(&first);
    assert_done(bench.store.claim(claim).await, "it can be claimed");
    bench.clock.advance(LIFETIME * 2);
    let second = again();
    assert_eq!(kept(bench.store.propose(second.clone()).await), open_one, "while in progress");
    let found = kept(bench.store.find_open(&first.open).await).map(|found| found.stored.state);
    assert_eq!(found, Some(State::InProgress), "what is in progress does not expire");
    assert!(kept(bench.store.read(&second.key).await).is_none(), "the second was not kept");
}

/// OPS-4-3: of many proposals of one action at the same time, one is opened.
pub async fn fifty_proposals_at_once_open_one_operation(open: impl Opens) {
    let bench = Bench::open(open).await;
    let one = bench.operation().open;
    let proposals: Vec<_> =
        (0..50).map(|_| NewOperation { open: one.clone(), ..bench.operation() }).collect();
    let ids: Vec<_> = proposals.iter().map(|new| new.key.id.clone()).collect();
    let answers = at_once(proposals.into_iter().map(|new| {
        let store = Arc::clone(&bench.store);
        async move { (new.key.id.clone(), kept(store.propose(new).await)) }
    }));
    let answers = answers.await;
    let mut opened = answers.iter().filter(|(_, answer)| *answer == Proposed::New);
    let (winner, _) = opened.next().unwrap_or_else(|| panic!("one of them is opened"));
    assert!(opened.next().is_none(), "no second one is opened");
    for (_, answer) in answers.iter().filter(|(id, _)| id != winner) {
        assert_eq!(*answer, Proposed::Open(winner.clone()), "the others are told which it is");
    }
    for id in ids.into_iter().filter(|id| id != winner) {
        let key = Key { company: one.company.clone(), id };
        assert!(kept(bench.store.read(&key).await).is_none(), "the others were not kept");
    }
}

/// An operation that was opened under one owner tag is found by whoever also has that tag.
pub async fn an_open_operation_is_found_under_several_owner_tags(open: impl Opens) {
    let bench = Bench::open(open).await;
    let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    let mut signed_out = bench.operation();
    signed_out.open.owners = tags(&["s:1"]);
    assert_eq!(kept(bench.store.propose(signed_out.clone()).await), Proposed::New);

    // signed in since, in the same Session
    let signed_in = OpenAction { owners: tags(&["a:1", "s:1"]), ..signed_out.open.clone() };
    let found = kept(bench.store.find_open(&signed_in).await).map(|found| found.stored.key);
    assert_eq!(found.as_ref(), Some(&signed_out.key), "its own Session's is found");
    let new = NewOperation { open: signed_in.clone(), ..bench.operation() };
    let answer = kept(bench.store.propose(new).await);
    assert_eq!(answer, Proposed::Open(signed_out.key.id), "and not proposed a second time");

    // another Session of the account has the first tag alone
    let elsewhere = OpenAction { owners: tags(&["a:1", "s:2"]), ..signed_out.open };
    assert!(kept(bench.store.find_open(&elsewhere).await).is_none(), "a tag in common is needed");
    let other = NewOperation { open: elsewhere.clone(), ..bench.operation() };
    assert_eq!(kept(bench.store.propose(other.clone()).await), Proposed::New);
    let found = kept(bench.store.find_open(&signed_in).await).map(|found| found.stored.key);
    assert_eq!(found.as_ref(), Some(&other.key), "the first tag that has one counts");
    let third = OpenAction { owners: tags(&["s:2"]), ..elsewhere };
    assert!(kept(bench.store.find_open(&third).await).is_none(), "it has its first tag's place");
}

/// Another action, identity, owner or company has a place of its own.
pub async fn another_action_has_another_place(open: impl Opens) {
    let bench = Bench::open(open).await;
    let first = bench.proposed().await;
    let open = &first.open;
    for other in [
        OpenAction { action: "orders.return".to_owned(), ..open.clone() },
        OpenAction { identity: thirty_two(9_999), ..open.clone() },
        OpenAction { owners: vec!["a:somebody else".to_owned()], ..open.clone() },
        OpenAction { company: "another".to_owned(), ..open.clone() },
    ] {
        assert!(kept(bench.store.find_open(&other).await).is_none(), "nothing is open there");
        let mut new = bench.operation();
        new.key.company.clone_from(&other.company);
        new.open = other;
        assert_eq!(kept(bench.store.propose(new).await), Proposed::New, "the place is free");
    }
}

/// An operation that was not confirmed in time gives its place to the next one, and its expiry is
/// recorded with that.
pub async fn an_expired_operation_gives_up_its_place(open: impl Opens) {
    let bench = Bench::open(open).await;
    let first = bench.proposed().await;
    bench.clock.advance(LIFETIME);
    let again = NewOperation { open: first.open.clone(), ..bench.operation() };
    let answer = kept(bench.store.propose(again.clone()).await);
    assert_eq!(answer, Proposed::Open(first.key.id.clone()), "at its last moment it is open");
    bench.clock.advance(Duration::from_millis(1));
    assert!(kept(bench.store.find_open(&first.open).await).is_none(), "then it is not");
    assert_eq!(kept(bench.store.propose(again.clone()).await), Proposed::New);

    let expired = bench.history(&first.key).await;
    assert_eq!(expired.stored.state, State::Expired, "its expiry is recorded");
    let result = expired.stored.result.map(|result| (result.summary, result.at));
    assert_eq!(result, Some((EXPIRED.to_owned(), bench.now())), "with a result");
    let last = expired.events.last().map(|event| event.kind);
    assert_eq!(last, Some(EventKind::Ended), "and is on the record");
    let found = kept(bench.store.find_open(&first.open).await).map(|found| found.stored.key);
    assert_eq!(found, Some(again.key), "the new one has its place");
}

/// A final operation does not stand in the way of a new one.
pub async fn a_final_operation_gives_up_its_place(open: impl Opens) {
    let bench = Bench::open(open).await;
    for state in State::ALL.into_iter().filter(|state| state.is_final()) {
        let (first, _) = bench.ended(state).await;
        assert!(kept(bench.store.find_open(&first.open).await).is_none(), "{state} is not open");
        let next = NewOperation { open: first.open, ..bench.operation() };
        assert_eq!(kept(bench.store.propose(next).await), Proposed::New, "after {state}");
    }
    let cancelled = bench.proposed().await;
    assert_done(bench.close(&cancelled.key, Closing::Cancelled).await, "it can be cancelled");
    let next = NewOperation { open: cancelled.open, ..bench.operation() };
    assert_eq!(kept(bench.store.propose(next).await), Proposed::New, "after it was declined");
}

/// An operation that is not there is not there, and nothing can be written about it.
pub async fn an_unknown_operation_is_not_there(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mut new = bench.operation();
    new.key.id = id("exc_nobody_proposed_this");
    assert!(kept(bench.store.read(&new.key).await).is_none());
    assert!(kept(bench.store.history(&new.key).await).is_none());
    assert!(kept(bench.store.find_open(&new.open).await).is_none());
    let claim = bench.claim_of(&new);
    super::bench::assert_not_now(bench.store.claim(claim).await, "nothing is claimed");
}
