//! What operators did: on record with the very thing that was done, and only if it was.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{ACTION, Bench, COMPANY, at_once, kept};
use super::draft::{pause, resume};
use super::keeping::{erase, purge};
use crate::store::{Act, ActKind, Erase, Pause, PauseOf, Purge, ReadActs};

/// Every pause, its end, every purge and every erasure is told with who, why, when and how much; an erasure keeps
/// nothing that tells whose operations they were.
pub async fn what_operators_did_is_on_record(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mut expected = Vec::new();
    let mut expect = |kind, action: Option<&str>, (who, why): (&str, &str), operations| {
        let number = u64::try_from(expected.len() + 1).unwrap_or(u64::MAX);
        let (action, who) = (action.map(str::to_owned), who.to_owned());
        let (at, why) = (bench.now(), why.to_owned());
        expected.push(Act { number, at, kind, action, who, why, operations });
        bench.clock.advance(Duration::from_secs(1));
    };
    for action in [Some(ACTION), None] {
        kept(bench.keeping().pause(pause(action, PauseOf::Claims)).await);
        let by = ("operator 7", "the warehouse burns");
        expect(ActKind::Pause(PauseOf::Claims), action, by, 0);
    }
    for action in [None, Some(ACTION)] {
        assert!(kept(bench.keeping().resume(resume(action, PauseOf::Claims)).await));
        expect(ActKind::Resume(PauseOf::Claims), action, ("operator 8", "it rained"), 0);
    }
    kept(bench.keeping().pause(pause(None, PauseOf::Proposals)).await);
    let by = ("operator 7", "the warehouse burns");
    expect(ActKind::Pause(PauseOf::Proposals), None, by, 0);
    assert!(kept(bench.keeping().resume(resume(None, PauseOf::Proposals)).await));
    expect(ActKind::Resume(PauseOf::Proposals), None, ("operator 8", "it rained"), 0);
    for _ in 0..3 {
        bench.ended(State::Succeeded).await;
    }
    assert_eq!(kept(bench.keeping().erase(erase("acct")).await).erased, 3);
    expect(ActKind::Erase, None, ("operator 7", "request 17"), 3);
    let old = Purge { by: Some(bench.by()), ..purge(bench.now()) };
    assert_eq!(kept(bench.keeping().purge(old).await).removed, 3);
    expect(ActKind::Purge, Some(ACTION), ("operator 7", "kept for a year"), 3);
    assert_eq!(bench.acts_of(COMPANY).await, expected);
}

/// A pause of what is paused, the end of none, and a purge or an erasure of nothing leave nothing on record.
pub async fn what_changed_nothing_is_no_act(open: impl Opens) {
    let bench = Bench::open(open).await;
    assert!(bench.acts_of(COMPANY).await.is_empty(), "nothing was done");
    assert!(!kept(bench.keeping().resume(resume(None, PauseOf::Claims)).await));
    bench.claimed().await;
    let old = || Purge { by: Some(bench.by()), ..purge(bench.now()) };
    assert_eq!(kept(bench.keeping().purge(old()).await).removed, 0);
    assert_eq!(kept(bench.keeping().erase(erase("acct")).await).erased, 0);
    bench.ended(State::Failed).await;
    assert_eq!(kept(bench.keeping().purge(Purge { limit: 0, ..old() }).await).removed, 0);
    assert_eq!(kept(bench.keeping().erase(Erase { limit: 0, ..erase("acct") }).await).erased, 0);
    assert!(bench.acts_of(COMPANY).await.is_empty(), "and nothing is there");
    kept(bench.keeping().pause(pause(None, PauseOf::Claims)).await);
    let again = Pause { who: "operator 9".to_owned(), ..pause(None, PauseOf::Claims) };
    kept(bench.keeping().pause(again).await);
    assert!(!kept(bench.keeping().resume(resume(Some(ACTION), PauseOf::Claims)).await));
    let acts = bench.acts_of(COMPANY).await;
    assert_eq!(acts.len(), 1, "the first pause alone: {acts:?}");
}

/// What is done in steps is one act: there with the first operation that went, and with as many as did so far.
pub async fn an_act_in_steps_tells_of_all_of_them(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..5 {
        bench.proposed().await;
    }
    for _ in 0..25 {
        bench.ended(State::Succeeded).await;
    }
    bench.clock.advance(Duration::from_secs(1));
    let ended_before = bench.now();
    let (by, mut after, mut removed, mut begun) = (bench.by(), None, 0, None);
    loop {
        let step = Purge { after, limit: 4, by: Some(by.clone()), ..purge(ended_before) };
        let step = kept(bench.keeping().purge(step).await);
        if step.removed > 0 {
            begun = begun.or(Some(bench.now()));
        }
        removed += step.removed;
        after = step.next;
        let acts = bench.acts_of(COMPANY).await;
        let told: Vec<_> = acts.iter().map(|act| (act.operations, Some(act.at))).collect();
        let so_far: Vec<_> = begun.map(|at| (removed, Some(at))).into_iter().collect();
        assert_eq!(told, so_far, "as many as went, since the first of them");
        bench.clock.advance(Duration::from_secs(1));
        if after.is_none() {
            break;
        }
    }
    assert_eq!(removed, 25);
    for _ in 0..40 {
        bench.ended(State::Failed).await;
    }
    let by = bench.by();
    for (limit, erased) in [(1, 1), (20, 20), (99, 19), (99, 0)] {
        let step = Erase { limit, by: by.clone(), ..erase("acct") };
        assert_eq!(kept(bench.keeping().erase(step).await).erased, erased);
    }
    let told: Vec<_> = bench.acts_of(COMPANY).await.iter().map(|act| act.operations).collect();
    assert_eq!(told, [25, 40], "two acts, whole");
}

/// What is removed because its time was over by declaration was done by nobody.
pub async fn retention_is_nobodys_act(open: impl Opens) {
    let bench = Bench::open(open).await;
    bench.ended(State::Succeeded).await;
    bench.clock.advance(Duration::from_secs(1));
    assert_eq!(kept(bench.keeping().purge(purge(bench.now())).await).removed, 1);
    assert!(bench.acts_of(COMPANY).await.is_empty());
}

/// Each company has acts, and numbers, of its own; they are read on from any number, a few at a time.
pub async fn a_company_reads_its_own_acts_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    for action in ["a", "b", "c"] {
        kept(bench.keeping().pause(pause(Some(action), PauseOf::Claims)).await);
        let company = "another".to_owned();
        let theirs = Pause { company, ..pause(Some(action), PauseOf::Proposals) };
        kept(bench.keeping().pause(theirs).await);
    }
    let actions = async |company: &str, after, limit| {
        let read = ReadActs { company: company.to_owned(), after, limit };
        let acts = kept(bench.keeping().acts(read).await).into_iter();
        acts.map(|act| (act.number, act.action.unwrap_or_default())).collect::<Vec<_>>()
    };
    let [a, b, c] = [(1, "a"), (2, "b"), (3, "c")].map(|(number, of)| (number, of.to_owned()));
    for company in [COMPANY, "another"] {
        assert_eq!(actions(company, 0, 9).await, [a.clone(), b.clone(), c.clone()], "{company}");
    }
    assert_eq!(actions(COMPANY, 1, 1).await, [b], "after the first, one");
    assert_eq!(actions(COMPANY, 2, 9).await, [c]);
    assert!(actions(COMPANY, 3, 9).await.is_empty(), "there are no more");
    assert!(actions(COMPANY, u64::MAX, u32::MAX).await.is_empty());
    assert!(actions("nobody", 0, 9).await.is_empty());
    let kinds: Vec<_> = bench.acts_of(COMPANY).await.iter().map(|act| act.kind).collect();
    assert_eq!(kinds, [ActKind::Pause(PauseOf::Claims); 3], "nothing of theirs");
}

/// However many operators do something at the same time, no number is given twice and none is left out.
pub async fn many_acts_at_once_are_numbered_without_gaps(open: impl Opens) {
    let bench = Bench::open(open).await;
    for _ in 0..4 {
        bench.ended(State::Succeeded).await;
    }
    bench.clock.advance(Duration::from_secs(1));
    let (store, moment) = (Arc::clone(&bench.store), bench.now());
    let purging: Vec<_> = (0..4).map(|_| bench.by()).collect();
    let purges = at_once(purging.into_iter().map(move |by| {
        let store = Arc::clone(&store);
        let one = Purge { by: Some(by), ..purge(moment) };
        async move { kept(store.keeping().purge(one).await).removed }
    }));
    let store = Arc::clone(&bench.store);
    let pauses = at_once((0..16).map(move |number| {
        let (store, action) = (Arc::clone(&store), format!("action {number}"));
        async move {
            kept(store.keeping().pause(pause(Some(&action), PauseOf::Claims)).await);
            let end = resume(Some(&action), PauseOf::Claims);
            assert!(kept(store.keeping().resume(end).await));
        }
    }));
    let (removed, _) = tokio::join!(purges, pauses);
    let acts = bench.acts_of(COMPANY).await;
    let numbers: Vec<_> = acts.iter().map(|act| act.number).collect();
    let count = u64::try_from(acts.len()).unwrap_or(u64::MAX);
    assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
    let of = |kind| acts.iter().filter(move |act| act.kind == kind);
    assert_eq!(of(ActKind::Pause(PauseOf::Claims)).count(), 16);
    assert_eq!(of(ActKind::Resume(PauseOf::Claims)).count(), 16);
    let told: u32 = of(ActKind::Purge).map(|act| act.operations).sum();
    assert_eq!((told, removed.into_iter().sum::<u32>()), (4, 4), "each went once, by somebody");
    let purges = of(ActKind::Purge).count();
    assert!(of(ActKind::Purge).all(|act| act.operations > 0) && purges >= 1, "{acts:?}");
}
