//! Rows in which a company has several processes at once, or one that is told to end.

use std::time::Duration;

use pap_trials::driver::process::Process;
use pap_trials::node::{DEAD_AFTER, Does};
use serde_json::json;
use tokio::task::JoinSet;

use crate::trial::{HOUR_MS, NOTHING, PATIENCE, Trial, fleets, on_a_clock, trials, until};

async fn node_that(trial: &Trial, does: Does) -> Process {
    let mut options = trial.street.options.clone();
    options.does = does;
    trial.street.another(&options).await.unwrap()
}

/// Everybody lives, however slowly: nobody is taken for dead before hours have passed.
fn patient(mut trial: Trial) -> Trial {
    trial.street.options.dead_after = 10 * PATIENCE;
    trial
}

/// OPS-6-4
#[tokio::test]
async fn a7_what_one_process_confirmed_is_started_by_exactly_one_of_two_others() {
    for trial in fleets().await.map(patient) {
        let serves = node_that(&trial, Does::Serve).await;
        let first = node_that(&trial, Does::Perform).await;
        let second = node_that(&trial, Does::Perform).await;
        let mut asked = Vec::new();
        for _ in 0..12 {
            asked.push(trial.ask(&serves, "unfenced", json!({ "before_ms": 20 })).await);
        }
        let confirms: Vec<_> = asked.iter().map(|asked| trial.state_told(&serves, asked)).collect();
        for confirm in confirms {
            assert!(["in_progress", "succeeded"].contains(&confirm.await.unwrap().as_str()));
        }
        for asked in &asked {
            trial.until(&serves, asked, "succeeded").await;
            assert_eq!(trial.effects(asked), 1);
        }
        // and with nobody who performs it waits, as it was confirmed
        for node in [first, second] {
            assert!(node.end().await.unwrap().success());
        }
        let left = trial.ask(&serves, "unfenced", json!({})).await;
        let confirmed = trial.state_told(&serves, &left);
        trial.until(&serves, &left, "in_progress").await;
        let late = node_that(&trial, Does::Perform).await;
        trial.until(&serves, &left, "succeeded").await;
        assert_eq!(trial.effects(&left), 1);
        drop(confirmed.await.unwrap());
        assert!(late.end().await.unwrap().success());
        trial.holds(serves).await;
    }
}

/// The process that took the right dies at each step of the start: the other asks, and starts nothing again.
#[tokio::test]
async fn a7_a_start_that_nobody_survived_is_asked_about_by_the_other_process() {
    for mut trial in fleets().await.map(patient).map(on_a_clock) {
        for (hour, (point, effects)) in (1..).zip([
            ("store.start.within", 1),
            ("store.start.after_commit", 0),
            ("start.after", 0),
            ("handler.after_effect", 1),
        ]) {
            let serves = node_that(&trial, Does::Serve).await;
            let asked = trial.ask(&serves, "fenced", json!({})).await;
            let mut dies = trial.armed(&format!("{point}=kill")).await;
            let confirm = trial.state_told(&serves, &asked);
            assert!(dies.is_dead_within(PATIENCE).await.unwrap(), "{point}");
            trial.has_passed(hour * HOUR_MS);
            let other = node_that(&trial, Does::Perform).await;
            let ended = trial.ended(&serves, &asked).await;
            assert_eq!(trial.effects(&asked), effects, "{point}");
            let says = if effects == 1 { "succeeded" } else { "failed" };
            assert_eq!(ended.state(), says, "{point}: {}", ended.json);
            drop(confirm.await.unwrap());
            assert!(other.end().await.unwrap().success());
            trial.holds(serves).await;
        }
    }
}

/// OPS-6-4
#[tokio::test]
async fn a8_of_sixty_four_confirms_at_two_nodes_one_performs_and_all_are_answered() {
    for trial in fleets().await.map(patient) {
        let nodes = [trial.node().await, trial.node().await];
        let asked = trial.ask(&nodes[0], "unfenced", json!({ "before_ms": 50 })).await;
        let mut confirms = JoinSet::new();
        for node in nodes.iter().cycle().take(64) {
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
        trial.until(&nodes[1], &asked, "succeeded").await;
        assert_eq!(trial.effects(&asked), 1);
        let [one, other] = nodes;
        assert!(one.end().await.unwrap().success());
        trial.holds(other).await;
    }
}

/// The performer stands still between claim and effect for longer than it may be silent; the other node takes
/// it for dead and asks. When it goes on, its effect is refused behind a fence, and its end changes nothing.
#[tokio::test]
async fn c9_a_node_that_stood_still_is_taken_for_dead_and_changes_nothing_when_it_goes_on() {
    for mut trial in fleets().await.map(patient) {
        for (action, says, effects) in [("fenced", "failed", 0), ("unfenced", "in_progress", 0)] {
            let others = trial.street.options.clone();
            // it alone says that it may be silent for so short a time
            trial.street.options.dead_after = DEAD_AFTER;
            let stands = trial.armed("handler.before_effect=stop").await;
            let asked = trial.ask(&stands, action, json!({})).await;
            let confirm = trial.state_told(&stands, &asked);
            stands.until_stopped().await.unwrap();
            let other = trial.street.another(&others).await.unwrap();
            if says == "failed" {
                let ended = trial.ended(&other, &asked).await;
                assert_eq!((ended.state(), ended.summary()), ("failed", NOTHING));
            } else {
                trial.logged(&format!("{} asks=2 ", asked.id), 1).await;
                assert_eq!(trial.read(&other, &asked).await.state(), "in_progress");
            }
            assert_eq!(trial.effects(&asked), effects);
            let taken_for_dead = "the store took this process for dead";
            let before = trial.log().matches(taken_for_dead).count();
            stands.go_on().unwrap();
            let at_last = if action == "fenced" { "failed" } else { "succeeded" };
            trial.until(&other, &asked, at_last).await;
            assert_eq!(trial.effects(&asked), u32::from(action == "unfenced"));
            drop(confirm.await.unwrap());
            // it goes on under a life of its own again
            trial.logged(taken_for_dead, before + 1).await;
            // where it is slow enough to be taken for dead again this ends as it performed it
            let next = trial.ask(&stands, "unfenced", json!({})).await;
            until("a claim under its new life", async || {
                trial.confirm(&stands, &next).await.state() == "succeeded"
            })
            .await;
            assert!(stands.end().await.unwrap().success());
            trial.holds(other).await;
        }
    }
}

/// OPS-6-7
#[tokio::test]
async fn e15_a_node_that_is_told_to_end_claims_nothing_more_and_lets_its_handlers_end() {
    for mut trial in trials().await {
        // long enough that only the handlers decide when it ends
        trial.street.options.drain_within = Duration::from_secs(30);
        trial.street.options.answer_within = Duration::from_secs(30);
        let node = trial.armed(&trial.first_at(8, "handler.before_effect", "they may end")).await;
        let mut running = Vec::new();
        for _ in 0..8 {
            running.push(trial.ask(&node, "unfenced", json!({})).await);
        }
        let proposed = trial.ask(&node, "fenced", json!({})).await;
        let confirms: Vec<_> = running.iter().map(|asked| trial.state_told(&node, asked)).collect();
        for asked in &running {
            trial.until(&node, asked, "in_progress").await;
        }
        node.ask_to_end().unwrap();
        trial.logged("no new claims", 1).await;
        // reads go on for as long as handlers run
        let refused = trial.confirm(&node, &proposed).await;
        assert_eq!((refused.status, refused.error()), (503, "temporarily_unavailable"));
        assert!(refused.retry_after.is_some());
        assert_eq!(trial.read(&node, &proposed).await.state(), "proposed");
        trial.let_go("they may end");
        for confirm in confirms {
            assert_eq!(confirm.await.unwrap(), "succeeded");
        }
        assert!(node.end().await.map_or(true, |ended| ended.success()));
        let node = trial.node().await;
        for asked in &running {
            assert_eq!(trial.read(&node, asked).await.state(), "succeeded");
            assert_eq!(trial.effects(asked), 1);
        }
        assert_eq!(trial.confirm(&node, &proposed).await.state(), "succeeded", "it is not used up");
        trial.holds(node).await;
    }
}

/// What takes longer than a process that ends waits is asked about at once by the next.
#[tokio::test]
async fn e15_what_is_left_by_a_node_that_ended_is_asked_about_at_once() {
    for mut trial in trials().await {
        trial.street.options.drain_within = Duration::from_millis(100);
        let node = trial.waiting_at("handler.after_effect", "never").await;
        let asked = trial.ask(&node, "unfenced", json!({})).await;
        let confirm = trial.state_told(&node, &asked);
        until("its effect", async || trial.effects(&asked) == 1).await;
        assert!(node.end().await.unwrap().success());
        drop(confirm.await.unwrap());
        let node = trial.node().await;
        trial.until(&node, &asked, "succeeded").await;
        assert_eq!(trial.effects(&asked), 1);
        trial.holds(node).await;
    }
}

/// OPS-6-7
#[tokio::test]
async fn e16_what_a_node_left_that_never_comes_back_is_found_by_the_heartbeat_of_the_other() {
    for mut trial in fleets().await.map(patient).map(on_a_clock) {
        let other = trial.node().await;
        for (hour, (point, says, effects)) in (1..).zip([
            ("handler.after_effect", "succeeded", 1),
            ("perform.before_handler", "failed", 0),
        ]) {
            let asked = trial.dies_confirming(&format!("{point}=kill"), "fenced", json!({})).await;
            // nobody is started in its place, and nobody says that it died: it is silent
            trial.has_passed(hour * HOUR_MS);
            let ended = trial.ended(&other, &asked).await;
            assert_eq!(ended.state(), says, "{point}");
            assert_eq!(trial.effects(&asked), effects, "{point}");
        }
        trial.holds(other).await;
    }
}

/// A hold that a process died letting go of is let go of by the next, as soon as it was set to.
#[tokio::test]
async fn a_release_that_a_process_died_telling_is_told_by_the_next_within_the_time_that_was_set() {
    for mut trial in trials().await {
        trial.street.options.sweep_every = Duration::from_millis(50);
        trial.street.options.release_within = Duration::from_millis(200);
        let mut dies = trial.armed("released.before=kill").await;
        let asked = trial.ask(&dies, "held", json!({ "expires_ms": 1_000 })).await;
        assert!(dies.is_dead_within(PATIENCE).await.unwrap());
        assert_eq!(trial.street.let_go(&asked.id).unwrap(), 0);
        let node = trial.node().await;
        // waited for a sixth of what it takes by itself
        until("its hold to be let go of", async || trial.street.let_go(&asked.id).unwrap() == 1)
            .await;
        assert_eq!(trial.read(&node, &asked).await.state(), "expired");
        trial.holds(node).await;
    }
}

/// Of two nodes on one store, no question of a living one is asked by the other as well (row D3).
#[tokio::test]
async fn d3_two_nodes_that_ask_at_once_end_it_once() {
    for mut trial in fleets().await.map(patient).map(on_a_clock) {
        let asked = trial.dies_confirming("handler.after_effect=kill", "fenced", json!({})).await;
        trial.has_passed(HOUR_MS);
        let nodes = [trial.node().await, trial.node().await];
        for node in &nodes {
            trial.until(node, &asked, "succeeded").await;
        }
        let [one, other] = nodes;
        assert!(one.end().await.unwrap().success() && other.end().await.unwrap().success());
        let events = trial.history(&asked).await.events;
        assert_eq!(events.iter().filter(|event| event.kind.word() == "ended").count(), 1);
        assert_eq!(trial.effects(&asked), 1);
        trial.compares().await;
    }
}

/// A supervisor starts two nodes again whenever they die; others are asked about at the same time.
#[tokio::test]
async fn d9_a_question_that_kills_both_nodes_is_put_aside_after_the_third_and_the_others_go_on() {
    for trial in fleets().await {
        let mut nodes = vec![Some(trial.node().await), Some(trial.node().await)];
        let one = nodes[0].as_ref().unwrap();
        let poison = trial.ask(one, "fenced", json!({ "how": "deadly to ask about" })).await;
        let mut others = Vec::new();
        for node in nodes.iter().flatten() {
            for _ in 0..6 {
                let how = json!({ "how": "lost", "after_ms": 300 });
                others.push((trial.ask(node, "fenced", how).await, node.address().to_owned()));
            }
        }
        let mut confirms: Vec<_> =
            others.iter().map(|(asked, address)| trial.state_told_at(address, asked)).collect();
        // each took effect before anybody dies: none of them may fail
        for (asked, _) in &others {
            until("its effect", async || trial.effects(asked) == 1).await;
        }
        confirms.push(trial.state_told(one, &poison));
        let mut deaths = 0;
        let put_aside = async || {
            let running = trial.history(&poison).await.stored.running;
            running.is_some_and(|running| running.died_asking == 3 && running.attention)
        };
        let give_up = tokio::time::Instant::now() + PATIENCE;
        while deaths < 3 || !put_aside().await || nodes.iter().any(Option::is_none) {
            assert!(tokio::time::Instant::now() < give_up, "{deaths} deaths");
            for node in &mut nodes {
                let dead = match node {
                    Some(node) => node.is_dead_within(Duration::from_millis(5)).await.unwrap(),
                    None => true,
                };
                if dead {
                    deaths += usize::from(node.is_some());
                    *node = trial.street.armed("").await.unwrap();
                    deaths += usize::from(node.is_none());
                }
            }
        }
        let nodes: Vec<Process> = nodes.into_iter().flatten().collect();
        for (asked, _) in &others {
            trial.until(&nodes[0], asked, "succeeded").await;
            assert_eq!(trial.effects(asked), 1);
        }
        // both go on asking, and about this one no more
        for node in &nodes {
            let next = trial.ask(node, "fenced", json!({ "how": "lost" })).await;
            trial.confirm(node, &next).await;
            trial.until(node, &next, "succeeded").await;
        }
        assert_eq!(trial.times_asked(&poison).await, 3);
        assert_eq!(deaths, 3);
        assert_eq!(trial.read(&nodes[1], &poison).await.state(), "in_progress");
        assert_eq!(trial.effects(&poison), 1);
        for confirm in confirms {
            drop(confirm.await.unwrap());
        }
        for node in nodes {
            assert!(node.end().await.unwrap().success());
        }
        trial.compares().await;
    }
}

/// OPS-6-7: its handlers take longer than a process may be silent, and nobody takes them over.
#[tokio::test]
async fn e15_while_one_node_ends_the_other_goes_on_and_asks_about_nothing_that_still_runs() {
    for mut trial in fleets().await {
        trial.street.options.drain_within = PATIENCE;
        // however slow the machine is
        let dead_after = 3 * DEAD_AFTER;
        trial.street.options.dead_after = dead_after;
        let ends = trial.armed(&trial.first_at(4, "handler.before_effect", "go")).await;
        let other = trial.node().await;
        let mut running = Vec::new();
        for _ in 0..4 {
            running.push(trial.ask(&ends, "fenced", json!({})).await);
        }
        let proposed = trial.ask(&ends, "fenced", json!({})).await;
        let confirms: Vec<_> = running.iter().map(|asked| trial.state_told(&ends, asked)).collect();
        for asked in &running {
            trial.until(&ends, asked, "in_progress").await;
        }
        ends.ask_to_end().unwrap();
        trial.logged("no new claims", 1).await;
        assert_eq!(trial.confirm(&ends, &proposed).await.status, 503);
        // what it refused is confirmed at the other, and there is more, for as long as it takes to be taken for dead
        assert_eq!(trial.confirm(&other, &proposed).await.state(), "succeeded");
        let longer = tokio::time::Instant::now() + 2 * dead_after;
        while tokio::time::Instant::now() < longer {
            let next = trial.ask(&other, "fenced", json!({ "how": "lost" })).await;
            trial.confirm(&other, &next).await;
            trial.until(&other, &next, "succeeded").await;
            assert_eq!(trial.effects(&next), 1);
        }
        for asked in &running {
            assert_eq!(trial.read(&other, asked).await.state(), "in_progress");
            assert_eq!(trial.times_asked(asked).await, 0);
        }
        trial.let_go("go");
        for (asked, confirm) in running.iter().zip(confirms) {
            trial.until(&other, asked, "succeeded").await;
            assert_eq!(trial.effects(asked), 1);
            drop(confirm.await.unwrap());
        }
        assert!(ends.end().await.map_or(true, |ended| ended.success()));
        trial.holds(other).await;
    }
}
