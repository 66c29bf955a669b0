//! Proofs are accepted once, whatever is forgotten meanwhile and however the clocks are set.

use std::sync::Arc;
use std::time::Duration;

use pap_protocol::operation::State;
use pap_runtime::clock::SetClock;
use pap_runtime::store::postgres::{Config, Postgres};
use pap_runtime::store::{
    Claim, CloseProposed, Closing, ProofUse, RequestStop, Store as _, Written,
};
use pap_runtime::value::Instant;
use pap_trials::cluster::Cluster;
use pap_trials::machine_clock::MachineClock;
use tokio::task::JoinSet;
use tokio_postgres::Client;

use crate::draft::{COMPANY, claim, done, key, now, proposed, ticket};
use crate::server::{PATIENCE, answers, connection, fresh, schema, shared};

/// The statement by which proofs are forgotten.
const FORGET: &str = include_str!("../../../runtime/src/store/postgres/sql/forget_proofs.sql");

/// A proof that is good until then, used with another request each time.
fn proof(jti: &str, until: Instant, with: u32) -> ProofUse {
    let (thumbprint, jti) = ("thumbprint".to_owned(), jti.to_owned());
    ProofUse { thumbprint, jti, until, ticket: ticket(with) }
}

fn seconds(many: u64) -> Duration {
    Duration::from_secs(many)
}

async fn is_used(store: &Postgres, proof: ProofUse) -> bool {
    store.record_proof(proof).await.unwrap() == Written::Replayed
}

/// Waits until so many statements on these tables wait for a lock.
async fn wait_for_locks(client: &Client, schema: &str, many: u32) {
    let waiting = format!(
        "SELECT count(*)::text FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND query LIKE '%{schema}.%'"
    );
    answers(client, &waiting, &many.to_string()).await;
}

/// Waits until so many proofs are on record.
async fn wait_for_proofs(client: &Client, schema: &str, many: u32) {
    let on_record = format!("SELECT count(*)::text FROM {schema}.replay");
    answers(client, &on_record, &many.to_string()).await;
}

/// A statement looks at the tables as they were when it began. What it then does not find among the used
/// proofs may have been forgotten since, and is no new one for that.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_proof_that_is_forgotten_while_a_request_waits_for_it_is_not_accepted() {
    let name = schema();
    let config = fresh().schema(&name).lock_within(PATIENCE).answer_within(PATIENCE);
    let store = Postgres::connect(config).await.unwrap();
    proposed(&store, 3).await;
    assert!(done(&store.claim(claim(3, ticket(3))).await.unwrap()));
    let over = now().saturating_sub(seconds(1));
    let used = move |number: u32, with| proof(&format!("used {number}"), over, with);
    for number in 1..=4 {
        assert!(!is_used(&store, used(number, number)).await);
    }
    let mut client = connection(shared()).await;
    let forgets = client.transaction().await.unwrap();
    let (told, here, most) = (None::<i64>, now().as_millis(), 1_000_i64);
    let forget = FORGET.replace("pap.", &format!("{name}."));
    let forgotten = forgets.query(&forget, &[&told, &here, &most]).await.unwrap();
    assert_eq!(forgotten.len(), 4);

    let mut again: JoinSet<Written> = JoinSet::new();
    let claims = Claim { proof: Some(used(1, 11)), ..claim(1, ticket(11)) };
    let (closing, summary) = (Closing::Cancelled, "Nothing was changed.".to_owned());
    let closes = CloseProposed { key: key(2), closing, summary, proof: Some(used(2, 12)) };
    let stops = RequestStop { key: key(3), proof: Some(used(3, 13)) };
    let [one, two, three, four] = [(); 4].map(|()| store.clone());
    again.spawn(async move { one.claim(claims).await.unwrap() });
    again.spawn(async move { two.close_proposed(closes).await.unwrap() });
    again.spawn(async move { three.request_stop(stops).await.unwrap() });
    again.spawn(async move { four.record_proof(used(4, 14)).await.unwrap() });
    wait_for_locks(&connection(shared()).await, &name, 4).await;
    forgets.commit().await.unwrap();
    assert_eq!(again.join_all().await, [(); 4].map(|()| Written::Replayed));

    for (number, state) in [(1, State::Proposed), (2, State::Proposed), (3, State::InProgress)] {
        let stored = store.read(&key(number)).await.unwrap().unwrap();
        assert_eq!(stored.state, state, "operation {number}");
        assert!(stored.running.is_none_or(|running| running.stop_requested.is_none()));
    }
    for number in 1..=4 {
        // they stand there again, under the tickets of those that were refused
        assert!(is_used(&store, used(number, 10 + number)).await);
    }
    assert!(done(
        &store
            .claim(Claim { proof: Some(proof("new", now(), 5)), ..claim(1, ticket(5)) })
            .await
            .unwrap()
    ));
}

/// The same by what forgets in a living store: a confirm waits, its proof is used meanwhile, and forgotten.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_proof_that_is_used_and_forgotten_while_a_confirm_waits_is_not_accepted() {
    let name = schema();
    let config = fresh().schema(&name).lock_within(PATIENCE).answer_within(PATIENCE);
    let store = Postgres::connect(config.clone()).await.unwrap();
    proposed(&store, 1).await;
    let mut client = connection(shared()).await;
    let pausing = client.transaction().await.unwrap();
    let lock =
        format!("SELECT pg_advisory_xact_lock(hashtextextended('{name}.pauses {COMPANY}', 0))");
    pausing.batch_execute(&lock).await.unwrap();
    let over = now().saturating_sub(seconds(1));
    let late = Claim { proof: Some(proof("used", over, 2)), ..claim(1, ticket(2)) };
    let confirming = {
        let store = store.clone();
        tokio::spawn(async move { store.claim(late).await.unwrap() })
    };
    let looks = connection(shared()).await;
    wait_for_locks(&looks, &name, 1).await;
    let other = Postgres::connect(config).await.unwrap();
    assert!(!is_used(&other, proof("used", over, 1)).await);
    wait_for_proofs(&looks, &name, 0).await;
    pausing.commit().await.unwrap();
    assert_eq!(confirming.await.unwrap(), Written::Replayed);
    assert_eq!(store.read(&key(1)).await.unwrap().unwrap().state, State::Proposed);
}

/// Row B8, Row E13, Row E14: what was forgotten while every clock was ahead is refused once they are set back, by
/// nodes that start then, too; and what is newer is accepted.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_forgotten_by_every_clock_is_refused_at_every_node() {
    let noon = Instant::from_millis(1_790_000_000_000);
    let clock = SetClock::at(noon);
    let name = schema();
    let config = fresh().schema(&name).on_clock(Arc::new(clock.clone()));
    let store = Postgres::connect(config.clone()).await.unwrap();
    let good_until = |made: u64| noon.saturating_add(seconds(made + 121));
    for with in 0..3 {
        assert!(
            !is_used(&store, proof(&format!("at {with}"), good_until(with.into()), with)).await
        );
    }
    clock.set(noon.saturating_add(seconds(3_600)));
    assert!(!is_used(&store, proof("ahead", good_until(3_600), 3)).await);
    wait_for_proofs(&connection(shared()).await, &name, 1).await;
    clock.set(noon.saturating_add(seconds(3)));
    let other = Postgres::connect(config).await.unwrap();
    for node in [&store, &other] {
        for with in 0..3 {
            let again = proof(&format!("at {with}"), good_until(with.into()), 10 + with);
            assert!(is_used(node, again).await, "it was used before, and forgotten");
        }
        assert!(is_used(node, proof("ahead", good_until(3_600), 13)).await, "it is on record");
    }
    for (with, node) in [(21, &store), (22, &other)] {
        assert!(!is_used(node, proof(&format!("new {with}"), good_until(3), with)).await);
    }
}

/// A server on a clock that is set.
fn on_a_clock() -> (Cluster, MachineClock) {
    let mut cluster = Cluster::start().unwrap();
    cluster.stop_fast().unwrap();
    let clock = MachineClock::in_folder(cluster.folder()).unwrap();
    cluster.set_environment(clock.environment());
    cluster.restart().unwrap();
    (cluster, clock)
}

/// Row B8, Row E13, Row E14: a server whose clock is ahead for long forgets nothing early, and refuses nothing that was
/// made by a clock that is right, however much comes in one second.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_is_ahead_forgets_nothing_early_and_refuses_nothing() {
    const MANY: u32 = 200;
    let (cluster, clock) = on_a_clock();
    clock.set_apart(3_600).unwrap();
    let name = schema();
    let store =
        Postgres::connect(Config::at(cluster.url()).schema(&name).single_node()).await.unwrap();
    let until = now().saturating_add(seconds(121));
    let each = |first: u32| (first..first + MANY).map(move |n| proof(&n.to_string(), until, n));
    assert!(!is_used(&store, proof("over", Instant::from_millis(0), 9_999)).await);
    for proof in each(0) {
        assert!(!is_used(&store, proof).await);
    }
    // what is over is forgotten meanwhile
    let looks = connection(&cluster).await;
    wait_for_proofs(&looks, &name, MANY).await;
    for proof in each(MANY) {
        assert!(!is_used(&store, proof).await, "the same second");
    }
    for apart in [3_600, 0] {
        clock.set_apart(apart).unwrap();
        for proof in each(0).chain(each(MANY)) {
            let ticket = ticket(20_000);
            assert!(is_used(&store, ProofUse { ticket, ..proof }).await, "it was used before");
        }
    }
    assert!(!is_used(&store, proof("new", until, 30_000)).await);
    wait_for_proofs(&looks, &name, 2 * MANY + 1).await;
}

/// Row E13. What is over by the server's clock alone, or by the node's alone, stays on record; and how far others were
/// forgotten only grows.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_proof_is_forgotten_when_it_is_over_by_both_clocks() {
    let name = schema();
    // on a clock by which the store itself forgets nothing
    let config = fresh().schema(&name).on_clock(Arc::new(SetClock::at(Instant::from_millis(0))));
    let store = Postgres::connect(config).await.unwrap();
    let client = connection(shared()).await;
    let forget = FORGET.replace("pap.", &format!("{name}."));
    let known = format!("SELECT max(value) FROM {name}.meta WHERE name = 'forgotten_until'");
    let good = Instant::from_millis(9_000);
    assert!(!is_used(&store, proof("first", good, 1)).await);
    let clocks: [(i64, i64, usize); 3] =
        [(10_000, 9_000, 0), (9_000, 10_000, 0), (10_000, 10_000, 1)];
    for (server, here, forgotten) in clocks {
        let rows = client.query(&forget, &[&Some(server), &here, &1_000_i64]).await.unwrap();
        assert_eq!(rows.len(), forgotten, "{server} {here}");
    }
    // one that is good no longer is on record by its refusal, and is forgotten too
    assert!(is_used(&store, proof("second", Instant::from_millis(3_000), 2)).await);
    let (none, ahead) = (None::<i64>, now().saturating_add(seconds(3_600)).as_millis());
    assert_eq!(client.query(&forget, &[&none, &ahead, &1_000_i64]).await.unwrap().len(), 1);
    let until: Option<String> = client.query_one(&known, &[]).await.unwrap().get(0);
    assert_eq!(until.as_deref(), Some("9000"));
    assert!(!is_used(&store, proof("third", Instant::from_millis(9_001), 3)).await);
}
