//! Two versions of the code on one store: two programs, of which one knows terms that the other does not.

use pap_trials::driver::process::Process;
use serde_json::json;

use crate::trial::{Asked, Trial, fleets, trials, until};

/// How the new code tells what was approved with the old code's terms.
const UPGRADED: &str = "The step effect took effect. Painted as it was.";
/// How it tells what was approved with its own.
const OWN: &str = "The step effect took effect. Painted red.";

/// A confirm is refused before the claim, an operator is told, and nothing of it is changed.
async fn is_left_alone(trial: &Trial, node: &Process, asked: &Asked) {
    let told = format!(
        "this code does not know the terms of this revision: left alone operation={}",
        asked.id
    );
    let before = trial.log().matches(&told).count();
    let refused = trial.confirm(node, asked).await;
    assert_eq!((refused.status, refused.error()), (503, "temporarily_unavailable"));
    assert!(refused.retry_after.is_some_and(|seconds| seconds >= 1));
    trial.logged(&told, before + 1).await;
    // the old code shows what it does not know, as it was approved
    let shown = trial.read(node, asked).await;
    assert_eq!(shown.state(), "proposed");
    assert_eq!(
        shown.operation()["summary"].as_str().unwrap().split(',').nth(1),
        Some(" painted red.")
    );
    assert_eq!(trial.effects(asked), 0);
}

/// Confirms, and answers how it was told.
async fn performed(trial: &Trial, node: &Process, asked: &Asked) -> String {
    let shown = trial.read(node, asked).await;
    let confirmed = trial.confirm(node, asked).await;
    assert_eq!(confirmed.state(), "succeeded", "{}", confirmed.json);
    assert_eq!(confirmed.operation()["summary"], shown.operation()["summary"]);
    assert_eq!(trial.effects(asked), 1);
    confirmed.summary().to_owned()
}

/// Two that were confirmed by a node that then died, after both took effect.
async fn left(trial: &Trial, dies: Process, asked: [&Asked; 2]) {
    let confirms = asked.map(|asked| trial.state_told(&dies, asked));
    for asked in asked {
        until("its effect", async || trial.effects(asked) == 1).await;
    }
    dies.kill().await.unwrap();
    for confirm in confirms {
        drop(confirm.await.unwrap());
    }
}

/// A12 and E18 with both at work at the same time.
#[tokio::test]
async fn a12_code_that_does_not_know_the_terms_refuses_before_the_claim_and_says_so() {
    for trial in fleets().await {
        let (old, new) = (trial.node().await, trial.next_code("").await);
        let theirs = trial.ask(&new, "rolling", json!({})).await;
        for _ in 0..3 {
            is_left_alone(&trial, &old, &theirs).await;
        }
        assert_eq!(performed(&trial, &new, &theirs).await, OWN);
        // it is read there all the same, and a repeated confirm is answered
        let again = trial.confirm(&old, &theirs).await;
        assert_eq!((again.state(), again.summary()), ("succeeded", OWN));
        assert!(old.end().await.unwrap().success());
        trial.holds(new).await;
    }
}

#[tokio::test]
async fn e18_the_new_code_performs_what_was_approved_with_the_old_while_that_is_at_work() {
    for trial in fleets().await {
        let (old, new) = (trial.node().await, trial.next_code("").await);
        let (one, other) = (
            trial.ask(&old, "rolling", json!({})).await,
            trial.ask(&old, "rolling", json!({})).await,
        );
        assert_eq!(performed(&trial, &new, &one).await, UPGRADED);
        assert_eq!(performed(&trial, &old, &other).await, "The step effect took effect.");
        assert!(old.end().await.unwrap().success());
        trial.holds(new).await;
    }
}

/// A node of each code dies with one operation of each form in progress.
#[tokio::test]
async fn e18_what_the_new_code_left_is_asked_about_by_the_new_code_alone() {
    for trial in fleets().await {
        let dies = trial.next_code(&trial.first_at(2, "handler.after_effect", "never")).await;
        let old = trial.node().await;
        let known = trial.ask(&old, "rolling", json!({})).await;
        let unknown = trial.ask(&dies, "rolling", json!({})).await;
        left(&trial, dies, [&known, &unknown]).await;
        // the old code finds out about what it knows, and about nothing else of the same dead process
        let found = trial.until(&old, &known, "succeeded").await;
        assert_eq!(found.summary(), "The step effect took effect.");
        let next = trial.ask(&old, "rolling", json!({ "how": "lost" })).await;
        trial.confirm(&old, &next).await;
        trial.until(&old, &next, "succeeded").await;
        assert_eq!(trial.read(&old, &unknown).await.state(), "in_progress");
        assert_eq!(trial.times_asked(&unknown).await, 0);
        let new = trial.next_code("").await;
        assert_eq!(trial.until(&new, &unknown, "succeeded").await.summary(), OWN);
        assert_eq!((trial.effects(&known), trial.effects(&unknown)), (1, 1));

        // and the other way round: what old code left is asked about by the new
        let dies = trial.armed(&trial.first_at(2, "handler.after_effect", "never")).await;
        let left_by_old = trial.ask(&dies, "rolling", json!({})).await;
        assert!(old.end().await.unwrap().success());
        let other = trial.ask(&dies, "unfenced", json!({})).await;
        left(&trial, dies, [&left_by_old, &other]).await;
        assert_eq!(trial.until(&new, &left_by_old, "succeeded").await.summary(), UPGRADED);
        trial.until(&new, &other, "succeeded").await;
        trial.holds(new).await;
    }
}

/// One after the other on one store: forward, back, and forward again.
#[tokio::test]
async fn e18_a_deployment_that_is_taken_back_leaves_alone_what_it_does_not_know() {
    for trial in trials().await {
        let old = trial.node().await;
        let (one, other) = (
            trial.ask(&old, "rolling", json!({})).await,
            trial.ask(&old, "rolling", json!({})).await,
        );
        assert!(old.end().await.unwrap().success());

        let new = trial.next_code("").await;
        assert_eq!(performed(&trial, &new, &one).await, UPGRADED);
        let proposed = trial.ask(&new, "rolling", json!({})).await;
        assert!(new.end().await.unwrap().success());
        let dies = trial.next_code(&trial.first_at(2, "handler.after_effect", "never")).await;
        let (unknown, known) = (
            trial.ask(&dies, "rolling", json!({})).await,
            trial.ask(&dies, "unfenced", json!({})).await,
        );
        left(&trial, dies, [&unknown, &known]).await;

        let back = trial.node().await;
        is_left_alone(&trial, &back, &proposed).await;
        assert_eq!(performed(&trial, &back, &other).await, "The step effect took effect.");
        trial.until(&back, &known, "succeeded").await;
        assert_eq!(trial.read(&back, &unknown).await.state(), "in_progress");
        assert!(back.end().await.unwrap().success());
        assert_eq!(trial.times_asked(&unknown).await, 0);

        let new = trial.next_code("").await;
        assert_eq!(performed(&trial, &new, &proposed).await, OWN);
        assert_eq!(trial.until(&new, &unknown, "succeeded").await.summary(), OWN);
        assert_eq!(trial.effects(&unknown), 1);
        trial.holds(new).await;
    }
}
