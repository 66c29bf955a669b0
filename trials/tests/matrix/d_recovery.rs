//! D: recovery and reconcile.

use serde_json::json;

use crate::trial::{NOTHING, PATIENCE, trials};

/// OPS-6-6 OPS-6-10
#[tokio::test]
async fn d1_each_finding_ends_as_what_it_says_and_not_seen_ends_nothing() {
    for trial in trials().await {
        // partly: the first of two took effect
        let partly =
            trial.dies_confirming("handler.before_effect=kill@2", "two-steps", json!({})).await;

        let node = trial.node().await;
        let ended = trial.until(&node, &partly, "failed").await;
        assert!(ended.summary().contains("The step first took effect."), "{}", ended.json);
        assert!(!ended.summary().contains("second"), "{}", ended.json);
        assert_eq!(trial.street.effects(&partly.id, "first").unwrap(), 1);
        assert_eq!(trial.street.effects(&partly.id, "second").unwrap(), 0);

        let happened = trial.ask(&node, "fenced", json!({ "how": "lost" })).await;
        trial.confirm(&node, &happened).await;
        trial.until(&node, &happened, "succeeded").await;
        let cannot = trial.ask(&node, "fenced", json!({ "how": "never sent" })).await;
        trial.confirm(&node, &cannot).await;
        assert_eq!(trial.until(&node, &cannot, "failed").await.summary(), NOTHING);
        let not_seen = trial.ask(&node, "unfenced", json!({ "how": "never sent" })).await;
        trial.confirm(&node, &not_seen).await;
        trial.logged(&format!("{} asks=5 ", not_seen.id), 1).await;
        assert_eq!(trial.read(&node, &not_seen).await.state(), "in_progress");
        trial.holds(node).await;
    }
}

/// OPS-6-7
#[tokio::test]
async fn d5_a_question_whose_asker_died_is_asked_by_the_next() {
    for trial in trials().await {
        for point in ["take_askable.after", "reconcile.before", "reconcile.after", "finish.before"]
        {
            let node = trial.armed(&format!("{point}=kill")).await;
            let asked = trial.ask(&node, "fenced", json!({ "how": "lost" })).await;
            let mut node = node;
            drop(trial.agent().confirm(node.address(), &asked.id, asked.revision).await);
            assert!(node.is_dead_within(PATIENCE).await.unwrap(), "{point}");
            let node = trial.node().await;
            assert_eq!(trial.ended(&node, &asked).await.state(), "succeeded", "{point}");
            assert_eq!(trial.effects(&asked), 1, "{point}");
            trial.holds(node).await;
        }
    }
}

/// The same name, address and place as the process that died: what is its own it knows by its life.
#[tokio::test]
async fn d6_a_process_does_not_ask_about_what_it_performs_itself() {
    for trial in trials().await {
        let left = trial.dies_confirming("perform.before_handler=kill", "fenced", json!({})).await;
        let points = [("take_askable.before", "asks"), ("handler.before_effect", "go")];
        let node = trial.waiting_at_each(&points).await;
        // asked about, its key would be refused and it would fail
        let own = trial.ask(&node, "fenced", json!({})).await;
        let confirming = trial.confirming(&node, &own);
        trial.reached("handler.before_effect", 1).await;
        trial.let_go("asks");
        let ended = trial.ended(&node, &left).await;
        assert_eq!(ended.state(), "failed", "the dead one's is asked about");
        assert_eq!(trial.read(&node, &own).await.state(), "in_progress");
        trial.let_go("go");
        assert_eq!(confirming.await.unwrap().state(), "succeeded");
        assert_eq!(trial.effects(&own), 1);
        assert!(node.end().await.unwrap().success());
        let events = trial.history(&own).await.events;
        assert!(events.iter().all(|event| event.kind.word() != "asked"));
        trial.compares().await;
    }
}

#[tokio::test]
async fn d9_a_question_that_kills_every_process_is_put_aside_and_the_others_go_on() {
    for trial in trials().await {
        let mut node = trial.armed("reconcile.before=kill").await;
        let poison = trial.ask(&node, "fenced", json!({ "how": "lost" })).await;
        drop(trial.agent().confirm(node.address(), &poison.id, poison.revision).await);
        assert!(node.is_dead_within(PATIENCE).await.unwrap());
        for _ in 0..2 {
            // it dies by itself, before or after it serves
            if let Some(mut node) = trial.street.armed("reconcile.before=kill").await.unwrap() {
                assert!(node.is_dead_within(PATIENCE).await.unwrap());
            }
        }
        // the fourth process is not asked for it, and serves
        let node = trial.armed("reconcile.before=kill@2").await;
        let other = trial.ask(&node, "fenced", json!({ "how": "lost" })).await;
        trial.confirm(&node, &other).await;
        trial.until(&node, &other, "succeeded").await;
        assert_eq!(trial.read(&node, &poison).await.state(), "in_progress");
        assert!(node.end().await.unwrap().success());
        let running = trial.history(&poison).await.stored.running.unwrap();
        assert_eq!((running.died_asking, running.attention), (3, true));
        assert_eq!(trial.effects(&poison), 1);
        trial.compares().await;
    }
}

#[tokio::test]
async fn d7_what_only_a_person_can_find_out_is_shown_and_stays() {
    for trial in trials().await {
        let node = trial.node().await;
        let asked = trial.ask(&node, "operator", json!({ "how": "lost" })).await;
        assert_eq!(trial.confirm(&node, &asked).await.state(), "in_progress");
        trial.logged("a person has to look", 1).await;
        assert_eq!(trial.read(&node, &asked).await.state(), "in_progress");
        node.kill().await.unwrap();
        let node = trial.node().await;
        assert_eq!(trial.read(&node, &asked).await.state(), "in_progress");
        assert!(node.end().await.unwrap().success());
        assert!(trial.history(&asked).await.stored.running.unwrap().attention);
        trial.compares().await;
    }
}
