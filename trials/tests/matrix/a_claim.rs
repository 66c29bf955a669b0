//! A: before and at the claim.

use pap_trials::node::SCOPE;
use serde_json::json;
use tokio::task::JoinSet;

use crate::trial::{NOTHING, trials, until};

/// OPS-6-4
#[tokio::test]
async fn a1_a_death_while_proposing_leaves_nothing_or_all_of_it() {
    for trial in trials().await {
        for point in ["propose.worked_out", "store.propose.within", "store.propose.before_commit"] {
            let mut node = trial.armed(&format!("{point}=kill")).await;
            let request = json!({ "item": point });
            let asked = trial.agent().propose(node.address(), "fenced", &request).await;
            asked.expect_err("the channel's call fails");
            assert!(node.is_dead_within(crate::trial::PATIENCE).await.unwrap());

            let node = trial.node().await;
            let again = trial.agent().propose(node.address(), "fenced", &request).await.unwrap();
            assert_eq!((again.status, again.state(), again.revision()), (202, "proposed", 1));
            let id = again.id().unwrap().to_owned();
            let confirmed = trial.agent().confirm(node.address(), &id, 1).await.unwrap();
            assert_eq!(confirmed.state(), "succeeded");
            assert_eq!(trial.street.effects(&id, "effect").unwrap(), 1);
            trial.holds(node).await;
        }
    }
}

/// OPS-4-1
#[tokio::test]
async fn a2_a_proposal_whose_answer_was_lost_is_the_one_that_asking_again_finds() {
    for trial in trials().await {
        let node = trial.waiting_at("propose.stored", "never").await;
        let request = json!({ "item": "a jacket" });
        let (agent, address) = (trial.agent().clone(), node.address().to_owned());
        let lost = request.clone();
        let unanswered =
            tokio::spawn(async move { agent.propose(&address, "fenced", &lost).await.map(drop) });
        // it is on record as soon as asking again finds it, while the first is still not answered
        trial.reached("propose.stored", 1).await;
        let found = trial.agent().propose(node.address(), "fenced", &request).await.unwrap();
        assert!(!unanswered.is_finished());
        node.kill().await.unwrap();
        unanswered.await.unwrap().expect_err("its answer was lost");

        let node = trial.node().await;
        let again = trial.agent().propose(node.address(), "fenced", &request).await.unwrap();
        assert_eq!(again.id(), found.id(), "one open operation for one action");
        assert_eq!((again.state(), again.revision()), ("proposed", 1));
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn a3_a_death_before_the_claim_burns_no_approval() {
    for trial in trials().await {
        for point in ["http.proved", "confirm.decided", "confirm.rechecked", "claim.before"] {
            let node = trial.node().await;
            let asked = trial.ask(&node, "fenced", json!({})).await;
            assert!(node.end().await.unwrap().success());
            let node = trial.armed(&format!("{point}=kill")).await;
            trial.confirm_into_death(node, &asked).await;

            let node = trial.node().await;
            assert_eq!(trial.read(&node, &asked).await.state(), "proposed", "{point}");
            assert_eq!(trial.effects(&asked), 0, "{point}");
            assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded", "{point}");
            assert_eq!(trial.effects(&asked), 1, "{point}");
            trial.holds(node).await;
        }
    }
}

#[tokio::test]
async fn a4_a_claim_that_was_certainly_not_written_performs_nothing() {
    for trial in trials().await {
        // a statement on its way to a server is not certainly unwritten: that is row A5
        let alone = trial.street.options.place.nodes() == 1;
        let acts: &[&str] =
            if alone { &["within=kill", "before_commit=kill"] } else { &["within=kill"] };
        for act in acts {
            let asked =
                trial.dies_confirming(&format!("store.claim.{act}"), "fenced", json!({})).await;
            let node = trial.node().await;
            assert_eq!(trial.read(&node, &asked).await.state(), "proposed", "{act}");
            assert_eq!(trial.effects(&asked), 0, "{act}");
            assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded", "{act}");
            trial.holds(node).await;
        }
        // and a store that says so, also when it tries again by itself
        let twice = if alone { ",store.claim.within=error@2" } else { "" };
        let node = trial.armed(&format!("store.claim.within=error{twice}")).await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        let refused = trial.confirm(&node, &asked).await;
        assert_eq!((refused.status, refused.error()), (503, "temporarily_unavailable"));
        assert_eq!(trial.read(&node, &asked).await.state(), "proposed");
        assert_eq!(trial.effects(&asked), 0);
        assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded");
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn a5_a_claim_whose_acknowledgement_was_lost_is_never_taken_for_unwritten() {
    for trial in trials().await {
        // it was written: nobody performs from its ticket, and nobody says that it failed before it is known
        let node = trial.armed("store.claim.after_commit=error").await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        let refused = trial.confirm(&node, &asked).await;
        assert_eq!((refused.status, refused.error()), (503, "temporarily_unavailable"));
        let ended = trial.ended(&node, &asked).await;
        assert_eq!((ended.state(), ended.summary()), ("failed", NOTHING), "behind its fence");
        assert_eq!(trial.confirm(&node, &asked).await.state(), "failed");
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;

        // nobody knew: if it was not written, the same revision can be confirmed again
        let node = trial.armed("store.claim.before_commit=error").await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        assert_eq!(trial.confirm(&node, &asked).await.status, 503);
        assert_eq!(trial.effects(&asked), 0);
        trial.confirm(&node, &asked).await;
        let ended = trial.ended(&node, &asked).await;
        let alone = trial.street.options.place.nodes() == 1;
        assert!(!alone || ended.state() == "succeeded", "a file says what it has");
        assert_eq!(trial.effects(&asked), u32::from(ended.state() == "succeeded"));
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn a6_a_right_that_was_spent_and_not_used_is_handed_on_to_nobody() {
    for trial in trials().await {
        for point in ["store.claim.after_commit", "claim.after", "perform.before_handler"] {
            let asked = trial.dies_confirming(&format!("{point}=kill"), "fenced", json!({})).await;

            let node = trial.node().await;
            // the agent's retry, while it is asked about and after
            let retried = trial.confirm(&node, &asked).await;
            assert!(["in_progress", "failed"].contains(&retried.state()), "{}", retried.json);
            let ended = trial.ended(&node, &asked).await;
            assert_eq!((ended.state(), ended.summary()), ("failed", NOTHING), "{point}");
            assert_eq!(trial.confirm(&node, &asked).await.json, ended.json);
            assert_eq!(trial.effects(&asked), 0, "{point}");
            trial.holds(node).await;
        }
    }
}

#[tokio::test]
async fn a8_of_sixty_four_confirms_at_once_one_performs_and_all_are_answered() {
    for trial in trials().await {
        let node = trial.node().await;
        let asked = trial.ask(&node, "unfenced", json!({ "before_ms": 50 })).await;
        let mut confirms = JoinSet::new();
        for _ in 0..64 {
            let (agent, address) = (trial.agent().clone(), node.address().to_owned());
            let asked = asked.clone();
            confirms.spawn(async move {
                agent.confirm(&address, &asked.id, asked.revision).await.unwrap()
            });
        }
        while let Some(answer) = confirms.join_next().await {
            let answer = answer.unwrap();
            assert_eq!(answer.status, 200, "{}", answer.json);
            assert!(["in_progress", "succeeded"].contains(&answer.state()), "{}", answer.json);
        }
        trial.until(&node, &asked, "succeeded").await;
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

#[tokio::test]
async fn a11_what_was_claimed_goes_on_whatever_becomes_of_the_session() {
    for trial in trials().await {
        let node = trial.waiting_at("handler.before_effect", "go").await;
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        // reduced scopes, and signed out: refused before the claim, and nothing is used up
        let fewer = trial.agent().signed_in("ada", Some("ada"), &["trials:read"]);
        let refused = fewer.confirm(node.address(), &asked.id, asked.revision).await.unwrap();
        assert_eq!((refused.status, refused.error()), (403, "insufficient_scope"));
        let out = trial.agent().signed_in("ada", None, &[]);
        let refused = out.confirm(node.address(), &asked.id, asked.revision).await.unwrap();
        assert!((400..500).contains(&refused.status), "{}", refused.json);
        assert_eq!(trial.read(&node, &asked).await.state(), "proposed");
        assert_eq!(trial.effects(&asked), 0);

        // claimed, and then its caller and its token are gone
        let confirming = trial.confirming(&node, &asked);
        trial.reached("handler.before_effect", 1).await;
        assert_eq!(trial.read(&node, &asked).await.state(), "in_progress");
        confirming.abort();
        assert_eq!(out.read(node.address(), &asked.id).await.unwrap().status / 100, 4);
        assert_eq!(trial.effects(&asked), 0);
        trial.let_go("go");
        let later = trial.agent().signed_in("ada", Some("ada"), &[SCOPE]);
        until("its handler", async || trial.effects(&asked) == 1).await;
        let ended = later.until_ended(node.address(), &asked.id).await.unwrap();
        assert_eq!(ended.state(), "succeeded");
        trial.holds(node).await;
    }
}
