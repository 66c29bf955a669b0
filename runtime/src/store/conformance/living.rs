//! Lives that say that they go on, what an operator has asked about, and what a life that asks knows.

use std::time::Duration;

use super::Opens;
use super::bench::{
    ACTION, Bench, COMPANY, LEASE, assert_done, assert_not_now, kept, releases_of, said, taking,
    waiting_of,
};
use crate::store::{
    AskLaterBy, Beat, Claim, Closing, Key, Known, Life, NewOperation, Performer, Proposed,
    StoredRevision, TakeAskable, TakeReleases, Waiting, Written,
};

/// Only what its reader knows is found waiting, or told as released: the action, and the version of the terms.
pub async fn only_what_is_known_is_started_or_released(open: impl Opens) {
    let bench = Bench::open(open).await;
    let knows = |action: &str, versions: &[u32]| {
        vec![Known { action: action.to_owned(), versions: versions.to_vec() }]
    };
    let new = bench.deferred().await;
    let gone = NewOperation { tells_release: true, ..bench.operation() };
    assert_eq!(kept(bench.store.propose(gone.clone()).await), Proposed::New);
    let next = StoredRevision { schema_version: 2, ..bench.revision(2) };
    assert!(matches!(bench.revise(&gone.key, next).await, Written::Done(_)));
    assert_done(bench.close(&gone.key, Closing::Cancelled).await, "it is declined");
    for known in [Vec::new(), knows("orders.return", &[1, 2]), knows(ACTION, &[3])] {
        let which = Waiting { known: known.clone(), ..waiting_of(COMPANY, 9) };
        assert!(kept(bench.store.waiting(which).await).is_empty(), "it is not known");
        let take = TakeReleases { known, ..releases_of(COMPANY, 9) };
        assert!(
            kept(bench.keeping().take_releases(take).await).releases.is_empty(),
            "nor is it told"
        );
    }
    let found = kept(bench.store.waiting(waiting_of(COMPANY, 9)).await);
    assert_eq!(found.into_iter().map(|stored| stored.key).collect::<Vec<_>>(), [new.key]);
    for version in [2, 1] {
        let take = TakeReleases { known: knows(ACTION, &[version]), ..releases_of(COMPANY, 9) };
        let taken = kept(bench.keeping().take_releases(take).await).releases;
        let told: Vec<_> =
            taken.iter().map(|release| (release.revision.schema_version, release.tries)).collect();
        assert_eq!(told, [(version, 1)], "each revision by the version of its own terms");
    }
}

/// Only what its asker knows is taken: the action, and the version of the terms.
pub async fn only_what_is_known_is_asked_about(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (one, two) = (bench.left().await, bench.operation());
    let two = NewOperation {
        revision: StoredRevision { schema_version: 2, ..two.revision.clone() },
        ..two
    };
    assert_eq!(kept(bench.store.propose(two.clone()).await), Proposed::New);
    let claim = Claim {
        performer: Some(Performer { ticket: bench.ticket(), life: Life([9; 16]) }),
        ..bench.claim_of(&two)
    };
    assert_done(bench.store.claim(claim).await, "a life that never began is dead");
    let take = async |action: &str, versions: &[u32]| {
        let known = Known { action: action.to_owned(), versions: versions.to_vec() };
        let take = TakeAskable { known: vec![known], ..taking(COMPANY, 10) };
        let taken = kept(bench.store.take_askable(take).await);
        taken.into_iter().map(|asked| asked.stored.key).collect::<Vec<_>>()
    };
    let none = TakeAskable { known: Vec::new(), ..taking(COMPANY, 10) };
    assert!(kept(bench.store.take_askable(none).await).is_empty(), "nothing is known");
    assert!(take("orders.return", &[1, 2]).await.is_empty(), "another action is known");
    assert!(take(ACTION, &[3]).await.is_empty(), "other versions are known");
    let epochs = [&one, &two.key].map(|key| bench.read(key));
    for stored in epochs {
        let epoch = stored.await.running.map(|running| running.epoch);
        assert_eq!(epoch, Some(0), "what is not known is left alone");
    }
    assert_eq!(take(ACTION, &[2]).await, std::slice::from_ref(&two.key));
    assert_eq!(take(ACTION, &[1]).await, std::slice::from_ref(&one));
    for key in [&one, &two.key] {
        let later = bench.later(key, AskLaterBy::Asker { epoch: 1 }, Duration::ZERO);
        assert_done(bench.store.ask_later(later).await, "it is answered");
    }
    assert_eq!(take(ACTION, &[1, 2]).await, [one, two.key], "or both");
}

/// An operator has it asked about again, also what three processes died asking about; never while
/// somebody performs it.
pub async fn an_operator_has_it_asked_about_again(open: impl Opens) {
    let bench = Bench::open(open).await;
    let key = bench.left().await;
    for _ in 0..3 {
        assert_eq!(bench.take().await.len(), 1);
        bench.clock.advance(LEASE);
    }
    assert!(bench.take().await.is_empty(), "it is put aside");
    let by = || AskLaterBy::Operator { who: "operator 7".to_owned() };
    let later = bench.later(&key, by(), Duration::ZERO);
    let answer = kept(bench.store.ask_later(later).await);
    assert_eq!(answer, Written::Done(bench.now()));
    let running = bench.read(&key).await.running;
    let running = running.map(|running| (running.died_asking, running.attention, running.epoch));
    assert_eq!(running, Some((0, false, 3)), "the deaths are forgotten, and not the questions");
    let events = bench.events(&key).await;
    let Some(unsettled) = events.last() else { panic!("it is on the record") };
    assert_eq!(
        (said(unsettled, "by"), said(unsettled, "who")),
        ("operator".into(), "operator 7".into())
    );
    assert_eq!(bench.take().await.len(), 1, "it is asked about");

    let (performed, _) = bench.claimed().await;
    let later = bench.later(&performed, by(), Duration::ZERO);
    assert_not_now(bench.store.ask_later(later.clone()).await, "somebody performs it");
    kept(bench.store.end_life(bench.life).await);
    assert_done(bench.store.ask_later(later).await, "and then nobody does");
    let elsewhere = Key { company: "another".to_owned(), id: key.id };
    let later = bench.later(&elsewhere, by(), Duration::ZERO);
    assert_not_now(bench.store.ask_later(later).await, "another company's is left alone");
    let proposed = bench.proposed().await;
    let later = bench.later(&proposed.key, by(), Duration::ZERO);
    assert_not_now(bench.store.ask_later(later).await, "it is not in progress");
}

/// A life that goes on says so; one that was ended, or never began, is told.
pub async fn a_life_hears_whether_it_goes_on(open: impl Opens) {
    let bench = Bench::open(open).await;
    let beat = |life| Beat { life, dead_after: Duration::from_secs(20) };
    for _ in 0..5 {
        bench.clock.advance(Duration::from_secs(5));
        assert!(kept(bench.store.heartbeat(beat(bench.life)).await), "it goes on");
    }
    assert!(!kept(bench.store.heartbeat(beat(Life([9; 16]))).await), "it never began");
    kept(bench.store.end_life(bench.life).await);
    assert!(!kept(bench.store.heartbeat(beat(bench.life)).await), "it was ended");
    assert!(!kept(bench.store.heartbeat(beat(bench.life)).await), "and a beat does not revive it");
    kept(bench.store.begin_life(Life([2; 16])).await);
    assert!(kept(bench.store.heartbeat(beat(Life([2; 16]))).await), "a new one goes on");
}

/// What a life holds that says it goes on is nobody's question, however often others say so too.
pub async fn what_a_beating_life_holds_is_not_asked_about(open: impl Opens) {
    let bench = Bench::open(open).await;
    let (_, _) = bench.claimed().await;
    kept(bench.store.begin_life(Life([2; 16])).await);
    for _ in 0..20 {
        bench.clock.advance(Duration::from_secs(5));
        for life in [bench.life, Life([2; 16])] {
            let beat = Beat { life, dead_after: Duration::from_secs(20) };
            assert!(kept(bench.store.heartbeat(beat).await), "both go on");
        }
        assert!(bench.take().await.is_empty(), "it is performed");
    }
}
