//! What a fleet does beside the path of operations: the feed of events, and what hung on proposals.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use pap_runtime::operators::Operators;
use pap_runtime::store::{Cursor, EventKind, FeedEvent};
use pap_trials::driver::process::Process;
use pap_trials::node::beside;
use serde_json::json;

use crate::trial::{Asked, FINAL, PATIENCE, Trial, fleets, on_a_server_with_a_clock, until};

/// Reads on after this place, a few at a time, until the feed has told so many ends.
async fn follow(operators: &Operators, mut after: Cursor, ends: usize) -> Vec<FeedEvent> {
    let mut seen: Vec<FeedEvent> = Vec::new();
    let give_up = tokio::time::Instant::now() + 2 * PATIENCE;
    while seen.iter().filter(|event| event.kind == EventKind::Ended).count() < ends {
        assert!(tokio::time::Instant::now() < give_up, "every end comes: {}", seen.len());
        let feed = operators.events(after, 7).await.unwrap();
        if feed.events.is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        seen.extend(feed.events);
        after = feed.next;
    }
    seen
}

/// What was told of each operation, in its order.
fn by_operation(events: &[FeedEvent]) -> BTreeMap<String, Vec<EventKind>> {
    let mut of: BTreeMap<String, Vec<EventKind>> = BTreeMap::new();
    for event in events {
        of.entry(event.id.to_string()).or_default().push(event.kind);
    }
    of
}

/// Two nodes write at once, and each handler keeps its transaction open for a time of its own after it has
/// written its event: what was written first is often committed last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_follows_two_nodes_misses_no_event_and_sees_none_twice() {
    const MANY: usize = 80;
    for trial in fleets().await {
        let nodes = [trial.node().await, trial.node().await];
        let opened = trial.street.options.place.open().await.unwrap();
        let operators = Operators::over(Arc::clone(&opened.store), "Trials");
        let follows = operators.clone();
        let following = tokio::spawn(async move { follow(&follows, Cursor::START, MANY).await });
        let mut confirms = Vec::new();
        for number in 0..MANY {
            let node = &nodes[number % 2];
            let request = json!({ "after_ms": number * 37 % 150 });
            let asked = trial.ask(node, "same-store", request).await;
            // half of them at the other node
            confirms.push(trial.state_told(&nodes[number / 2 % 2], &asked));
        }
        for confirm in confirms {
            assert_eq!(confirm.await.unwrap(), "succeeded");
        }
        let seen = following.await.unwrap();
        let of = by_operation(&seen);
        assert_eq!(of.len(), MANY);
        for (id, kinds) in of {
            let whole = [EventKind::Proposed, EventKind::Confirmed, EventKind::Ended];
            assert_eq!(kinds, whole, "the events of `{id}`");
        }
        // whoever goes on from any place is told the same rest
        for from in [0, MANY, 2 * MANY] {
            let rest = &seen[from + 1..];
            let ends = rest.iter().filter(|event| event.kind == EventKind::Ended).count();
            let again = follow(&operators, seen[from].cursor.clone(), ends).await;
            assert_eq!(by_operation(&again), by_operation(rest), "from event {from}");
        }
        drop(operators);
        opened.close().await;
        let [one, other] = nodes;
        assert!(one.end().await.unwrap().success());
        trial.holds(other).await;
    }
}

/// Proposals with something held for them, as many of each: one that will expire, one that is cancelled and one
/// that is revised and then cancelled. Stops when the node is gone.
async fn hold_and_give_up(trial: &Trial, dies: &mut Process) -> Vec<Asked> {
    let mut asked = Vec::new();
    let give_up = tokio::time::Instant::now() + PATIENCE;
    while !dies.is_dead_within(Duration::from_millis(1)).await.unwrap() {
        assert!(tokio::time::Instant::now() < give_up, "it does not die");
        let number = asked.len();
        let address = dies.address();
        let mut request = json!({ "item": format!("held {number}") });
        if number % 3 == 0 {
            request["expires_ms"] = json!(50);
        }
        let Ok(answer) = trial.agent().propose(address, "held", &request).await else { continue };
        let id = answer.id().unwrap().to_owned();
        if number % 3 == 1 {
            drop(trial.agent().cancel(address, &id).await);
        } else if number % 3 == 2 {
            request["before_ms"] = json!(1);
            drop(trial.agent().propose(address, "held", &request).await);
            drop(trial.agent().cancel(address, &id).await);
        }
        asked.push(Asked { id, revision: answer.revision(), request });
    }
    asked
}

/// Whatever ended a proposal, and wherever in its release a node dies: what hung on it is let go at least once.
#[tokio::test]
async fn what_hung_on_a_proposal_is_let_go_though_a_node_dies_in_the_middle() {
    for point in ["take_releases.after", "released.before", "released.after", "end_release.before"]
    {
        let (_cluster, mut trial, clock) = on_a_server_with_a_clock().await;
        trial.street.options.sweep_every = Duration::from_millis(100);
        let other = trial.node().await;
        let mut dies = trial.armed(&format!("{point}=kill@6")).await;
        let asked = hold_and_give_up(&trial, &mut dies).await;
        // the lease of what it had taken is over
        clock.set_apart(600).unwrap();
        let later = trial.agent().ahead(600);
        for asked in &asked {
            until("its end", async || {
                let now = later.cancel(other.address(), &asked.id).await.unwrap();
                FINAL.contains(&now.state())
            })
            .await;
        }
        let place = &trial.street.options.place;
        until("every release", async || beside(place).await.unwrap().owed.is_empty()).await;
        assert!(other.end().await.unwrap().success());
        let found = trial.street.compare().await.unwrap();
        assert!(found.is_good(), "{point}: {:?}", found.wrong().collect::<Vec<_>>());
        // every hold of every revision: none was confirmed
        assert!(found.let_go >= asked.len() && found.owed == 0, "{point}: {found}");
    }
}
