//! The end of proposals that nobody confirms, and what the company is told of them.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{
    ACTION, Bench, COMPANY, LEASE, LIFETIME, SECRET, assert_done, assert_not_now, at_once, kept,
    releases_of, revision, said,
};
use crate::store::{
    Closing, EXPIRED, EndRelease, EventKind, Key, Known, NewOperation, Proposed, Release,
    ReleaseWhy, StoredRevision, TakeReleases, Written,
};

const LATE: Duration = Duration::from_millis(LIFETIME_MS + 1);
const LIFETIME_MS: u64 = 900_000;

async fn expire(bench: &Bench, limit: u32) -> u32 {
    kept(bench.keeping().expire_due(COMPANY, limit).await)
}

async fn take(bench: &Bench) -> Vec<Release> {
    kept(bench.keeping().take_releases(releases_of(COMPANY, 100)).await).releases
}

async fn told(bench: &Bench, release: &Release) {
    let (key, revision) = (release.stored.key.clone(), release.revision.number);
    kept(bench.keeping().end_release(EndRelease { key, revision, again_after: None }).await);
}

/// A proposal whose company wants to be told.
async fn telling(bench: &Bench) -> NewOperation {
    let new = NewOperation { tells_release: true, ..bench.operation() };
    assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::New);
    new
}

/// What was not confirmed in time expires on record, with its result, and gives up its place.
pub async fn what_is_due_expires_on_record(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    bench.clock.advance(LIFETIME);
    assert_eq!(expire(&bench, 10).await, 0, "its last moment is in time");
    bench.clock.advance(Duration::from_millis(1));
    assert_eq!(expire(&bench, 10).await, 1, "after it, it expires");
    assert_eq!(expire(&bench, 10).await, 0, "once");
    let history = bench.history(&new.key).await;
    assert_eq!(history.stored.state, State::Expired);
    let result = history.stored.result.map(|result| (result.summary, result.at));
    assert_eq!(result, Some((EXPIRED.to_owned(), bench.now())));
    let Some(last) = history.events.last() else { panic!("the end is on the record") };
    assert_eq!((last.kind, said(last, "by")), (EventKind::Ended, "expired".into()));
    let again = NewOperation { open: new.open, ..bench.operation() };
    assert_eq!(kept(bench.store.propose(again).await), Proposed::New, "its place is free");
}

/// Nothing else expires: what was confirmed, has ended, or has a later revision with a moment of its own.
pub async fn nothing_else_expires(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (claimed, _) = bench.claimed().await;
    let (ended, _) = bench.ended(State::Succeeded).await;
    let deferred = bench.deferred().await;
    let declined = bench.proposed().await;
    assert_done(bench.close(&declined.key, Closing::Cancelled).await, "it is declined");
    let longer = bench.proposed().await;
    let shorter = bench.proposed().await;
    bench.clock.advance(Duration::from_secs(1));
    let answer = bench.revise(&longer.key, bench.revision(2)).await;
    assert!(matches!(answer, Written::Done(_)), "it is revised");
    let sooner = StoredRevision { expires_at: bench.now(), ..bench.revision(2) };
    assert!(matches!(bench.revise(&shorter.key, sooner).await, Written::Done(_)));
    bench.clock.advance(Duration::from_millis(1));
    assert_eq!(expire(&bench, 10).await, 1, "a revision has a moment of its own");
    assert_eq!(bench.read(&shorter.key).await.state, State::Expired);

    let keys = [&claimed, &ended.key, &deferred.key, &declined.key, &longer.key];
    let mut before = Vec::new();
    for key in keys {
        before.push(bench.on_record(key).await);
    }
    bench.clock.advance(LIFETIME.saturating_sub(Duration::from_millis(1)));
    assert_eq!(expire(&bench, 10).await, 0);
    for (key, before) in keys.into_iter().zip(before) {
        assert_eq!(bench.on_record(key).await, before, "it is as it was");
    }
    bench.clock.advance(Duration::from_millis(1));
    assert_eq!(expire(&bench, 10).await, 1, "then the later revision's moment has come");
    assert_eq!(bench.read(&longer.key).await.state, State::Expired);
}

/// At most as many expire as were asked for, also behind many that were confirmed, and each company's own.
pub async fn no_more_expire_than_were_asked_for(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..150 {
        let (_, _) = bench.claimed().await;
    }
    let mut due = Vec::new();
    for _ in 0..5 {
        due.push(bench.proposed().await.key);
    }
    let theirs = bench.of_another(&bench.operation());
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::New);
    bench.clock.advance(LATE);
    assert_eq!(expire(&bench, 0).await, 0);
    for (limit, expected) in [(3, 3), (3, 2), (3, 0)] {
        assert_eq!(expire(&bench, limit).await, expected);
    }
    for key in &due {
        assert_eq!(bench.read(key).await.state, State::Expired);
    }
    assert_eq!(bench.read(&theirs.key).await.state, State::Proposed, "theirs are left alone");
    assert_eq!(kept(bench.keeping().expire_due("another", 10).await), 1);
}

/// OPS-3-21: a claim and the recording of expiry at the same time: one of the two is written.
pub async fn a_claim_and_an_expiry_do_not_both_win(open: impl Opens) {
    let bench = Bench::open(open).await;
    for late in [false, true].into_iter().cycle().take(20) {
        let new = bench.proposed().await;
        bench.clock.advance(if late { LATE } else { LIFETIME });
        let claim = bench.claim_of(&new);
        let (one, other) = (Arc::clone(&bench.store), Arc::clone(&bench.store));
        let claiming = async move { kept(one.claim(claim).await) };
        let expiring = async move { kept(other.keeping().expire_due(COMPANY, 10).await) };
        let (claimed, expired) = tokio::join!(tokio::spawn(claiming), tokio::spawn(expiring));
        let (claimed, expired) = (claimed.ok(), expired.ok());
        let state = bench.read(&new.key).await.state;
        if late {
            assert_eq!((claimed, expired), (Some(Written::NotNow), Some(1)));
            assert_eq!(state, State::Expired);
        } else {
            assert_eq!(expired, Some(0), "its last moment is in time");
            assert_eq!(state, State::InProgress);
        }
        let finish = crate::store::FinishBy::Settler { who: "op".into(), why: "call".into() };
        let finish = bench.finish(&new.key, finish, State::Failed);
        drop(kept(bench.store.finish(finish).await));
    }
}

/// Whoever wants to be told is told of every revision that will not be performed, with why and its words;
/// of none that is performed, and nobody else is told.
pub async fn each_revision_that_is_not_performed_is_released_once(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (expires, swept) = (telling(&bench).await, telling(&bench).await);
    let replaced = telling(&bench).await;
    bench.clock.advance(LATE);
    assert_done(bench.close(&expires.key, Closing::Expired).await, "one expires");
    let again = NewOperation { open: replaced.open.clone(), ..bench.operation() };
    assert_eq!(kept(bench.store.propose(again).await), Proposed::New, "one gives up its place");
    assert_eq!(expire(&bench, 10).await, 1, "one is found by the sweeper");
    let (declined, revised) = (telling(&bench).await, telling(&bench).await);
    assert_done(bench.close(&declined.key, Closing::Cancelled).await, "one is declined");
    let second = bench.revision(2);
    let third = bench.revision(3);
    for next in [second.clone(), third.clone()] {
        assert!(matches!(bench.revise(&revised.key, next).await, Written::Done(_)));
    }
    let claim = bench.claim_of_revision(&revised, &third);
    assert_done(bench.store.claim(claim).await, "the latest is claimed");
    let quiet = bench.proposed().await;
    assert_done(bench.close(&quiet.key, Closing::Cancelled).await, "nobody wants to be told");

    let mut taken = Vec::new();
    for release in take(&bench).await {
        assert_eq!(release.stored, bench.read(&release.stored.key).await, "as it is now");
        assert_eq!(release.tries, 1);
        told(&bench, &release).await;
        taken.push((release.stored.key, release.revision, release.why));
    }
    let (cancelled, expired, by_revision) =
        (ReleaseWhy::Cancelled, ReleaseWhy::Expired, ReleaseWhy::Revised);
    let expected = [
        (expires.key, expires.revision, expired),
        (swept.key, swept.revision, expired),
        (replaced.key, replaced.revision, expired),
        (declined.key, declined.revision, cancelled),
        (revised.key.clone(), revised.revision, by_revision),
        (revised.key, second, by_revision),
    ];
    assert_eq!(taken.len(), expected.len(), "nothing else: {taken:?}");
    for release in expected {
        assert!(taken.contains(&release), "{:?} of {}", release.2, release.0.id);
    }
    bench.clock.advance(LEASE * 2);
    assert!(take(&bench).await.is_empty(), "what was told is not told again");
}

/// What was taken and not ended is taken again after its lease, counted, and never before.
pub async fn a_release_is_told_again_after_its_lease(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = telling(&bench).await;
    assert_done(bench.close(&new.key, Closing::Cancelled).await, "it is declined");
    for tries in 1..=3 {
        let taken = take(&bench).await;
        assert_eq!(taken.iter().map(|release| release.tries).collect::<Vec<_>>(), [tries]);
        bench.clock.advance(LEASE.saturating_sub(Duration::from_millis(1)));
        assert!(take(&bench).await.is_empty(), "somebody tells it");
        bench.clock.advance(Duration::from_millis(1));
    }
    let again = bench.now().saturating_add(Duration::from_secs(3600));
    let end = EndRelease { key: new.key.clone(), revision: revision(1), again_after: Some(again) };
    kept(bench.keeping().end_release(end.clone()).await);
    bench.clock.advance(Duration::from_millis(3_599_999));
    assert!(take(&bench).await.is_empty(), "its time has not come");
    bench.clock.advance(Duration::from_millis(1));
    let taken = take(&bench).await;
    assert_eq!(taken.first().map(|release| release.tries), Some(4), "now it has");

    let events = bench.events(&new.key).await;
    assert!(events.iter().all(|event| event.kind != EventKind::Released), "nobody was told yet");
    for _ in 0..2 {
        kept(bench.keeping().end_release(EndRelease { again_after: None, ..end.clone() }).await);
        let events = bench.events(&new.key).await;
        let released: Vec<_> =
            events.iter().filter(|event| event.kind == EventKind::Released).collect();
        let [released] = released.as_slice() else { panic!("it is on the record once") };
        assert_eq!(said(released, "revision"), 1);
        assert!(!released.detail.contains(SECRET), "the record tells no terms");
    }
    kept(bench.keeping().end_release(end).await);
    bench.clock.advance(Duration::from_secs(1_000_000));
    assert!(take(&bench).await.is_empty(), "what was told stays told");
}

/// Of many that look for releases at the same time each release goes to one; those that wait longest first.
pub async fn a_release_is_taken_by_one_of_many(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mut expected = Vec::new();
    for _ in 0..12 {
        let new = telling(&bench).await;
        assert_done(bench.close(&new.key, Closing::Cancelled).await, "it is declined");
        expected.push(new.key);
        bench.clock.advance(Duration::from_secs(1));
    }
    let some = |limit| releases_of(COMPANY, limit);
    assert!(kept(bench.keeping().take_releases(some(0)).await).releases.is_empty());
    let first = kept(bench.keeping().take_releases(some(3)).await);
    let (longest, rest) = expected.split_at(3);
    assert!(first.more, "there are more");
    assert_eq!(keys(&first.releases), longest, "those that wait longest come first");
    let answers = at_once((0..24).map(|_| {
        let (store, some) = (Arc::clone(&bench.store), some(2));
        async move { kept(store.keeping().take_releases(some).await) }
    }));
    let mut taken: Vec<_> = answers.await.iter().flat_map(|taken| keys(&taken.releases)).collect();
    taken.sort_by_key(|key| rest.iter().position(|other| other == key));
    assert_eq!(taken, rest, "each goes to one");
}

/// A company is told of its own releases alone, and ends its own alone.
pub async fn a_company_is_told_of_its_own_releases_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mine = telling(&bench).await;
    let theirs = NewOperation { tells_release: true, ..bench.of_another(&mine) };
    assert_eq!(kept(bench.store.propose(theirs.clone()).await), Proposed::New);
    for key in [&mine.key, &theirs.key] {
        assert_done(bench.close(key, Closing::Cancelled).await, "both are declined");
    }
    let end = |company: &str| EndRelease {
        key: Key { company: company.to_owned(), id: mine.key.id.clone() },
        revision: revision(1),
        again_after: None,
    };
    kept(bench.keeping().end_release(end("nobody")).await);
    kept(bench.keeping().end_release(EndRelease { revision: revision(2), ..end(COMPANY) }).await);
    kept(bench.keeping().end_release(end("another")).await);
    assert_eq!(keys(&take(&bench).await), std::slice::from_ref(&mine.key), "mine is still there");
    bench.clock.advance(LEASE);
    let of = releases_of("another", 9);
    assert!(kept(bench.keeping().take_releases(of).await).releases.is_empty(), "theirs was told");
    assert_not_now(bench.store.start(bench.start_of(&mine.key)).await, "it changes nothing else");
}

fn keys(taken: &[Release]) -> Vec<Key> {
    taken.iter().map(|release| release.stored.key.clone()).collect()
}

/// Of a release is told who knows its action and the version of its revision's terms, and nobody else.
pub async fn a_release_is_told_to_who_knows_its_terms(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = NewOperation { tells_release: true, ..bench.operation() };
    assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::New);
    assert_done(bench.close(&new.key, Closing::Cancelled).await, "it is declined");
    for (action, version) in [("another", 1), (ACTION, 2)] {
        let known = vec![Known { action: action.to_owned(), versions: vec![version] }];
        let take = TakeReleases { known, ..releases_of(COMPANY, 9) };
        assert!(kept(bench.keeping().take_releases(take).await).releases.is_empty(), "hands off");
    }
    let taken = kept(bench.keeping().take_releases(releases_of(COMPANY, 9)).await);
    assert_eq!((taken.releases.len(), taken.more), (1, false));
}
