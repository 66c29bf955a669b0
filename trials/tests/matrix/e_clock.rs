//! E13 and E14, and B8 with them, on a machine whose clock is set while the process runs: everything in the
//! process has that clock, and what waits are measured by does not step, as on a real one.

use std::time::{Duration, Instant};

use pap_trials::driver::agent::Answer;
use pap_trials::driver::process::Process;
use pap_trials::node::DEAD_AFTER;
use reqwest::Method;
use serde_json::json;

use crate::trial::{Asked, Trial, fleets, on_a_server_with_a_clock, trials, until};

const HOUR_S: i64 = 3_600;

/// A node that sweeps so seldom looks at no proposal by itself.
const NEVER: Duration = Duration::from_secs(3_600);

/// So long nobody is silent here, however slow the machine is.
const LONGER: Duration = DEAD_AFTER.saturating_mul(3);

#[tokio::test]
async fn e13_a_machine_that_is_set_ahead_asks_early_and_performs_nothing_more() {
    for trial in trials().await {
        let (mut trial, clock) = trial.on_a_machine();
        trial.street.options.perform_within = Duration::from_millis(50);
        // right before it plans by its clock when to ask
        let points = ["perform.overdue", "handler.before_effect"];
        let node = trial.armed(&points.map(|point| trial.first_at(2, point, "go")).join(",")).await;
        let performed = trial.ask(&node, "unfenced", json!({})).await;
        let unknown = trial.ask(&node, "fenced", json!({ "how": "lost" })).await;
        let proposed = trial.ask(&node, "fenced", json!({})).await;
        let confirms = [trial.state_told(&node, &performed), trial.state_told(&node, &unknown)];
        for asked in [&performed, &unknown] {
            trial.until(&node, asked, "in_progress").await;
        }
        clock.set_apart(HOUR_S).unwrap();
        trial.let_go("go");
        // a file has the clock of its machine, and a server its own
        let alone = trial.street.options.place.nodes() == 1;
        let later = if alone { trial.agent().ahead(HOUR_S) } else { trial.agent().clone() };
        let state = if alone { "expired" } else { "succeeded" };
        until("a proof by the store's clock", async || {
            later.read(node.address(), &proposed.id).await.unwrap().status == 200
        })
        .await;
        let confirmed = later.confirm(node.address(), &proposed.id, 1).await.unwrap();
        assert_eq!(confirmed.state(), state, "by the store's clock: {}", confirmed.json);
        assert_eq!(trial.effects(&proposed), u32::from(!alone));
        // what is found out from now on is not put off until the old clock has come so far
        let request = json!({ "item": "after the step", "how": "lost" });
        let after = later.propose(node.address(), "fenced", &request).await.unwrap();
        let after = Asked { id: after.id().unwrap().to_owned(), revision: 1, request };
        later.confirm(node.address(), &after.id, 1).await.unwrap();
        for asked in [&performed, &unknown, &after] {
            let ended = later.until_ended(node.address(), &asked.id).await.unwrap();
            assert_eq!(ended.state(), "succeeded", "{}", ended.json);
            assert_eq!(trial.effects(asked), 1);
        }
        for confirm in confirms {
            drop(confirm.await.unwrap());
        }
        trial.holds(node).await;
    }
}

/// The node that is ahead would find every sign of life of the other an hour old.
#[tokio::test]
async fn e13_a_node_that_is_ahead_takes_no_other_for_dead() {
    for mut trial in fleets().await {
        trial.street.options.dead_after = LONGER;
        let performs = trial.waiting_at("handler.before_effect", "go").await;
        let (trial, clock) = trial.on_a_machine();
        let ahead = trial.node().await;
        // asked about, its key would be refused and it would fail
        let slow = trial.ask(&performs, "fenced", json!({})).await;
        let confirm = trial.state_told(&performs, &slow);
        trial.until(&performs, &slow, "in_progress").await;
        clock.set_apart(HOUR_S).unwrap();
        // it beats meanwhile, and looks at who does
        let longer = Instant::now() + 2 * LONGER;
        while Instant::now() < longer {
            assert_eq!(trial.read(&ahead, &slow).await.state(), "in_progress");
        }
        trial.let_go("go");
        assert_eq!(trial.until(&ahead, &slow, "succeeded").await.status, 200);
        assert_eq!(trial.effects(&slow), 1);
        assert_eq!(trial.times_asked(&slow).await, 0);
        assert!(!trial.log().contains("the store took this process for dead"));
        drop(confirm.await.unwrap());
        assert!(ahead.end().await.unwrap().success());
        trial.holds(performs).await;
    }
}

/// By the server's clock the performer has given no sign of life for an hour, and its proposals are over.
#[tokio::test]
async fn e13_a_server_that_is_set_ahead_asks_early_and_performs_nothing_more() {
    let (_cluster, trial, clock) = on_a_server_with_a_clock().await;
    let nodes = [trial.waiting_at("handler.before_effect", "go").await, trial.node().await];
    let performed = trial.ask(&nodes[0], "unfenced", json!({})).await;
    let proposed = trial.ask(&nodes[0], "fenced", json!({})).await;
    let confirm = trial.state_told(&nodes[0], &performed);
    trial.until(&nodes[0], &performed, "in_progress").await;
    clock.set_apart(HOUR_S).unwrap();
    let later = trial.agent().ahead(HOUR_S);
    for node in &nodes {
        until("a proof by the server's clock", async || {
            later.read(node.address(), &proposed.id).await.unwrap().status == 200
        })
        .await;
        let confirmed = later.confirm(node.address(), &proposed.id, 1).await.unwrap();
        assert_eq!(confirmed.state(), "expired");
    }
    trial.let_go("go");
    for node in &nodes {
        let ended = later.until_ended(node.address(), &performed.id).await.unwrap();
        assert_eq!(ended.state(), "succeeded");
    }
    assert_eq!((trial.effects(&performed), trial.effects(&proposed)), (1, 0));
    drop(confirm.await.unwrap());
    let [one, other] = nodes;
    assert!(one.end().await.unwrap().success());
    trial.holds(other).await;
}

/// Three proposals that have expired by a clock that is ahead, of which nobody has looked at two since.
async fn expired(trial: &Trial, node: &str, ahead_s: i64) -> [Asked; 3] {
    let ahead = trial.agent().ahead(ahead_s);
    let ask = async |item: &str, expires_ms: u32| {
        let request = json!({ "item": item, "expires_ms": expires_ms });
        let asked = ahead.propose(node, "fenced", &request).await.unwrap();
        Asked { id: asked.id().unwrap().to_owned(), revision: 1, request }
    };
    let (seen, unseen, left) =
        (ask("seen", 1).await, ask("unseen", 50).await, ask("left", 50).await);
    ahead.until_ended(node, &seen.id).await.unwrap();
    // time that the store has told on, after the last moment of those that nobody looked at
    let after = ask("after", 100).await;
    ahead.until_ended(node, &after.id).await.unwrap();
    [seen, unseen, left]
}

/// They stay so for an agent whose clock is apart by so much.
async fn stay_expired(trial: &Trial, node: &str, asked: &[Asked], apart_s: i64) {
    let agent = trial.agent().ahead(apart_s);
    for asked in asked {
        until("a proof by the store's clock", async || {
            agent.read(node, &asked.id).await.unwrap().status == 200
        })
        .await;
        let confirmed = agent.confirm(node, &asked.id, 1).await.unwrap();
        assert_eq!((confirmed.status, confirmed.state()), (200, "expired"));
        assert_eq!(trial.effects(asked), 0);
    }
}

#[tokio::test]
async fn e14_what_has_expired_stays_so_on_a_machine_that_is_set_back() {
    for trial in trials().await {
        let (mut trial, clock) = trial.on_a_machine();
        trial.street.options.sweep_every = NEVER;
        clock.set_apart(HOUR_S).unwrap();
        let node = trial.node().await;
        let alone = trial.street.options.place.nodes() == 1;
        let apart = |seconds: i64| if alone { seconds } else { 0 };
        let asked = expired(&trial, node.address(), apart(HOUR_S)).await;
        clock.set_apart(0).unwrap();
        stay_expired(&trial, node.address(), &asked[..2], 0).await;
        clock.set_apart(-HOUR_S).unwrap();
        stay_expired(&trial, node.address(), &asked[..2], apart(-HOUR_S)).await;
        node.kill().await.unwrap();
        // a new process goes on from the newest moment that is on record
        let node = trial.node().await;
        stay_expired(&trial, node.address(), &asked, apart(-HOUR_S)).await;
        clock.set_apart(0).unwrap();
        stay_expired(&trial, node.address(), &asked, 0).await;
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn e14_what_has_expired_stays_so_on_a_server_that_is_set_back() {
    let (_cluster, mut trial, clock) = on_a_server_with_a_clock().await;
    trial.street.options.sweep_every = NEVER;
    clock.set_apart(HOUR_S).unwrap();
    let node = trial.node().await;
    let asked = expired(&trial, node.address(), HOUR_S).await;
    clock.set_apart(0).unwrap();
    stay_expired(&trial, node.address(), &asked[..2], 0).await;
    node.kill().await.unwrap();
    let node = trial.node().await;
    stay_expired(&trial, node.address(), &asked, 0).await;
    trial.holds(node).await;
}

/// A confirm of another revision than was proposed, which is refused and has used its proof: that is sent again
/// with the one that was proposed.
struct Spent<'t> {
    trial: &'t Trial,
    asked: Asked,
    path: String,
    proof: String,
}

impl<'t> Spent<'t> {
    async fn at(trial: &'t Trial, node: &Process) -> Self {
        let asked = trial.ask(node, "fenced", json!({})).await;
        let path = format!("/poppy/operations/{}/confirm", asked.id);
        let proof = trial.agent().proof(&Method::POST, &path).unwrap();
        let spent = Self { trial, asked, path, proof };
        assert_eq!(spent.send(node, 7).await.error(), "terms_changed");
        spent
    }

    async fn send(&self, node: &Process, revision: u32) -> Answer {
        let body = json!({ "revision": revision, "approved_by": "user" });
        let to = (Method::POST, self.path.as_str());
        self.trial.agent().send(node.address(), to, Some(&body), &self.proof).await.unwrap()
    }

    async fn is_refused(&self, node: &Process) {
        let again = self.send(node, 1).await;
        assert_eq!((again.status, again.error()), (401, "invalid_dpop_proof"));
        assert_eq!(self.trial.effects(&self.asked), 0);
    }
}

/// B8, E13 and E14: what the store forgot while the machine was ahead is no new proof when it is set back.
#[tokio::test]
async fn b8_a_proof_counts_once_on_a_machine_that_is_set_ahead_and_back() {
    for trial in trials().await {
        let (trial, clock) = trial.on_a_machine();
        let alone = trial.street.options.place.nodes() == 1;
        let node = trial.node().await;
        let spent = Spent::at(&trial, &node).await;
        clock.set_apart(HOUR_S).unwrap();
        let later = trial.agent().ahead(if alone { HOUR_S } else { 0 });
        for item in ["one", "another"] {
            let request = json!({ "item": item });
            until("a proof by the store's clock", async || {
                later.propose(node.address(), "fenced", &request).await.unwrap().id().is_some()
            })
            .await;
        }
        clock.set_apart(0).unwrap();
        spent.is_refused(&node).await;
        node.kill().await.unwrap();
        let node = trial.node().await;
        spent.is_refused(&node).await;
        // one that is made after those that were forgotten is good at once
        let new = trial.agent().ahead(1);
        let confirmed = new.confirm(node.address(), &spent.asked.id, 1).await.unwrap();
        assert_eq!(confirmed.state(), if alone { "expired" } else { "succeeded" });
        trial.holds(node).await;
    }
}

/// B8, E13 and E14: a server that is ahead of its nodes forgets nothing that they do not find over.
#[tokio::test]
async fn b8_a_proof_counts_once_on_a_server_that_is_set_ahead_and_back() {
    let (cluster, trial, clock) = on_a_server_with_a_clock().await;
    let node = trial.node().await;
    let spent = Spent::at(&trial, &node).await;
    clock.set_apart(HOUR_S).unwrap();
    // what is over by every clock is forgotten after that
    let over = "INSERT INTO pap.replay VALUES (sha256('over'), substr(sha256('over'), 1, 16), 0)";
    cluster.psql(over).unwrap();
    until("the proof that is over to be forgotten", async || {
        cluster.psql("SELECT count(*) FROM pap.replay WHERE until = 0").unwrap() == "0"
    })
    .await;
    clock.set_apart(0).unwrap();
    spent.is_refused(&node).await;
    let other = trial.node().await;
    spent.is_refused(&other).await;
    // and a new one is good at once
    assert_eq!(trial.confirm(&other, &spent.asked).await.state(), "expired");
    assert!(node.end().await.unwrap().success());
    trial.holds(other).await;
}
