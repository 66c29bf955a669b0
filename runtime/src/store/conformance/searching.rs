//! Finding operations by what is known about them, page by page, and counting what is open.

use std::time::Duration;

use pap_protocol::operation::State;

use super::Opens;
use super::bench::{ACTION, Bench, COMPANY, LIFETIME, assert_done, kept};
use crate::store::{
    AskLater, AskLaterBy, Claim, Closing, FinishBy, Key, NewOperation, OVERDUE, OpenAction,
    OpenWork, Owner, Proposed, RequestStop, Search, Stored,
};

fn all() -> Search {
    Search { company: COMPANY.to_owned(), limit: 100, ..Search::default() }
}

/// Every page of a search, each as large as was asked for but the last.
async fn pages(bench: &Bench, search: Search) -> Vec<Stored> {
    let (mut found, mut after) = (Vec::new(), search.after);
    loop {
        let page = kept(bench.keeping().search(Search { after, ..search.clone() }).await);
        assert!(page.operations.len() <= usize::try_from(search.limit).unwrap_or(usize::MAX));
        assert!(page.next.is_none() || page.next > after, "each page is behind the one before");
        found.extend(page.operations);
        after = page.next;
        if after.is_none() {
            return found;
        }
    }
}

async fn found(bench: &Bench, search: Search) -> Vec<Key> {
    pages(bench, search).await.into_iter().map(|stored| stored.key).collect()
}

async fn propose(bench: &Bench, new: NewOperation) -> Key {
    assert_eq!(kept(bench.store.propose(new.clone()).await), Proposed::New);
    new.key
}

/// Without a wish every operation is found in proposal order, as it is on record, on pages of any size.
pub async fn everything_is_found_in_proposal_order(open: impl Opens) {
    let bench = Bench::open(open).await;
    assert!(pages(&bench, all()).await.is_empty(), "nothing is there");
    let first = bench.proposed().await.key;
    let mut keys = vec![first.clone()];
    for _ in 0..3 {
        keys.push(bench.claimed().await.0);
        keys.push(bench.ended(State::Succeeded).await.0.key);
    }
    assert_done(bench.close(&first, Closing::Cancelled).await, "one changes later");
    for limit in [1, 2, 3, 6, 7, 8, 100] {
        assert_eq!(found(&bench, Search { limit, ..all() }).await, keys, "{limit} at a time");
    }
    for stored in pages(&bench, all()).await {
        assert_eq!(stored, bench.read(&stored.key).await, "as it is on record");
    }
}

/// Each wish by itself, and all together, find what fits and nothing else.
pub async fn operations_are_found_by_each_wish(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = || NewOperation { reference: None, ..bench.operation() };
    let mut other_action = new();
    other_action.open = OpenAction { action: "orders.return".to_owned(), ..other_action.open };
    let other_action = propose(&bench, other_action).await;
    let theirs = Owner { account: Some("acct2".to_owned()), ..new().owner };
    let account = propose(&bench, NewOperation { owner: theirs.clone(), ..new() }).await;
    let nobody = Owner { account: None, ..new().owner };
    let signed_out = propose(&bench, NewOperation { owner: nobody, ..new() }).await;
    let order = || Some("order:1042".to_owned());
    let referring = propose(&bench, NewOperation { reference: order(), ..new() }).await;
    let both = NewOperation { reference: order(), owner: theirs, ..new() };
    let both = propose(&bench, both).await;
    let middle = bench.now().saturating_add(Duration::from_secs(1));
    bench.clock.advance(Duration::from_secs(1));
    let (claimed, _) = bench.claimed().await;
    let (ended, _) = bench.ended(State::Failed).await;
    let early =
        [&other_action, &account, &signed_out, &referring, &both].map(|key: &Key| key.clone());

    for limit in [1, 100] {
        let all = || Search { limit, ..all() };
        let by = Search { action: Some("orders.return".to_owned()), ..all() };
        assert_eq!(found(&bench, by).await, std::slice::from_ref(&other_action));
        let by = Search { account: Some("acct2".to_owned()), ..all() };
        assert_eq!(found(&bench, by).await, [account.clone(), both.clone()]);
        let by = Search { reference: order(), ..all() };
        assert_eq!(found(&bench, by).await, [referring.clone(), both.clone()]);
        let by = Search { state: Some(State::InProgress), ..all() };
        assert_eq!(found(&bench, by).await, std::slice::from_ref(&claimed));
        let by = Search { state: Some(State::Failed), ..all() };
        assert_eq!(found(&bench, by).await, std::slice::from_ref(&ended.key));
        let by = Search { state: Some(State::Proposed), ..all() };
        assert_eq!(found(&bench, by).await, early);
        let by = Search { proposed_before: Some(middle), ..all() };
        assert_eq!(found(&bench, by).await, early);
        let by = Search {
            reference: order(),
            account: Some("acct2".to_owned()),
            action: Some(ACTION.to_owned()),
            state: Some(State::Proposed),
            proposed_before: Some(middle),
            ..all()
        };
        assert_eq!(found(&bench, by.clone()).await, std::slice::from_ref(&both), "all together");
        for nothing in [
            Search { state: Some(State::InProgress), ..by.clone() },
            Search { action: Some("orders.return".to_owned()), ..by.clone() },
            Search {
                proposed_before: Some(bench.read(&both).await.latest.issued_at),
                ..by.clone()
            },
            Search { account: Some("acct3".to_owned()), ..by.clone() },
            Search { reference: Some("order".to_owned()), ..by },
        ] {
            assert!(found(&bench, nothing).await.is_empty(), "each wish counts");
        }
    }
}

/// A reference stays with its operation, whatever becomes of it.
pub async fn a_reference_is_fixed(open: impl Opens) {
    let bench = Bench::open(open).await;
    let new = bench.proposed().await;
    assert_eq!(bench.read(&new.key).await.reference, new.reference, "as it was proposed");
    let (ended, _) = bench.ended(State::Succeeded).await;
    assert_eq!(bench.read(&ended.key).await.reference, ended.reference, "also at the end");
    let none = NewOperation { reference: None, ..bench.operation() };
    let none = propose(&bench, none).await;
    assert_eq!(bench.read(&none).await.reference, None, "or none");
}

/// What a person has to look at: marked so, or not asked about, or not started, since before a moment.
pub async fn what_needs_attention_is_found(open: impl Opens) {
    let bench = Bench::open(open).await;
    let marked = bench.left().await;
    let by = AskLaterBy::Operator { who: "operator 7".to_owned() };
    let later = bench.later(&marked, by, Duration::from_secs(1_000_000));
    let later = AskLater { attention: true, ..later };
    assert_done(bench.store.ask_later(later).await, "it is marked");
    let (performed, _) = bench.claimed().await;
    bench.proposed().await;
    let (not_asked, waits) = (bench.left().await, bench.deferred().await.key);
    bench.clock.advance(Duration::from_secs(60));
    let fresh = bench.left().await;
    let at = |moment| Search { attention_before: Some(moment), ..all() };
    let now = bench.now();
    let old = [marked.clone(), not_asked.clone(), waits.clone()];
    assert_eq!(found(&bench, at(now)).await, old);
    bench.clock.advance(Duration::from_secs(1));
    let with_fresh = [old.as_slice(), std::slice::from_ref(&fresh)].concat();
    assert_eq!(found(&bench, Search { limit: 1, ..at(bench.now()) }).await, with_fresh);
    kept(bench.store.end_life(bench.life).await);
    let with_performed = found(&bench, at(bench.now())).await;
    assert!(with_performed.contains(&performed), "its performer has died and nobody asks");
    let by = Search { account: Some("acct2".to_owned()), ..at(bench.now()) };
    assert!(found(&bench, by).await.is_empty(), "with another wish beside it");
    let finish = FinishBy::Settler { who: "op".to_owned(), why: "call".to_owned() };
    let finish = bench.finish(&marked, finish, State::Failed);
    assert_done(bench.store.finish(finish).await, "it is settled");
    assert!(!found(&bench, at(bench.now())).await.contains(&marked), "then nobody has to look");
}

/// A company finds its own operations alone, and counts its own alone.
pub async fn a_company_finds_its_own_operations_alone(open: impl Opens) {
    let bench = Bench::open(open).await;
    let mine = bench.proposed().await;
    let mut theirs = bench.of_another(&mine);
    theirs.reference.clone_from(&mine.reference);
    propose(&bench, theirs.clone()).await;
    assert_done(bench.store.claim(bench.claim_of(&theirs)).await, "theirs is claimed");
    let wishes = [
        all(),
        Search { action: Some(ACTION.to_owned()), ..all() },
        Search { account: Some("acct".to_owned()), ..all() },
        Search { reference: mine.reference.clone(), ..all() },
    ];
    for search in wishes {
        assert_eq!(found(&bench, search.clone()).await, std::slice::from_ref(&mine.key));
        let search = Search { company: "another".to_owned(), ..search };
        assert_eq!(found(&bench, search.clone()).await, std::slice::from_ref(&theirs.key));
        let search = Search { company: "nobody".to_owned(), ..search };
        assert!(found(&bench, search).await.is_empty());
    }
    let in_progress = Search { state: Some(State::InProgress), ..all() };
    assert!(found(&bench, in_progress).await.is_empty(), "theirs is in progress, mine is not");
    assert!(kept(bench.keeping().open_work(COMPANY).await).is_empty());
    assert_eq!(kept(bench.keeping().open_work("another").await).len(), 1);
}

/// What is in progress is counted by action: how many, since when, and how many of which kind.
pub async fn open_work_is_counted_by_action(open: impl Opens) {
    let bench = Bench::open(open).await;
    assert!(kept(bench.keeping().open_work(COMPANY).await).is_empty(), "nothing is open");
    bench.proposed().await;
    bench.ended(State::Succeeded).await;
    let oldest = bench.now();
    bench.claimed().await;
    bench.clock.advance(Duration::from_secs(5));
    let handed_over = bench.left().await;
    let by = AskLaterBy::Operator { who: "operator 7".to_owned() };
    let due = Some(bench.now().saturating_add(LIFETIME));
    let later = AskLater { due, attention: true, ..bench.later(&handed_over, by, LIFETIME) };
    assert_done(bench.store.ask_later(later).await, "it is handed over");
    let waits = bench.deferred().await;
    let stop = RequestStop { key: waits.key.clone(), proof: None };
    assert_done(bench.store.request_stop(stop).await, "also with a stop asked");
    let mut other = bench.operation();
    other.open = OpenAction { action: "orders.cancel".to_owned(), ..other.open };
    propose(&bench, other.clone()).await;
    let deferred = Claim { performer: None, ..bench.claim_of(&other) };
    assert_done(bench.store.claim(deferred).await, "of another action");
    let newer = bench.now();

    let one = OpenWork {
        action: "orders.cancel".to_owned(),
        in_progress: 1,
        oldest: Some(newer),
        attention: 0,
        deferred: 1,
        handed_over: 0,
    };
    let many = OpenWork {
        action: ACTION.to_owned(),
        in_progress: 3,
        oldest: Some(oldest),
        attention: 1,
        deferred: 1,
        handed_over: 1,
    };
    assert_eq!(kept(bench.keeping().open_work(COMPANY).await), [one, many], "by action, in order");

    kept(bench.store.end_life(bench.life).await);
    for (after, attention) in [(OVERDUE, [0, 2]), (Duration::from_secs(6), [1, 3])] {
        bench.clock.advance(after);
        let work = kept(bench.keeping().open_work(COMPANY).await);
        let looked: Vec<_> = work.iter().map(|work| work.attention).collect();
        assert_eq!(looked, attention, "what nobody performs, asks about or starts for too long");
    }
}
