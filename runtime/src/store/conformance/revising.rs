//! Revisions: fixed once issued, and only the latest counts.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{
    Bench, LIFETIME, assert_done, assert_not_now, at_once, count_done, kept, revision, thirty_two,
};
use crate::store::{ErrorKind, EventKind, Revise, StoredRevision, Written};

/// OPS-3.1-1 OPS-3.1-2: whatever is issued later, an older revision stays as it was issued.
pub async fn a_revision_never_changes(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let mut issued = vec![new.revision];
    for number in 2..=5 {
        bench.clock.advance(Duration::from_secs(1));
        let next = bench.revision(number);
        let answer = bench.revise(&new.key, next.clone()).await;
        assert_eq!(answer, Written::Done(bench.now()), "the next revision is issued");
        issued.push(next);
        let history = bench.history(&new.key).await;
        assert_eq!(history.revisions, issued, "all revisions are there as they were issued");
        assert_eq!(Some(&history.stored.latest), issued.last(), "the newest is the latest");
    }
    let kinds: Vec<_> = bench.events(&new.key).await.iter().map(|event| event.kind).collect();
    assert_eq!(kinds.first(), Some(&EventKind::Proposed));
    let revised = kinds.iter().filter(|kind| **kind == EventKind::Revised).count();
    assert_eq!(revised, 4, "each later revision is on the record");
}

/// OPS-3.1-3: an older revision cannot be claimed, and the latest can.
pub async fn only_the_latest_revision_can_be_claimed(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let second = bench.revision(2);
    let answer = bench.revise(&new.key, second.clone()).await;
    assert!(matches!(answer, Written::Done(_)), "the next revision is issued");
    for number in [1, 3, u32::MAX] {
        let number = StoredRevision { number: revision(number), ..second.clone() };
        let claim = bench.claim_of_revision(&new, &number);
        assert_not_now(bench.store.claim(claim).await, "it is not the latest revision");
    }
    assert_eq!(bench.read(&new.key).await.state, State::Proposed, "nothing was claimed");
    let claim = bench.claim_of_revision(&new, &second);
    assert_done(bench.store.claim(claim).await, "the latest revision can be claimed");
}

/// A revision has the number after the latest, or is refused.
pub async fn revisions_are_numbered_without_gaps(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    for number in [1, 3, 7] {
        let answer = bench.revise(&new.key, bench.revision(number)).await;
        assert_eq!(answer, Written::NotNow, "{number} does not come after 1");
    }
    assert!(matches!(bench.revise(&new.key, bench.revision(2)).await, Written::Done(_)));
    let again = bench.revise(&new.key, bench.revision(2)).await;
    assert_eq!(again, Written::NotNow, "a number is issued once");
    assert_eq!(bench.history(&new.key).await.revisions.len(), 2, "what was refused is not there");
}

/// A revision whose digest is not that of its words is refused, and the operation is as it was.
pub async fn a_revision_is_issued_only_with_its_digest(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let wrong = StoredRevision { summary: "Something else.".to_owned(), ..bench.revision(2) };
    let revise = Revise { key: new.key.clone(), revision: wrong, request: None };
    let kind = bench.store.revise(revise).await.err().map(|error| error.kind());
    assert_eq!(kind, Some(ErrorKind::NotWritten), "it could not be read again");
    assert_eq!(bench.read(&new.key).await.latest, new.revision, "nothing was issued");
}

/// OPS-3.1-4: terms can change only while the operation can be confirmed.
pub async fn nothing_is_revised_that_cannot_be_confirmed(open: impl Opens) {
    let bench = Bench::open(open).await;
    let late = bench.proposed().await;
    bench.clock.advance(LIFETIME);
    let answer = bench.revise(&late.key, bench.revision(2)).await;
    assert!(matches!(answer, Written::Done(_)), "at its last moment it can be revised");
    bench.clock.advance(LIFETIME + Duration::from_millis(1));
    let answer = bench.revise(&late.key, bench.revision(3)).await;
    assert_eq!(answer, Written::NotNow, "an expired operation gets no new revision");

    let (claimed, _) = bench.claimed().await;
    let answer = bench.revise(&claimed, bench.revision(2)).await;
    assert_eq!(answer, Written::NotNow, "after the confirmation terms do not change");
    assert_eq!(bench.history(&claimed).await.revisions.len(), 1);
}

/// A revision has a last moment of its own: a later one than the first, or an earlier one.
pub async fn a_revision_has_its_own_time(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (longer, shorter) = (bench.proposed().await, bench.proposed().await);
    bench.clock.advance(LIFETIME.saturating_sub(Duration::from_secs(1)));
    let long = bench.revision(2);
    assert!(matches!(bench.revise(&longer.key, long.clone()).await, Written::Done(_)));
    let soon = bench.now();
    let short = StoredRevision { expires_at: soon, ..bench.revision(2) };
    assert!(matches!(bench.revise(&shorter.key, short.clone()).await, Written::Done(_)));

    bench.clock.advance(Duration::from_millis(1));
    let claim = bench.claim_of_revision(&shorter, &short);
    assert_not_now(bench.store.claim(claim).await, "its own last moment has passed");
    bench.clock.advance(LIFETIME.saturating_sub(Duration::from_millis(1)));
    let claim = bench.claim_of_revision(&longer, &long);
    assert_done(bench.store.claim(claim).await, "its own last moment is now");
}

/// The request on record with an open action is the one that led to the latest revision.
pub async fn a_revision_replaces_the_request_it_answers(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    let key = new.key.clone();
    for (number, request, expected) in [
        (2, Some(thirty_two(77)), thirty_two(77)),
        (3, None, thirty_two(77)),
        (4, Some(thirty_two(78)), thirty_two(78)),
    ] {
        let revise = Revise { key: key.clone(), revision: bench.revision(number), request };
        assert_done(bench.store.revise(revise).await, "the next revision is issued");
        let found = kept(bench.store.find_open(&new.open).await);
        let found = found.map(|found| (found.request, found.stored.latest.number.get()));
        assert_eq!(found, Some((expected, number)));
    }
}

/// OPS-3.1-4: a claim and a revision at the same time: the claimed revision is the latest, or the claim is refused.
pub async fn a_claim_and_a_revision_do_not_both_win(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..20 {
        let new = bench.proposed().await;
        let (claim, next) = (bench.claim_of(&new), bench.revision(2));
        let revise = Revise { key: new.key.clone(), revision: next, request: None };
        let (one, other) = (Arc::clone(&bench.store), Arc::clone(&bench.store));
        let claiming = async move { kept(one.claim(claim).await) };
        let revising = async move { kept(other.revise(revise).await) };
        let race: [std::pin::Pin<Box<dyn Future<Output = Written> + Send>>; 2] =
            [Box::pin(claiming), Box::pin(revising)];
        assert_eq!(count_done(&at_once(race).await), 1, "exactly one of the two is written");
        let stored = bench.read(&new.key).await;
        let expected = if stored.confirmed.is_some() { 1 } else { 2 };
        assert_eq!(stored.latest.number.get(), expected, "what was claimed is the latest");
    }
}
