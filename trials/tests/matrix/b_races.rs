//! B: races with the claim.

use pap_trials::driver::agent::Agent;
use pap_trials::driver::record::Record;
use reqwest::Method;
use serde_json::json;

use crate::trial::{FINAL, HOUR_MS, on_a_clock, trials, until};

const ROUNDS: u32 = 12;

/// How long a proposal lasts that is to expire while a request is on its way, and a moment after that. The
/// request's proof is still good then, for most of a minute.
const LASTS_MS: i64 = 60_000;
const PAST_MS: i64 = LASTS_MS + 10_000;

#[tokio::test]
async fn b1_of_a_confirm_and_a_cancel_one_wins_and_the_other_says_so() {
    for trial in trials().await {
        let node = trial.node().await;
        for round in 0..ROUNDS {
            let asked = trial.ask(&node, "fenced", json!({ "before_ms": round % 3 })).await;
            let (agent, address) = (trial.agent(), node.address());
            let (confirmed, cancelled) = tokio::join!(
                agent.confirm(address, &asked.id, asked.revision),
                agent.cancel(address, &asked.id)
            );
            let (confirmed, cancelled) = (confirmed.unwrap(), cancelled.unwrap());
            assert_eq!((confirmed.status, cancelled.status), (200, 200));
            let ended = trial.ended(&node, &asked).await;
            let stopped = u32::from(ended.state() != "cancelled");
            assert_eq!(trial.effects(&asked), stopped, "{}", ended.json);
        }
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn b2_of_a_confirm_and_a_revision_one_wins() {
    for trial in trials().await {
        let node = trial.node().await;
        for _ in 0..ROUNDS {
            let asked = trial.ask(&node, "fenced", json!({})).await;
            let (agent, address) = (trial.agent(), node.address());
            let mut other = asked.request.clone();
            other["before_ms"] = json!(1);
            let (confirmed, revised) = tokio::join!(
                agent.confirm(address, &asked.id, 1),
                agent.propose(address, "fenced", &other)
            );
            let (confirmed, revised) = (confirmed.unwrap(), revised.unwrap());
            let now = trial.read(&node, &asked).await;
            if confirmed.status == 200 {
                // claimed: after the confirmation terms cannot change
                assert_eq!((now.state(), now.revision()), ("succeeded", 1));
                // asking after the end is a new operation
                assert!(revised.id() != Some(&asked.id) || revised.revision() == 1);
                assert_eq!(trial.effects(&asked), 1);
            } else {
                assert_eq!(
                    (confirmed.status, confirmed.json["error"].as_str()),
                    (409, Some("terms_changed"))
                );
                assert_eq!(confirmed.json["operation"]["revision"], 2);
                assert_eq!((now.state(), now.revision()), ("proposed", 2));
                assert_eq!(trial.effects(&asked), 0);
            }
        }
        trial.holds(node).await;
    }
}

/// The claim's own condition decides, not the look before it.
#[tokio::test]
async fn b3_a_claim_that_comes_after_the_last_moment_is_none() {
    for trial in trials().await.into_iter().map(on_a_clock) {
        let node = trial.waiting_at("claim.before", "go").await;
        let asked = trial.ask(&node, "fenced", json!({ "expires_ms": LASTS_MS })).await;
        let confirming = trial.confirming(&node, &asked);
        trial.reached("claim.before", 1).await;
        // decided in time, and claimed too late; nobody has looked meanwhile and recorded the expiry
        trial.set_apart(PAST_MS);
        trial.let_go("go");
        let confirmed = confirming.await.unwrap();
        assert_eq!((confirmed.status, confirmed.state()), (200, "expired"));
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn b4_what_has_expired_is_not_revised_again() {
    for mut trial in trials().await.into_iter().map(on_a_clock) {
        let node = trial.node().await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        trial.has_passed(HOUR_MS);
        let expired = trial.read(&node, &asked).await;
        assert_eq!((expired.state(), expired.revision()), ("expired", 1));
        let mut other = asked.request.clone();
        other["before_ms"] = json!(1);
        let new = trial.agent().propose(node.address(), "fenced", &other).await.unwrap();
        assert_eq!((new.state(), new.revision()), ("proposed", 1));
        assert_ne!(new.id(), Some(asked.id.as_str()));
        assert_eq!(trial.read(&node, &asked).await.json, expired.json);
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn b5_of_a_cancel_and_the_last_moment_one_wins_and_nothing_is_done() {
    for mut trial in trials().await.into_iter().map(on_a_clock) {
        let node = trial.waiting_at("decline.before", "go").await;
        let asked = trial.ask(&node, "fenced", json!({ "expires_ms": LASTS_MS })).await;
        let (agent, address, id) =
            (trial.agent().clone(), node.address().to_owned(), asked.id.clone());
        let cancelling = tokio::spawn(async move { agent.cancel(&address, &id).await.unwrap() });
        trial.reached("decline.before", 1).await;
        trial.has_passed(PAST_MS);
        let expired = trial.read(&node, &asked).await;
        assert_eq!(expired.state(), "expired");
        trial.let_go("go");
        let cancelled = cancelling.await.unwrap();
        assert_eq!(cancelled.json, expired.json, "the loser's answer is the winner's state");
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn b6_a_cancel_that_comes_after_the_end_changes_nothing() {
    for trial in trials().await {
        let points = [("handler.before_effect", "go on"), ("request_stop.before", "go")];
        let node = trial.waiting_at_each(&points).await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        let (agent, address) = (trial.agent().clone(), node.address().to_owned());
        let id = asked.id.clone();
        let cancelling = async {
            trial.reached("handler.before_effect", 1).await;
            agent.cancel(&address, &id).await.unwrap()
        };
        let confirming = async {
            let confirming = trial.confirming(&node, &asked);
            // it was in progress when it was decided to stop it
            trial.reached("request_stop.before", 1).await;
            trial.let_go("go on");
            let confirmed = confirming.await.unwrap();
            trial.let_go("go");
            confirmed
        };
        let (confirmed, cancelled) = tokio::join!(confirming, cancelling);
        assert_eq!(confirmed.state(), "succeeded");
        assert_eq!(cancelled.json, confirmed.json);
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn b7_a_cancel_while_the_effect_is_on_its_way_ends_as_what_is_true() {
    for trial in trials().await {
        let downstream = &trial.street.downstream;
        // on its way, and refused there in time
        let node = trial.node().await;
        let asked = trial.ask(&node, "fenced", json!({ "how": "held" })).await;
        let confirming = trial.confirming(&node, &asked);
        let key = format!("{}:effect", asked.id);
        until("the request", async || downstream.is_held(&key).await.unwrap()).await;
        let cancelled = trial.agent().cancel(node.address(), &asked.id).await.unwrap();
        assert_eq!(cancelled.state(), "in_progress", "until it is known");
        assert_eq!(trial.ended(&node, &asked).await.state(), "cancelled");
        downstream.let_go().await.unwrap();
        until("its delivery", async || !downstream.is_held(&key).await.unwrap()).await;
        assert_eq!(confirming.await.unwrap().state(), "cancelled");
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;

        // done, and only its answer is on its way
        let node = trial.waiting_at("handler.after_effect", "go").await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        let confirming = trial.confirming(&node, &asked);
        trial.reached("handler.after_effect", 1).await;
        assert_eq!(trial.effects(&asked), 1);
        let cancelled = trial.agent().cancel(node.address(), &asked.id).await.unwrap();
        assert_eq!(cancelled.state(), "in_progress", "until it is known");
        trial.let_go("go");
        assert_eq!(confirming.await.unwrap().state(), "succeeded");
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

/// OPS-5.2-3
#[tokio::test]
async fn b8_a_proof_counts_once_also_at_the_next_process() {
    for trial in trials().await {
        let node = trial.node().await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        let path = format!("/poppy/operations/{}/confirm", asked.id);
        let wrong = json!({ "revision": 7, "approved_by": "user" });
        let right = json!({ "revision": 1, "approved_by": "user" });
        let proof = trial.agent().proof(&Method::POST, &path).unwrap();
        let send = async |node: &str, body| {
            trial.agent().send(node, (Method::POST, &path), Some(body), &proof).await.unwrap()
        };
        assert_eq!(send(node.address(), &wrong).await.error(), "terms_changed");
        // a proof says nothing about the body: refused once, it confirms nothing later
        let again = send(node.address(), &right).await;
        assert_eq!((again.status, again.error()), (401, "invalid_dpop_proof"));
        node.kill().await.unwrap();
        let node = trial.node().await;
        assert_eq!(send(node.address(), &right).await.error(), "invalid_dpop_proof");
        assert_eq!(trial.read(&node, &asked).await.state(), "proposed");
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn b10_another_session_of_the_account_may_confirm_and_a_stranger_learns_nothing() {
    for trial in trials().await {
        let node = trial.node().await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        let (id, address) = (asked.id.as_str(), node.address());
        let stranger = Agent::of("mallory", Record::default()).unwrap();
        let unknown = "op_00000000000000000000000000";
        for (foreign, never) in [
            (stranger.read(address, id).await, stranger.read(address, unknown).await),
            (stranger.confirm(address, id, 1).await, stranger.confirm(address, unknown, 1).await),
            (stranger.cancel(address, id).await, stranger.cancel(address, unknown).await),
        ] {
            let (foreign, never) = (foreign.unwrap(), never.unwrap());
            assert_eq!((foreign.status, foreign.error()), (404, "operation_not_found"));
            assert_eq!(foreign, never);
        }
        let same = Agent::of("ada", trial.agent().record().clone()).unwrap();
        let confirmed = same.confirm(address, id, asked.revision).await.unwrap();
        assert!(FINAL.contains(&confirmed.state()));
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}
