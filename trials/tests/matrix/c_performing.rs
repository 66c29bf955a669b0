//! C: while performing.

use std::time::Duration;

use serde_json::json;

use crate::trial::{NOTHING, PATIENCE, Trial, trials, until};

/// A street whose handlers may be asked about almost at once.
fn impatient(mut trial: Trial) -> Trial {
    trial.street.options.perform_within = Duration::from_millis(50);
    trial.street.options.answer_within = Duration::from_millis(100);
    trial
}

#[tokio::test]
async fn c1_a_client_that_hangs_up_drops_no_handler() {
    for trial in trials().await {
        let node = trial.waiting_at("handler.before_effect", "go").await;
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        let confirming = trial.confirming(&node, &asked);
        trial.reached("handler.before_effect", 1).await;
        confirming.abort();
        assert!(confirming.await.unwrap_err().is_cancelled(), "it was not answered");
        assert_eq!(trial.effects(&asked), 0);
        assert_eq!(trial.read(&node, &asked).await.state(), "in_progress");
        trial.let_go("go");
        assert_eq!(trial.until(&node, &asked, "succeeded").await.status, 200);
        assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded", "the retry reads it");
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

/// OPS-6-6
#[tokio::test]
async fn c2_a_refusal_at_first_hand_is_a_failure_with_nothing_changed() {
    for trial in trials().await {
        let node = trial.node().await;
        let asked = trial.ask(&node, "unfenced", json!({ "how": "declined" })).await;
        let failed = trial.confirm(&node, &asked).await;
        let says = "The downstream declined it. Nothing was changed.";
        assert_eq!((failed.state(), failed.summary()), ("failed", says));
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;
    }
}

/// OPS-6-6 OPS-6-7
#[tokio::test]
async fn c3_an_error_that_says_nothing_leaves_it_in_progress_until_it_is_known() {
    for trial in trials().await {
        let node = trial.node().await;
        let lost = trial.ask(&node, "unfenced", json!({ "how": "lost" })).await;
        assert!(["in_progress", "succeeded"].contains(&trial.confirm(&node, &lost).await.state()));
        trial.until(&node, &lost, "succeeded").await;
        assert_eq!(trial.effects(&lost), 1);

        let never = trial.ask(&node, "unfenced", json!({ "how": "never sent" })).await;
        let answer = trial.confirm(&node, &never).await;
        assert_eq!(answer.state(), "in_progress");
        assert!(answer.retry_after.is_some_and(|seconds| seconds >= 1));
        trial.logged(&format!("{} asks=4", never.id), 1).await;
        assert_eq!(trial.read(&node, &never).await.state(), "in_progress", "never failed");
        assert_eq!(trial.effects(&never), 0);
        trial.holds(node).await;
    }
}

/// OPS-6-6
#[tokio::test]
async fn c4_a_panic_is_an_outcome_nobody_knows_and_its_words_reach_nobody() {
    for trial in trials().await {
        let node = trial.node().await;
        let asked = trial.ask(&node, "unfenced", json!({ "how": "panicking" })).await;
        let answer = trial.confirm(&node, &asked).await;
        let ended = trial.until(&node, &asked, "succeeded").await;
        assert!(!format!("{}{}", answer.json, ended.json).contains("as it was told to"));
        assert_eq!(trial.effects(&asked), 1);
        // the process and its writing thread go on
        let next = trial.ask(&node, "unfenced", json!({})).await;
        assert_eq!(trial.confirm(&node, &next).await.state(), "succeeded");
        trial.holds(node).await;
    }
}

/// OPS-6-4
#[tokio::test]
async fn c5_a_handler_that_takes_too_long_is_waited_for_no_longer_and_its_answer_still_counts() {
    for trial in trials().await.into_iter().map(impatient) {
        let node = trial.waiting_at("handler.before_effect", "go").await;
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        let answer = trial.confirm(&node, &asked).await;
        assert_eq!(answer.state(), "in_progress");
        assert!(answer.retry_after.is_some_and(|seconds| seconds >= 1));
        trial.logged(&format!("{} asks=2 ", asked.id), 1).await;
        assert_eq!(trial.effects(&asked), 0, "it was asked about, and nothing else was started");
        // it was not broken off either: it goes on, and its answer counts
        trial.let_go("go");
        trial.until(&node, &asked, "succeeded").await;
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

/// OPS-6-4 OPS-6-7
#[tokio::test]
async fn c6_a_death_between_the_effect_and_the_finish_ends_succeeded_once() {
    for trial in trials().await {
        for point in ["handler.after_effect", "perform.after_handler", "finish.before"] {
            for action in ["fenced", "checkpoint", "unfenced"] {
                let asked =
                    trial.dies_confirming(&format!("{point}=kill"), action, json!({})).await;
                assert_eq!(trial.effects(&asked), 1);

                let node = trial.node().await;
                let ended = trial.ended(&node, &asked).await;
                assert_eq!(ended.state(), "succeeded", "{point}, {action}");
                assert_eq!(trial.confirm(&node, &asked).await.json, ended.json);
                assert_eq!(trial.effects(&asked), 1, "{point}, {action}");
                trial.holds(node).await;
            }
        }
    }
}

/// OPS-3-23
#[tokio::test]
async fn c7_a_death_during_the_finish_shows_one_final_state() {
    for trial in trials().await {
        for moment in ["within", "before_commit", "after_commit", "after_answer"] {
            let mut node = trial.armed(&format!("store.finish.{moment}=kill")).await;
            let asked = trial.ask(&node, "fenced", json!({})).await;
            // after the answer the agent may or may not have heard; what it heard has to stand
            drop(trial.agent().confirm(node.address(), &asked.id, asked.revision).await);
            assert!(node.is_dead_within(PATIENCE).await.unwrap());

            let node = trial.node().await;
            let first = trial.read(&node, &asked).await;
            let written = ["after_commit", "after_answer"].contains(&moment);
            assert!(first.state() == "succeeded" || !written, "{moment}");
            let ended = trial.ended(&node, &asked).await;
            assert_eq!(ended.state(), "succeeded", "{moment}");
            assert_eq!(trial.effects(&asked), 1, "{moment}");
            node.kill().await.unwrap();
            let node = trial.node().await;
            assert_eq!(trial.read(&node, &asked).await.json, ended.json, "{moment}");
            trial.holds(node).await;
        }
    }
}

/// OPS-3-23
#[tokio::test]
async fn c8_a_finish_whose_acknowledgement_was_lost_is_written_once() {
    for trial in trials().await {
        for moment in ["before_commit", "after_commit"] {
            let node = trial.armed(&format!("store.finish.{moment}=error")).await;
            let asked = trial.ask(&node, "unfenced", json!({})).await;
            assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded", "{moment}");
            assert_eq!(trial.effects(&asked), 1);
            assert!(node.end().await.unwrap().success());
            let kinds: Vec<_> =
                trial.history(&asked).await.events.iter().map(|event| event.kind.word()).collect();
            assert_eq!(kinds, ["proposed", "confirmed", "ended"], "{moment}: nothing is late");
            trial.compares().await;
        }
    }
}

/// The handler sleeps as a paused machine does, while recovery looks; then it goes on. OPS-6-6
#[tokio::test]
async fn c9_a_performer_that_was_paused_and_goes_on_changes_no_final_state() {
    for trial in trials().await.into_iter().map(impatient) {
        // (a) the downstream was told to refuse: the late request does nothing
        let node = trial.waiting_at("handler.before_effect", "go a").await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        trial.confirm(&node, &asked).await;
        let failed = trial.until(&node, &asked, "failed").await;
        assert_eq!(failed.summary(), NOTHING);
        trial.let_go("go a");
        trial.logged("an outcome came after the operation had ended", 1).await;
        assert_eq!(trial.read(&node, &asked).await.json, failed.json);
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;

        // (b) nobody can refuse it: it stays in progress until it is seen
        let node = trial.waiting_at("handler.before_effect", "go b").await;
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        trial.confirm(&node, &asked).await;
        trial.logged(&format!("{} asks=4 ", asked.id), 1).await;
        assert_eq!(trial.read(&node, &asked).await.state(), "in_progress");
        trial.let_go("go b");
        trial.until(&node, &asked, "succeeded").await;
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;

        // (c) its checkpoint cannot be written any more, so it does not begin: not once it has ended, and not
        // while what was found is still to be recorded
        let points = [("checkpoint.before", "goes"), ("reconcile.after", "found")];
        let node = trial.waiting_at_each(&points).await;
        let asked = trial.ask(&node, "checkpoint", json!({})).await;
        trial.confirm(&node, &asked).await;
        trial.reached("reconcile.after", 1).await;
        trial.let_go("goes");
        trial.logged("recovery has begun, or it was written before", 1).await;
        trial.let_go("found");
        assert_eq!(trial.until(&node, &asked, "failed").await.summary(), NOTHING);
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;

        let node = trial.waiting_at("checkpoint.before", "go c").await;
        let asked = trial.ask(&node, "checkpoint", json!({})).await;
        trial.confirm(&node, &asked).await;
        let failed = trial.until(&node, &asked, "failed").await;
        trial.let_go("go c");
        trial.logged("recovery has begun, or it was written before", 2).await;
        assert_eq!(trial.read(&node, &asked).await.json, failed.json);
        assert_eq!(trial.effects(&asked), 0);
        trial.holds(node).await;
    }
}

/// The whole process is paused, after its claim and before it sends; SIGCONT, and its answer still counts.
#[tokio::test]
async fn c9_a_process_that_was_stopped_after_its_claim_performs_once_when_it_goes_on() {
    for trial in trials().await {
        for point in ["claim.after", "handler.before_effect", "handler.after_effect"] {
            let node = trial.armed(&format!("{point}=stop")).await;
            let asked = trial.ask(&node, "unfenced", json!({})).await;
            let (confirmed, ()) = tokio::join!(trial.confirm(&node, &asked), async {
                node.until_stopped().await.unwrap();
                assert_eq!(trial.effects(&asked), u32::from(point == "handler.after_effect"));
                node.go_on().unwrap();
            });
            assert_eq!(confirmed.state(), "succeeded", "{point}");
            assert_eq!(trial.effects(&asked), 1, "{point}");
            trial.holds(node).await;
        }
    }
}

#[tokio::test]
async fn c10_a_slow_but_healthy_handler_is_asked_about_and_performs_alone() {
    for trial in trials().await.into_iter().map(impatient) {
        trial.let_go("passes");
        let points = [("handler.after_effect", "answers"), ("finish.told", "passes")];
        let node = trial.waiting_at_each(&points).await;
        // done at once, and its answer slow: whoever is asked is first and ends it, and both agree
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        trial.confirm(&node, &asked).await;
        let ended = trial.until(&node, &asked, "succeeded").await;
        // the performer's own answer comes, and says the same
        trial.let_go("answers");
        trial.reached("finish.told", 1).await;
        assert_eq!(trial.read(&node, &asked).await.json, ended.json);
        assert_eq!(trial.effects(&asked), 1);
        assert!(node.end().await.unwrap().success());
        let events = trial.history(&asked).await.events;
        assert!(events.iter().any(|event| event.kind.word() == "asked"), "it was asked about");
        assert!(events.iter().all(|event| event.kind.word() != "late_outcome"), "they agree");
        trial.compares().await;
    }
}

/// OPS-6-6
#[tokio::test]
async fn c11_a_request_that_outlives_its_sender_is_refused_behind_a_fence_or_waited_for() {
    for trial in trials().await {
        for (action, while_held, at_last, effects) in
            [("fenced", "failed", "failed", 0), ("unfenced", "in_progress", "succeeded", 1)]
        {
            let node = trial.node().await;
            let asked = trial.ask(&node, action, json!({ "how": "held" })).await;
            let key = format!("{}:effect", asked.id);
            let confirming = trial.confirming(&node, &asked);
            let downstream = &trial.street.downstream;
            until("the request", async || downstream.is_held(&key).await.unwrap()).await;
            node.kill().await.unwrap();
            confirming.await.expect_err("its node was killed");

            let node = trial.node().await;
            trial.until(&node, &asked, while_held).await;
            if while_held == "in_progress" {
                trial.logged(&format!("{} asks=3 ", asked.id), 1).await;
                assert_eq!(trial.read(&node, &asked).await.state(), "in_progress");
            }
            assert_eq!(trial.effects(&asked), 0);
            downstream.let_go().await.unwrap();
            until("its delivery", async || !downstream.is_held(&key).await.unwrap()).await;
            assert_eq!(trial.until(&node, &asked, at_last).await.state(), at_last);
            until("its effect", async || trial.effects(&asked) == effects).await;
            trial.holds(node).await;
        }
    }
}

/// OPS-6-4
#[tokio::test]
async fn c12_the_key_is_the_same_in_every_process_and_for_every_question() {
    for trial in trials().await {
        let asked = trial.dies_confirming("handler.after_effect=kill", "fenced", json!({})).await;
        // the next process asks by the key that the dead one had sent, which is made of the id alone
        let node = trial.node().await;
        trial.until(&node, &asked, "succeeded").await;
        assert_eq!(trial.street.effects(&asked.id, "effect").unwrap(), 1);
        trial.holds(node).await;
    }
}

/// OPS-7-4
#[tokio::test]
async fn c13_a_question_to_stop_that_fails_cancels_nothing_and_is_not_forgotten() {
    for trial in trials().await {
        for (nth, how) in (1..).zip(["not to be stopped", "panicking when stopped"]) {
            trial.let_go("passes");
            let performs = format!("{how} performs");
            let points = [("handler.before_effect", &*performs), ("stop.after", "passes")];
            let node = trial.waiting_at_each(&points).await;
            let asked = trial.ask(&node, "fenced", json!({ "how": how })).await;
            let confirming = trial.confirming(&node, &asked);
            // the node of the round before that died there has passed it too
            trial.reached("handler.before_effect", 2 * nth - 1).await;
            let cancelled = trial.agent().cancel(node.address(), &asked.id).await.unwrap();
            assert_eq!(cancelled.state(), "in_progress", "{how}");
            // the question has failed before the handler goes on
            trial.reached("stop.after", nth).await;
            trial.let_go(&performs);
            assert_eq!(confirming.await.unwrap().state(), "succeeded", "{how}: what is true");
            assert_eq!(trial.effects(&asked), 1);
            assert!(node.end().await.unwrap().success());
            let events = trial.history(&asked).await.events;
            assert!(events.iter().any(|event| event.kind.word() == "stop_requested"), "{how}");
            trial.compares().await;

            // with nobody left to perform it, it is offered again, and then it is found out what is true
            for (point, ends, effects) in [("before", "cancelled", 0), ("after", "succeeded", 1)] {
                let asked = trial
                    .dies_confirming(
                        &format!("handler.{point}_effect=kill"),
                        "fenced",
                        json!({ "how": how }),
                    )
                    .await;
                let file = format!("{how} {point}");
                let node = trial.waiting_at("take_askable.before", &file).await;
                trial.agent().cancel(node.address(), &asked.id).await.unwrap();
                trial.let_go(&file);
                assert_eq!(trial.ended(&node, &asked).await.state(), ends, "{how}");
                assert_eq!(trial.effects(&asked), effects);
                trial.holds(node).await;
            }
        }
    }
}
