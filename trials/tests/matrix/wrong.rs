//! Each kind of finding is seen once: a comparison that cannot find anything proves nothing.

use pap_trials::downstream::ledger::{Noted, read_noted};
use pap_trials::driver::compare::Found;
use pap_trials::kills::points_of;
use pap_trials::node::Wrong;
use pap_trials::place::{Kind, Place};
use serde_json::json;

use crate::trial::{Trial, trials};

async fn found(trial: &Trial) -> Found {
    trial.street.compare().await.unwrap()
}

/// A node that performs again what it cannot account for, as engines do whose steps run at least once.
#[tokio::test]
async fn a_second_effect_is_found() {
    for mut trial in trials().await {
        let asked = trial.dies_confirming("handler.after_effect=kill", "fenced", json!({})).await;
        trial.street.options.wrong = Some(Wrong::PerformAgain);
        let node = trial.node().await;
        trial.until(&node, &asked, "succeeded").await;
        assert!(node.end().await.unwrap().success());
        let found = found(&trial).await;
        assert_eq!(found.double_effects, [format!("{}:effect: 2 times", asked.id)]);
        assert!(!found.is_good() && found.lost.is_empty() && found.wrong_finals.is_empty());
    }
}

/// A node that takes what it has not seen for what did not happen, without a fence.
#[tokio::test]
async fn a_failure_that_took_effect_after_all_is_found() {
    for mut trial in trials().await {
        trial.street.options.wrong = Some(Wrong::FailUnseen);
        trial.street.options.perform_within = std::time::Duration::from_millis(50);
        trial.street.options.answer_within = std::time::Duration::from_millis(50);
        let node = trial.waiting_at("handler.before_effect", "go").await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        trial.confirm(&node, &asked).await;
        trial.until(&node, &asked, "failed").await;
        trial.let_go("go");
        crate::trial::until("the late effect", async || trial.effects(&asked) == 1).await;
        assert!(node.end().await.unwrap().success());
        let found = found(&trial).await;
        assert_eq!(
            found.wrong_finals,
            [format!("{}: failed, and effect took effect untold", asked.id)]
        );
        assert!(!found.is_good() && found.double_effects.is_empty() && found.lost.is_empty());
    }
}

/// A handler that says that it succeeded when nothing took effect.
#[tokio::test]
async fn a_success_without_its_effect_is_found() {
    for mut trial in trials().await {
        trial.street.options.wrong = Some(Wrong::SucceedEarly);
        let node = trial.node().await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        trial.confirm(&node, &asked).await;
        assert!(node.end().await.unwrap().success());
        let found = found(&trial).await;
        let says = format!("{}: succeeded, and effect did not take effect", asked.id);
        assert_eq!(found.wrong_finals, [says]);
        assert!(!found.is_good());
    }
}

/// A store that is put back to what it was before: what was acknowledged since is lost.
#[tokio::test]
async fn a_lost_record_is_found() {
    for trial in trials().await {
        let Place::Sqlite(path) = &trial.street.options.place else { continue };
        let node = trial.node().await;
        let early = trial.ask(&node, "fenced", json!({})).await;
        assert!(node.end().await.unwrap().success());
        // with what it is recognised by: a copy of the file alone is refused
        let lock = path.with_extension("db.lock");
        let (backup, backup_lock) = (trial.file("backup.db"), trial.file("backup.lock"));
        std::fs::copy(path, &backup).unwrap();
        std::fs::copy(&lock, &backup_lock).unwrap();
        let node = trial.node().await;
        assert_eq!(trial.confirm(&node, &early).await.state(), "succeeded");
        let later = trial.ask(&node, "fenced", json!({})).await;
        assert!(node.end().await.unwrap().success());
        assert!(found(&trial).await.is_good(), "as long as nothing is put back");
        std::fs::copy(&backup, path).unwrap();
        std::fs::copy(&backup_lock, &lock).unwrap();
        let found = found(&trial).await;
        let mut lost = found.lost.clone();
        lost.sort();
        let mut says = vec![
            format!("{}: it was confirmed, and is proposed", early.id),
            format!("{}: not on record at all", later.id),
        ];
        says.sort();
        assert_eq!(lost, says);
        assert_eq!(found.wrong_finals, [format!("{}: proposed, and effect took effect", early.id)]);
    }
}

/// An agent that was told one thing and then another.
#[tokio::test]
async fn an_answer_that_goes_back_is_found() {
    for trial in trials().await {
        let node = trial.node().await;
        let asked = trial.ask(&node, "fenced", json!({})).await;
        let confirmed = trial.confirm(&node, &asked).await;
        let record = trial.agent().record();
        record.told(&asked.id, confirmed.operation(), record.sends());
        assert!(record.contradictions().is_empty(), "the same again is none");
        let before = record.sends();
        let mut back = confirmed.operation().clone();
        back["state"] = json!("in_progress");
        record.told(&asked.id, &back, before);
        assert_eq!(
            record.contradictions(),
            [format!("{}: succeeded, and then in_progress", asked.id)]
        );
        assert!(node.end().await.unwrap().success());
        assert!(!found(&trial).await.is_good());
    }
}

/// A hold that is let go while its proposal can still be confirmed.
#[tokio::test]
async fn a_hold_that_is_let_go_and_still_used_is_found() {
    for trial in trials().await {
        let node = trial.node().await;
        let asked = trial.ask(&node, "held", json!({})).await;
        assert_eq!(trial.confirm(&node, &asked).await.state(), "succeeded");
        assert!(node.end().await.unwrap().success());
        assert!(found(&trial).await.is_good());
        let held = read_noted(&trial.file("ledger"), Noted::Held).unwrap();
        let hold = held.keys().next().unwrap();
        trial.street.downstream.note(Noted::LetGo, hold).await.unwrap();
        let found = found(&trial).await;
        let says = format!("{hold} of revision 1: was or will be let go, and may still be used");
        assert_eq!(found.wrong_releases, [says]);
        assert!(!found.is_good());
    }
}

/// Every fail-point is on a process's way: a node can be killed at each, and at no other name.
#[tokio::test(flavor = "multi_thread")]
async fn every_fail_point_is_reached_and_kills() {
    let options = pap_trials::kills::Options {
        runs: points_of(Kind::Sqlite).count(),
        seed: 11,
        kinds: vec![Kind::Sqlite],
        program: env!("CARGO_BIN_EXE_pap-trials").into(),
    };
    let report = pap_trials::kills::run(&options, |_, _| {}).await.unwrap();
    let killed: Vec<&str> = report.kills.keys().copied().collect();
    let mut all: Vec<&str> = points_of(Kind::Sqlite).collect();
    all.sort_unstable();
    assert_eq!(killed, all, "not reached: {:?}", report.missed);
    assert!(report.is_good(), "{:?} {:?}", report.found, report.kept);
}
