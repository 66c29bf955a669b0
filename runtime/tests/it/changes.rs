//! Every change is told, and told once, whatever the store answered when it was noted (section 6).

use pap_runtime::store::EventKind;
use pap_runtime::{SettledBy, failed_unchanged};

use crate::faulty::{Fault, Plan};
use crate::lab::Bay;

fn told(answer: &crate::shop::Answer, change: &str) -> usize {
    answer.json["result"]["summary"].as_str().unwrap().matches(change).count()
}

/// OPS-6-10
#[tokio::test(start_paused = true)]
async fn changes_noted_at_the_same_time_are_told_once_each() {
    for fault in Fault::ALL {
        for from in [1, 2] {
            let bay = Bay::new().await;
            let id = bay.propose("two-notes").await;
            bay.store.follow(Some(Plan { fault, method: Some("write_note"), from, many: 1 }));
            let answer = bay.confirm(&id).await;
            answer.state("succeeded");
            assert_eq!((told(&answer, "First"), told(&answer, "Second")), (1, 1), "{fault:?}");
        }
    }
}

/// OPS-6-10
#[tokio::test(start_paused = true)]
async fn a_change_is_told_although_its_handler_did_not_wait_for_the_store() {
    for before in [true, false] {
        let bay = Bay::new().await;
        let id = bay.propose("impatient-note").await;
        let _held = bay.store.hold("write_note", before);
        let answer = bay.confirm(&id).await;
        answer.state("succeeded");
        assert_eq!(told(&answer, "First"), 1, "held before it was written: {before}");
    }
}

/// OPS-3-23
#[tokio::test(start_paused = true)]
async fn a_change_that_is_noted_after_the_end_is_on_the_record_as_late() {
    let bay = Bay::new().await;
    let id = bay.propose("wait-then-note").await;
    bay.confirm(&id).await.state("in_progress");
    let by = SettledBy::new("operator", "looked");
    let settled = failed_unchanged::<()>("It was lost.");
    bay.company.settle(&id.parse().unwrap(), settled, by).await.unwrap();
    let before = bay.read(&id).await;
    bay.lab.let_go.notify_one();
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let events = bay.events(&id).await;
    assert!(events.iter().any(|(kind, _)| *kind == EventKind::LateOutcome), "{events:?}");
    assert_eq!(bay.read(&id).await.text, before.text);
}

/// OPS-5.2-10 OPS-3-23
#[tokio::test(start_paused = true)]
async fn a_confirm_that_has_waited_answers_what_others_have_ended_meanwhile() {
    let bay = Bay::new().await;
    let id = bay.propose("wait").await;
    let confirming = bay.confirming(&id);
    bay.lab.started.notified().await;
    let by = SettledBy::new("operator", "looked");
    let settled = failed_unchanged::<()>("It was lost.");
    bay.company.settle(&id.parse().unwrap(), settled, by).await.unwrap();
    confirming.await.unwrap().state("failed");
}
