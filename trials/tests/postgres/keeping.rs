//! What is done beside the path of operations, on many nodes at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pap_protocol::operation::{Revision, State};
use pap_runtime::clock::{Clock as _, SetClock};
use pap_runtime::store::postgres::Postgres;
use pap_runtime::store::{
    Beat, CloseProposed, Closing, Count, CountOf, Counted, Cursor, EndRelease, Erase, EventKind,
    FinishBy, Keeping as _, Known, Life, PauseOf, Performer, Place, Proposed, Purge, ReadFeed,
    ReleaseWhy, Revise, Search, Start, Store as _, TakeReleases, Waiting, Written,
};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::draft::{
    COMPANY, LIFE, by, claim, claim_of, done, finish, key, now, operation, pause, propose,
    proposed, resume, revision, take, ticket,
};
use crate::server::{PATIENCE, connection, fresh, schema, shared};

fn known() -> Vec<Known> {
    vec![Known { action: "orders.exchange".to_owned(), versions: vec![1] }]
}

fn noon() -> SetClock {
    SetClock::at(pap_runtime::value::Instant::from_millis(1_790_000_000_000))
}

async fn on_clock() -> (Postgres, SetClock) {
    let clock = noon();
    let config = fresh().on_clock(std::sync::Arc::new(clock.clone()));
    (Postgres::connect(config).await.unwrap(), clock)
}

/// Whoever follows the feed while many nodes write sees every event once, those of one operation in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_follower_misses_nothing_while_others_write() {
    const MANY: u32 = 250;
    let config = fresh();
    let nodes = [
        Postgres::connect(config.clone()).await.unwrap(),
        Postgres::connect(config.clone()).await.unwrap(),
    ];
    let follower = Postgres::connect(config).await.unwrap();
    let following = tokio::spawn(async move {
        let mut seen: Vec<(String, EventKind)> = Vec::new();
        let mut after = Cursor::START;
        let end = Instant::now() + 2 * PATIENCE;
        while seen.iter().filter(|(_, kind)| *kind == EventKind::Ended).count()
            < usize::try_from(MANY).unwrap()
        {
            assert!(Instant::now() < end, "every end comes: {}", seen.len());
            let read = ReadFeed { company: COMPANY.to_owned(), after, limit: 7 };
            let feed = follower.feed(read).await.unwrap();
            if let Some(last) = feed.events.last() {
                let again =
                    ReadFeed { company: COMPANY.to_owned(), after: last.cursor.clone(), limit: 1 };
                let next = follower.feed(again).await.unwrap().events;
                assert_ne!(next.first().map(|event| &event.cursor), Some(&last.cursor));
            }
            seen.extend(feed.events.into_iter().map(|event| (event.id.to_string(), event.kind)));
            after = feed.next;
        }
        seen
    });
    proposed(&nodes[0], MANY).await;
    let mut works = JoinSet::new();
    for number in 1..=MANY {
        for (who, node) in (1..).zip(nodes.clone()) {
            works.spawn(async move {
                if done(&node.claim(claim_of(number, who)).await.unwrap()) {
                    let by = FinishBy::Performer(ticket(number * 1_000 + who));
                    assert!(done(
                        &node.finish(finish(number, by, State::Succeeded)).await.unwrap()
                    ));
                }
            });
        }
    }
    works.join_all().await;
    let seen = following.await.unwrap();
    let mut of: BTreeMap<String, Vec<EventKind>> = BTreeMap::new();
    for (id, kind) in seen {
        of.entry(id).or_default().push(kind);
    }
    assert_eq!(of.len(), usize::try_from(MANY).unwrap());
    for (id, kinds) in of {
        let whole = [EventKind::Proposed, EventKind::Confirmed, EventKind::Ended];
        assert_eq!(kinds, whole, "the events of `{id}`");
    }
    assert_eq!(nodes[0].verify(COMPANY).await.unwrap(), Vec::<String>::new());
}

/// A transaction that began earlier and ends later is not passed over.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_event_that_becomes_visible_late_is_not_passed_over() {
    let name = schema();
    let store = Postgres::connect(fresh().schema(&name)).await.unwrap();
    proposed(&store, 1).await;
    let mut client = connection(shared()).await;
    let slow = client.transaction().await.unwrap();
    let insert = format!(
        "INSERT INTO {name}.events (operation, at, kind, detail) \
         SELECT key, 0, 'late_outcome', '{{}}' FROM {name}.operations WHERE operation_id = 'exc_1'"
    );
    slow.batch_execute(&insert).await.unwrap();
    propose(&store, operation(2, now())).await;
    let read =
        |after: &Cursor| ReadFeed { company: COMPANY.to_owned(), after: after.clone(), limit: 9 };
    let mut seen = Vec::new();
    let mut after = Cursor::START;
    let mut follow = async |least: usize, looks: u32| {
        let end = Instant::now() + PATIENCE;
        let mut looked = 0;
        while seen.len() < least || looked < looks {
            assert!(Instant::now() < end, "{seen:?}");
            let feed = store.feed(read(&after)).await.unwrap();
            seen.extend(feed.events.into_iter().map(|event| event.kind));
            after = feed.next;
            looked += 1;
        }
        seen.clone()
    };
    // nothing that came after it is told before it, however often one looks
    assert_eq!(follow(1, 5).await, [EventKind::Proposed]);
    slow.commit().await.unwrap();
    let seen = follow(3, 1).await;
    assert_eq!(seen, [EventKind::Proposed, EventKind::LateOutcome, EventKind::Proposed]);
}

/// A life that gives no sign is ended by another one, with what it performs and what it asks.
/// Row E16.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_life_without_a_sign_is_ended_by_another() {
    let (store, clock) = on_clock().await;
    let (dead_after, other) = (Duration::from_secs(30), Life([2; 16]));
    let beat = |life| Beat { life, dead_after };
    store.begin_life(LIFE).await.unwrap();
    propose(&store, operation(1, clock.now())).await;
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    store.begin_life(other).await.unwrap();
    clock.advance(Duration::from_secs(20));
    assert!(store.heartbeat(beat(other)).await.unwrap());
    assert!(store.take_askable(take()).await.unwrap().is_empty(), "it may still perform");
    clock.advance(Duration::from_secs(11));
    assert!(store.heartbeat(beat(other)).await.unwrap());
    let asked = store.take_askable(take()).await.unwrap();
    assert_eq!(asked.len(), 1, "its life is over");
    assert!(!store.heartbeat(beat(LIFE)).await.unwrap(), "and it is told so");
    let by = FinishBy::Performer(ticket(1));
    let late = store.finish(finish(1, by, State::Succeeded)).await.unwrap();
    assert!(done(&late), "what it holds it may still finish");
}

/// Each life is taken for dead by its own word, however soon or late others would be.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_life_is_ended_by_its_own_word() {
    let (store, clock) = on_clock().await;
    let beat = |life, seconds| Beat { life, dead_after: Duration::from_secs(seconds) };
    let (patient, hasty) = (LIFE, Life([2; 16]));
    for life in [patient, hasty] {
        store.begin_life(life).await.unwrap();
    }
    for _ in 0..5 {
        assert!(store.heartbeat(beat(patient, 60)).await.unwrap(), "the hasty one ends nobody");
        for _ in 0..5 {
            clock.advance(Duration::from_secs(10));
            assert!(store.heartbeat(beat(hasty, 10)).await.unwrap());
        }
    }
    assert!(store.heartbeat(beat(patient, 60)).await.unwrap());
    clock.advance(Duration::from_secs(11));
    assert!(store.heartbeat(beat(patient, 60)).await.unwrap());
    assert!(!store.heartbeat(beat(hasty, 10)).await.unwrap(), "nor does the patient one wait");
}

/// A question that a dead process took is asked again at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_of_a_dead_life_waits_for_no_lease() {
    let clock = noon();
    let config = fresh().on_clock(std::sync::Arc::new(clock.clone()));
    let one = Postgres::connect(config.clone()).await.unwrap();
    let other = Postgres::connect(config).await.unwrap();
    let dead_after = Duration::from_secs(5);
    let second = Life([2; 16]);
    one.begin_life(LIFE).await.unwrap();
    other.begin_life(second).await.unwrap();
    propose(&one, operation(1, clock.now())).await;
    let performer = Some(Performer { ticket: ticket(1), life: Life([9; 16]) });
    let claimed = pap_runtime::store::Claim { performer, ..claim(1, ticket(1)) };
    assert!(done(&one.claim(claimed).await.unwrap()));
    assert_eq!(one.take_askable(take()).await.unwrap().len(), 1, "nobody knows that life");
    clock.advance(Duration::from_secs(6));
    assert!(other.take_askable(take()).await.unwrap().is_empty(), "its lease is not over");
    assert!(other.heartbeat(Beat { life: second, dead_after }).await.unwrap());
    assert_eq!(other.take_askable(take()).await.unwrap().len(), 1, "its asker has died");
}

/// A7: what was claimed without a performer is started by one of many nodes, and not after a stop.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_waits_to_be_started_is_started_once() {
    const MANY: u32 = 40;
    let config = fresh();
    let nodes = [
        Postgres::connect(config.clone()).await.unwrap(),
        Postgres::connect(config).await.unwrap(),
    ];
    proposed(&nodes[0], MANY).await;
    for number in 1..=MANY {
        let deferred = pap_runtime::store::Claim { performer: None, ..claim(number, ticket(0)) };
        assert!(done(&nodes[0].claim(deferred).await.unwrap()));
    }
    assert!(nodes[0].take_askable(take()).await.unwrap().is_empty(), "nobody is asked about it");
    let which = || Waiting { company: COMPANY.to_owned(), limit: 100, known: known() };
    let waiting = nodes[1].waiting(which()).await.unwrap();
    let ids: BTreeSet<_> = waiting.iter().map(|stored| stored.key.id.clone()).collect();
    assert_eq!(ids, (1..=MANY).map(|number| key(number).id).collect());
    // two of the same millisecond wait equally long
    let since: Vec<_> = waiting
        .iter()
        .map(|stored| stored.confirmed.as_ref().map(|by| by.confirmation.confirmed_at))
        .collect();
    assert!(since.is_sorted(), "those that wait longest first: {since:?}");
    assert!(since.first() < since.last(), "not all of them in one moment");

    let stop = pap_runtime::store::RequestStop { key: key(1), proof: None };
    assert!(done(&nodes[0].request_stop(stop).await.unwrap()));
    let mut starts = JoinSet::new();
    for number in 1..=MANY {
        for turn in 0..6_u32 {
            let node = nodes[usize::try_from(turn % 2).unwrap()].clone();
            let performer = Performer { ticket: ticket(number * 1_000 + turn), life: LIFE };
            starts.spawn(async move {
                (number, done(&node.start(Start { key: key(number), performer }).await.unwrap()))
            });
        }
    }
    let started: Vec<_> = starts.join_all().await.into_iter().filter(|(_, yes)| *yes).collect();
    let of: BTreeSet<_> = started.iter().map(|(number, _)| *number).collect();
    assert_eq!((started.len(), of.len()), (usize::try_from(MANY).unwrap() - 1, of.len()));
    assert!(!of.contains(&1), "a stop was asked");
    let end = finish(1, FinishBy::NotStarted, State::Cancelled);
    assert!(done(&nodes[1].finish(end).await.unwrap()), "so it ends");
    let end = finish(2, FinishBy::NotStarted, State::Cancelled);
    assert_eq!(nodes[1].finish(end).await.unwrap(), Written::NotNow, "that one was started");
    assert_eq!(nodes[0].verify(COMPANY).await.unwrap(), Vec::<String>::new());
}

/// From when a pause returns, no node claims or proposes; the proof is spent all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_pause_holds_on_every_node_from_when_it_returns() {
    const MANY: u32 = 200;
    let config = fresh();
    let nodes = [
        Postgres::connect(config.clone()).await.unwrap(),
        Postgres::connect(config).await.unwrap(),
    ];
    proposed(&nodes[0], MANY).await;
    let claims: JoinSet<_> = (1..=MANY)
        .map(|number| {
            let node = nodes[usize::try_from(number % 2).unwrap()].clone();
            async move { done(&node.claim(claim_of(number, 1)).await.unwrap()) }
        })
        .collect();
    let pausing = nodes[1].clone();
    pausing.pause(pause(None, PauseOf::Claims)).await.unwrap();
    let in_progress = || Search {
        company: COMPANY.to_owned(),
        state: Some(State::InProgress),
        limit: 1_000,
        ..Search::default()
    };
    let before = nodes[0].search(in_progress()).await.unwrap().operations.len();
    claims.join_all().await;
    let after = nodes[0].search(in_progress()).await.unwrap().operations.len();
    assert_eq!(after, before, "nothing was claimed after the pause had returned");

    nodes[0].pause(pause(Some("orders.exchange"), PauseOf::Proposals)).await.unwrap();
    let new = operation(MANY + 1, now());
    assert_eq!(nodes[1].propose(new.clone()).await.unwrap(), Proposed::Paused);
    assert_eq!(nodes[1].pauses(COMPANY).await.unwrap().len(), 2);
    assert!(!nodes[1].resume(resume(None, PauseOf::Proposals)).await.unwrap());
    assert!(nodes[1].resume(resume(Some("orders.exchange"), PauseOf::Proposals)).await.unwrap());
    assert!(nodes[0].resume(resume(None, PauseOf::Claims)).await.unwrap());
    propose(&nodes[0], new).await;
    assert!(done(&nodes[1].claim(claim(MANY + 1, ticket(9))).await.unwrap()));
}

/// Each revision that will not be performed is told, with its own words, until it was.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_hung_on_a_revision_is_told_until_it_was() {
    let (store, clock) = on_clock().await;
    store.begin_life(LIFE).await.unwrap();
    let mut told = Vec::new();
    for number in 1..=3 {
        let new = operation(number, clock.now());
        propose(&store, pap_runtime::store::NewOperation { tells_release: true, ..new }).await;
    }
    let second = revision(2, clock.now());
    let revise = Revise { key: key(1), revision: second, request: None };
    assert!(done(&store.revise(revise).await.unwrap()));
    let summary = "Nothing was done.".to_owned();
    let close = CloseProposed { key: key(2), closing: Closing::Cancelled, summary, proof: None };
    assert!(done(&store.close_proposed(close).await.unwrap()));
    clock.advance(Duration::from_secs(901));
    assert_eq!(store.expire_due(COMPANY, 100).await.unwrap(), 2);
    assert_eq!(store.expire_due(COMPANY, 100).await.unwrap(), 0);
    let lease = Duration::from_secs(60);
    let which = || TakeReleases { company: COMPANY.to_owned(), limit: 100, lease, known: known() };
    for release in store.take_releases(which()).await.unwrap().releases {
        let number = release.revision.number;
        assert_eq!(release.revision, revision(number.get(), release.revision.issued_at));
        told.push((release.stored.key.clone(), number.get(), release.why, release.tries));
    }
    told.sort_by_key(|(key, number, ..)| (key.id.to_string(), *number));
    assert_eq!(
        told,
        [
            (key(1), 1, ReleaseWhy::Revised, 1),
            (key(1), 2, ReleaseWhy::Expired, 1),
            (key(2), 1, ReleaseWhy::Cancelled, 1),
            (key(3), 1, ReleaseWhy::Expired, 1),
        ]
    );
    assert!(store.take_releases(which()).await.unwrap().releases.is_empty(), "somebody tells them");
    let end = EndRelease { key: key(2), revision: Revision::FIRST, again_after: None };
    store.end_release(end).await.unwrap();
    clock.advance(lease);
    let again = store.take_releases(which()).await.unwrap().releases;
    assert_eq!(again.iter().map(|release| release.tries).collect::<Vec<_>>(), [2, 2, 2]);
    assert_eq!(store.verify(COMPANY).await.unwrap(), Vec::<String>::new());
}

/// Operations 1 and 2 proposed, 3 in progress, 4 to 6 succeeded.
async fn some(store: &Postgres, clock: &SetClock) {
    store.begin_life(LIFE).await.unwrap();
    for number in 1..=6 {
        let mut new = operation(number, clock.now());
        new.reference = Some(format!("order {}", number % 2));
        propose(store, new).await;
        if number > 2 {
            assert!(done(&store.claim(claim(number, ticket(number))).await.unwrap()));
        }
        if number > 3 {
            let by = FinishBy::Performer(ticket(number));
            assert!(done(&store.finish(finish(number, by, State::Succeeded)).await.unwrap()));
        }
        clock.advance(Duration::from_secs(1));
    }
}

/// Operations are found by what is known about them, page by page.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn operations_are_found_in_proposal_order() {
    let (store, clock) = on_clock().await;
    some(&store, &clock).await;
    let search = |search: Search| {
        let store = store.clone();
        async move {
            let search = Search { company: COMPANY.to_owned(), limit: 100, ..search };
            let page = store.search(search).await.unwrap();
            page.operations.into_iter().map(|stored| stored.key).collect::<Vec<_>>()
        }
    };
    let all = Search::default;
    assert_eq!(search(all()).await.len(), 6);
    let reference = Some("order 1".to_owned());
    assert_eq!(search(Search { reference, ..all() }).await, [key(1), key(3), key(5)]);
    let state = Some(State::InProgress);
    assert_eq!(search(Search { state, ..all() }).await, [key(3)]);
    let account = Some("acct".to_owned());
    let state = Some(State::Succeeded);
    assert_eq!(search(Search { state, account, ..all() }).await, [key(4), key(5), key(6)]);
    let mut after = None;
    let mut pages = 0;
    loop {
        let page = Search { company: COMPANY.to_owned(), limit: 2, after, ..all() };
        let page = store.search(page).await.unwrap();
        pages += page.operations.len();
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(pages, 6);
    let work = store.open_work(COMPANY).await.unwrap();
    assert_eq!(work.iter().map(|work| work.in_progress).collect::<Vec<_>>(), [1]);
}

/// However many there are, they are counted a piece at a time, by indexes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_takes_several_pieces_is_counted_once() {
    const MANY: u32 = 40_000;
    let name = schema();
    let store = Postgres::connect(fresh().schema(&name)).await.unwrap();
    let client = connection(shared()).await;
    let insert = format!(
        "INSERT INTO {name}.operations (company, operation_id, action, client, \"user\", account, session, state,
                                        revision, expires_at, result_summary, ended_at)
         SELECT '{COMPANY}', 'op_' || n, 'orders.exchange', 'agent', 'u1', 'acct', 's1',
                CASE WHEN n % 10 = 0 THEN 'proposed' ELSE 'cancelled' END, 1, 9,
                CASE WHEN n % 10 <> 0 THEN 'No.' END, CASE WHEN n % 10 <> 0 THEN n % 10 END
         FROM generate_series(1, {MANY}) AS n"
    );
    client.batch_execute(&insert).await.unwrap();
    let count = async |of| {
        let count = Count { company: COMPANY.to_owned(), of };
        store.count(count).await.unwrap()
    };
    let action = "orders.exchange".to_owned();
    let ended_before = pap_runtime::value::Instant::from_millis(9);
    let old = count(CountOf::Purge { action, ended_before }).await;
    assert_eq!(old, Counted { would: MANY / 10 * 8, open: MANY / 10 });
    let of_account = count(CountOf::Erase { account: "acct".to_owned() }).await;
    assert_eq!(of_account, Counted { would: MANY / 10 * 9, open: MANY / 10 });
}

/// Of what was blanked, salted digests stay; of what was removed, that its id was issued.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn operations_are_blanked_and_removed() {
    let (store, clock) = on_clock().await;
    some(&store, &clock).await;
    let erase =
        Erase { company: COMPANY.to_owned(), account: "acct".to_owned(), limit: 2, by: by() };
    let erased = store.erase(erase.clone()).await.unwrap();
    assert_eq!((erased.erased, erased.open, erased.more), (2, 3, true));
    let erased = store.erase(erase).await.unwrap();
    assert_eq!((erased.erased, erased.open, erased.more), (1, 3, false));
    let history = store.history(&key(4)).await.unwrap().unwrap();
    let salt = history.stored.erased.unwrap().salt;
    let digest = revision(1, clock.now()).digest;
    assert_eq!(history.revisions[0].digest, pap_runtime::store::salted(&salt, &digest));
    assert!(!format!("{history:?}").contains("agent u1"));
    assert_eq!(store.verify(COMPANY).await.unwrap(), Vec::<String>::new());

    clock.advance(Duration::from_secs(100));
    let purge = |after: Option<Place>| Purge {
        company: COMPANY.to_owned(),
        action: "orders.exchange".to_owned(),
        ended_before: clock.now(),
        after,
        limit: 4,
        by: Some(by()),
    };
    let first = store.purge(purge(None)).await.unwrap();
    assert_eq!(first.removed, 1);
    let second = store.purge(purge(first.next)).await.unwrap();
    assert_eq!((second.removed, second.next), (2, None));
    assert!(store.read(&key(5)).await.unwrap().is_none());
    assert!(store.propose(operation(5, clock.now())).await.is_err(), "its id was issued before");
    for number in 1..=3 {
        assert!(store.read(&key(number)).await.unwrap().is_some(), "it is not final");
    }
    assert_eq!(store.verify(COMPANY).await.unwrap(), Vec::<String>::new());
}

/// C7, fence of the store's own transaction: the company's row and the end are there together or not at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_end_in_the_companys_transaction_is_there_with_its_rows() {
    let name = schema();
    let store = Postgres::connect(fresh().schema(&name)).await.unwrap();
    shared().psql(&format!("CREATE TABLE {name}_labels (label text)")).unwrap();
    proposed(&store, 2).await;
    for number in 1..=2 {
        assert!(done(&store.claim(claim(number, ticket(number))).await.unwrap()));
    }
    let mut client = connection(shared()).await;
    let row = format!("INSERT INTO {name}_labels VALUES ('a label')");
    for (number, commits) in [(1, true), (2, false)] {
        let mut transaction = client.transaction().await.unwrap();
        transaction.batch_execute(&row).await.unwrap();
        let end = finish(number, FinishBy::Performer(ticket(number)), State::Succeeded);
        let within = store.within().unwrap();
        assert!(done(&within.finish_in(&mut transaction, end.clone()).await.unwrap()));
        let again = within.finish_in(&mut transaction, end).await.unwrap();
        assert_eq!(again, Written::NotNow, "it has ended in this transaction");
        if commits {
            transaction.commit().await.unwrap();
        } else {
            transaction.rollback().await.unwrap();
        }
    }
    let state = async |number| store.read(&key(number)).await.unwrap().unwrap().state;
    assert_eq!((state(1).await, state(2).await), (State::Succeeded, State::InProgress));
    assert_eq!(shared().psql(&format!("SELECT count(*) FROM {name}_labels")).unwrap(), "1");
    assert_eq!(store.verify(COMPANY).await.unwrap(), Vec::<String>::new());
}
