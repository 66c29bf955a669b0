//! Several nodes over one database, and over each operation at the same time.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::clock::SetClock;
use pap_runtime::store::postgres::Postgres;
use pap_runtime::store::{
    Beat, CloseProposed, Closing, EventKind, FinishBy, NoteKind, Revise, Store as _, WriteNote,
    Written,
};
use pap_runtime::value::Instant;
use tokio::task::JoinSet;

use crate::draft::{
    COMPANY, LIFE, claim, claim_of, done, finish, key, now, operation_in, proposed, revision,
    ticket,
};
use crate::server::{PATIENCE, answers, apart, connection, fresh, schema, shared};

const NODES: u32 = 3;

async fn nodes() -> Vec<Postgres> {
    let config = fresh();
    let mut nodes = Vec::new();
    for _ in 0..NODES {
        nodes.push(Postgres::connect(config.clone()).await.unwrap());
    }
    nodes
}

/// A look at whether everything fits together is as of one moment: what is being written meanwhile is not told
/// as broken.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_store_that_is_at_work_fits_together() {
    const MANY: u32 = 400;
    let nodes = nodes().await;
    proposed(&nodes[0], MANY).await;
    let mut work: JoinSet<()> = JoinSet::new();
    for (who, node) in nodes.iter().cloned().enumerate().skip(1) {
        let ours =
            (1..=MANY).filter(move |number| usize::try_from(*number).unwrap() % 2 == who - 1);
        work.spawn(async move {
            for number in ours {
                assert!(done(&node.claim(claim(number, ticket(number))).await.unwrap()));
                let by = FinishBy::Performer(ticket(number));
                assert!(done(&node.finish(finish(number, by, State::Succeeded)).await.unwrap()));
            }
        });
    }
    let mut looks = 0;
    while !work.is_empty() {
        assert_eq!(nodes[0].keeping().verify(COMPANY).await.unwrap(), Vec::<String>::new());
        looks += 1;
        while let Some(ended) = work.try_join_next() {
            ended.unwrap();
        }
    }
    assert!(looks > 1, "it was looked at while others wrote");
}

fn deadlocks() -> u64 {
    let counted =
        shared().psql("SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'");
    counted.unwrap().parse().unwrap()
}

/// OPS-6-4: however many nodes claim, cancel and revise each of many operations at the same time, at most
/// one claims it, and what is on record is what was answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_nodes_one_claims() {
    const MANY: u32 = 300;
    let before = deadlocks();
    let nodes = nodes().await;
    proposed(&nodes[0], MANY).await;
    let mut races: JoinSet<(u32, u32, bool)> = JoinSet::new();
    for number in 1..=MANY {
        for (who, node) in (1..).zip(&nodes) {
            for turn in 0..2 {
                let node = node.clone();
                let who = who * 10 + turn;
                races.spawn(async move {
                    let claimed = done(&node.claim(claim_of(number, who)).await.unwrap());
                    if claimed && number % 3 == 0 {
                        let by = FinishBy::Performer(ticket(number * 1_000 + who));
                        let finished = node.finish(finish(number, by, State::Succeeded)).await;
                        assert!(done(&finished.unwrap()), "whoever claimed finishes");
                    }
                    (number, who, claimed)
                });
            }
        }
        let node = nodes[usize::try_from(number % NODES).unwrap()].clone();
        races.spawn(async move {
            if number % 5 == 0 {
                let summary = "Nothing was done.".to_owned();
                let (key, closing) = (key(number), Closing::Cancelled);
                let close = CloseProposed { key, closing, summary, proof: None };
                drop(node.close_proposed(close).await.unwrap());
            } else if number % 7 == 0 {
                let revision = revision(2, now());
                let revise = Revise { key: key(number), revision, request: None };
                drop(node.revise(revise).await.unwrap());
            }
            (number, 0, false)
        });
    }
    let mut claims = vec![0; usize::try_from(MANY).unwrap() + 1];
    for (number, _, claimed) in races.join_all().await {
        claims[usize::try_from(number).unwrap()] += u32::from(claimed);
    }
    for number in 1..=MANY {
        let claims = claims[usize::try_from(number).unwrap()];
        assert!(claims <= 1, "operation {number} was claimed {claims} times");
        let history = nodes[0].history(&key(number)).await.unwrap().unwrap();
        let told = |kind| history.events.iter().filter(|event| event.kind == kind).count();
        assert_eq!(told(EventKind::Confirmed), usize::try_from(claims).unwrap());
        let expected = match (claims, number % 3) {
            (1, 0) => State::Succeeded,
            (1, _) => State::InProgress,
            _ if history.revisions.len() == 2 => State::Proposed,
            _ => State::Cancelled,
        };
        assert_eq!(history.stored.state, expected, "operation {number}");
    }
    assert_eq!(deadlocks(), before, "nobody stands in another's way for good");
}

/// B8: one proof, used on all nodes at the same time and several times on each, confirms one operation.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_proof_confirms_one_operation_on_one_of_many_nodes() {
    const MANY: u32 = 24;
    let nodes = nodes().await;
    proposed(&nodes[0], MANY).await;
    let proof = claim_of(1, 1).proof;
    let mut uses = JoinSet::new();
    for number in 1..=MANY {
        let node = nodes[usize::try_from(number % NODES).unwrap()].clone();
        let mut claim = claim_of(number, 7);
        claim.proof = proof.clone().map(|mut proof| {
            proof.ticket = ticket(number);
            proof
        });
        uses.spawn(async move { node.claim(claim).await.unwrap() });
    }
    let answers = uses.join_all().await;
    assert_eq!(answers.iter().filter(|answer| done(answer)).count(), 1);
    let replayed = answers.iter().filter(|answer| **answer == Written::Replayed).count();
    assert_eq!(replayed, usize::try_from(MANY).unwrap() - 1);
}

/// A2: the same action raised on all nodes at the same time opens one operation, also by a Session that
/// looks under its own tag alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_nodes_one_opens_an_action() {
    let nodes = nodes().await;
    for round in 0..10 {
        let mut proposals = JoinSet::new();
        for turn in 0..12_u32 {
            let node = nodes[usize::try_from(turn % NODES).unwrap()].clone();
            let mut new = operation_in(round * 100 + turn, round, now());
            if turn % 2 == 0 {
                new.open.owners.remove(0);
            }
            proposals.spawn(async move { node.propose(new).await.unwrap() });
        }
        let opened = proposals.join_all().await;
        let new = opened.iter().filter(|one| **one == pap_runtime::store::Proposed::New).count();
        // under the Session's own tag an account's operation is not seen, so each tag has at most one
        assert!((1..=2).contains(&new), "{new} were opened");
    }
}

/// E13: the server's clock decides, and a store knows it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn time_is_the_servers() {
    let store = Postgres::connect(fresh()).await.unwrap();
    let at_server = || -> i64 {
        let text = shared().psql("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
        text.unwrap().parse().unwrap()
    };
    let before = at_server();
    let here = store.clock().now().as_millis();
    let after = at_server();
    assert!((before..=after).contains(&here), "{here} is not between {before} and {after}");
}

/// Row E14: a node that starts goes on from the newest moment that another told, be it by nothing but a sign of life.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn time_goes_on_from_the_newest_sign_of_life() {
    let noon = Instant::from_millis(1_790_000_000_000);
    let clock = SetClock::at(noon);
    let config = fresh().on_clock(Arc::new(clock.clone()));
    let store = Postgres::connect(config.clone()).await.unwrap();
    store.begin_life(LIFE).await.unwrap();
    let late = noon.saturating_add(Duration::from_secs(3_600));
    clock.set(late);
    let beat = Beat { life: LIFE, dead_after: Duration::from_secs(30) };
    assert!(store.heartbeat(beat).await.unwrap());
    clock.set(noon);
    let other = Postgres::connect(config).await.unwrap();
    assert_eq!(other.clock().now(), late);
}

/// A lock that somebody else holds delays one claim, and keeps no other one from being claimed for good.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_row_that_somebody_holds_is_not_waited_for_without_end() {
    let name = schema();
    let config = fresh().schema(&name).lock_within(Duration::from_millis(300));
    let store = Postgres::connect(config).await.unwrap();
    proposed(&store, 3).await;
    let mut client = connection(shared()).await;
    let holds = client.transaction().await.unwrap();
    let held = format!("SELECT FROM {name}.operations WHERE operation_id = 'exc_2' FOR UPDATE");
    holds.batch_execute(&held).await.unwrap();
    let store = Arc::new(store);
    let claims: JoinSet<_> = (1..=3)
        .map(|number| {
            let store = Arc::clone(&store);
            async move { (number, store.claim(claim(number, ticket(number))).await) }
        })
        .collect();
    for (number, answer) in claims.join_all().await {
        match number {
            2 => assert!(answer.is_err(), "the row is held"),
            _ => assert!(done(&answer.unwrap()), "operation {number} is free"),
        }
    }
    holds.commit().await.unwrap();
    assert!(done(&store.claim(claim(2, ticket(2))).await.unwrap()), "and later this one is");
}

/// A handler that notes a change and somebody who says how it ended, at the same moment: neither is in the other's
/// way, and no end leaves out what was noted before it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_note_and_an_end_are_not_in_each_others_way() {
    let (cluster, config) = apart();
    let name = schema();
    let config = config.schema(&name).lock_within(2 * PATIENCE).answer_within(2 * PATIENCE);
    let store = Postgres::connect(config).await.unwrap();
    proposed(&store, 1).await;
    assert!(done(&store.claim(claim(1, ticket(1))).await.unwrap()));
    let looks = connection(&cluster).await;
    let waits = async |many: u32| {
        let count = format!(
            "SELECT count(*)::text FROM pg_stat_activity \
             WHERE wait_event_type = 'Lock' AND query LIKE '%{name}.%'"
        );
        answers(&looks, &count, &many.to_string()).await;
    };
    // the place of the first note is held, by whom no other row is: the note stops half-way
    let mut client = connection(&cluster).await;
    client.batch_execute("SET session_replication_role = replica").await.unwrap();
    let holds = client.transaction().await.unwrap();
    let hold = format!(
        "INSERT INTO {name}.notes (operation, number, kind, value, at)
         SELECT key, 1, 'change', '', 1 FROM {name}.operations"
    );
    holds.batch_execute(&hold).await.unwrap();
    let notes = store.clone();
    let noting = tokio::spawn(async move {
        let note = NoteKind::Change("Charged the card.".to_owned());
        notes.write_note(WriteNote { key: key(1), ticket: ticket(1), note }).await.unwrap()
    });
    waits(1).await;
    let settler = || FinishBy::Settler { who: "ada".to_owned(), why: "ticket 812".to_owned() };
    let ends = store.clone();
    let ending =
        tokio::spawn(
            async move { ends.finish(finish(1, settler(), State::Failed)).await.unwrap() },
        );
    waits(2).await;
    holds.rollback().await.unwrap();
    assert!(done(&noting.await.unwrap()), "the change is on record");
    let ended = ending.await.unwrap();
    assert_eq!(ended, Written::NotNow, "whoever ends it has to tell of the change first");
    let log = cluster.log();
    assert!(!log.contains("deadlock detected"), "{log}");
}
