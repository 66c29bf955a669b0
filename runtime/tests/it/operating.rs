//! What the people on call do, and how they are called.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pap_runtime::meter::{Label, Meter, names};
use pap_runtime::operators::{OperatorError, Operators, Settled};
use pap_runtime::store::{ActKind, Search};
use pap_runtime::{Refusal, SettledBy, State, failed_unchanged, succeeded};

use crate::fleet::{ACTION, Fleet};

/// D7
#[tokio::test(start_paused = true)]
async fn one_that_nobody_settles_calls_a_person_once_is_found_and_settled_by_hand() {
    let fleet = Fleet::new();
    let called = Arc::new(Mutex::new(Vec::new()));
    let calls = called.clone();
    let node = fleet
        .node(move |builder| {
            builder.on_attention(move |attention| calls.lock().unwrap().push(attention))
        })
        .await;
    fleet.yard.slow.store(true, Ordering::SeqCst);
    let (id, confirming) = fleet.renting(&node, "a").await;
    fleet.yard.started.notified().await;
    confirming.abort();
    let life = fleet.running(&id).await.life.unwrap();
    fleet.store.end_life(life).await.unwrap();
    for _ in 0..30 {
        fleet.clock.advance(Duration::from_secs(600));
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    let running = fleet.running(&id).await;
    assert!(running.attention && running.asks >= 8, "asking goes on: {running:?}");
    let called = called.lock().unwrap().clone();
    assert_eq!(called.len(), 1, "{called:?}");
    assert_eq!((&called[0].id, called[0].action.as_str()), (&id, ACTION));

    // without the company's code
    let operators = Operators::over(fleet.store.clone(), "Fleet");
    let search = Search { attention_before: Some(called_before()), limit: 10, ..Search::default() };
    let found = operators.find(search).await.unwrap();
    assert_eq!(found.operations.iter().map(|stored| &stored.key.id).collect::<Vec<_>>(), [&id]);
    let by = || SettledBy::new("ada", "the yard's books say so");
    let undecided = pap_runtime::unknown::<serde_json::Value>("?");
    let refused = operators.settle(&id, undecided, by()).await.unwrap_err();
    assert!(matches!(refused, OperatorError::Undecided));
    let outcome = || succeeded("It had been rented.", serde_json::Value::Null);
    let settled = operators.settle(&id, outcome(), by()).await.unwrap();
    assert!(matches!(settled, Settled::Now(stored) if stored.state == State::Succeeded));
    let other = failed_unchanged("No.");
    let again = operators.settle(&id, other, by()).await.unwrap();
    assert!(matches!(again, Settled::Before(stored) if stored.state == State::Succeeded));
    assert!(operators.verify().await.unwrap().is_empty());
}

fn called_before() -> pap_runtime::value::Instant {
    "2020-01-01T00:00:00Z".parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn only_one_in_progress_is_settled_or_asked_about() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    let operators = node.operators();
    let outcome = succeeded("Done.", serde_json::Value::Null);
    let refused = operators.settle(&id, outcome, SettledBy::new("ada", "?")).await.unwrap_err();
    assert!(matches!(refused, OperatorError::NotInProgress { state: State::Proposed, .. }));
    let refused = operators.ask_now(&id, "ada", "?").await.unwrap_err();
    assert!(matches!(refused, OperatorError::NotInProgress { state: State::Proposed, .. }));
    let nobody = "op_nobody".parse().unwrap();
    let refused = operators.ask_now(&nobody, "ada", "?").await.unwrap_err();
    insta::assert_snapshot!(refused, @"there is no operation `op_nobody` of this company");
}

/// OPS-8-5
#[tokio::test(start_paused = true)]
async fn what_was_erased_is_seen_by_no_agent_and_still_proved_by_its_digest() {
    let fleet = Fleet::new();
    let node = fleet.node(|builder| builder).await;
    let id = fleet.propose(&node, "a secret car", 1).await.operation_id;
    fleet.confirm(&node, &id).await.unwrap();
    let open = fleet.propose(&node, "another secret car", 1).await.operation_id;
    let digest = fleet.stored(&id).await.latest.digest;
    let mut lines = Vec::new();
    let operators = node.operators();
    let told = operators.export("acc_ada", |line| {
        lines.push(line);
        true
    });
    assert_eq!(told.await.unwrap(), 2);
    assert!(lines.iter().all(|line| line.contains("secret car")), "{lines:?}");

    for names in ["acc_ada", "as acc_ada asked", "(acc_ada)", "ACC_Ada", "xacc_ada acc_ada"] {
        for (who, why) in [("ada", names), (names, "request 17")] {
            let refused = node.erase("acc_ada", who, why).await.unwrap_err();
            assert!(matches!(refused, OperatorError::NamesTheAccount), "{names}: {refused}");
        }
    }
    assert!(node.operators().acts(0, 9).await.unwrap().is_empty());
    let why = "request 17 of acc_adam, not my_acc_ada";
    let erased = node.erase("acc_ada", "ada", why).await.unwrap();
    assert_eq!((erased.erased, erased.open), (1, 1));
    let acts = node.operators().acts(0, 9).await.unwrap();
    let [act] = acts.as_slice() else { panic!("{acts:?}") };
    assert_eq!((act.kind, act.action.as_deref(), act.operations), (ActKind::Erase, None, 1));
    assert_eq!((act.who.as_str(), act.why.as_str()), ("ada", why));
    let gone = node.read(&fleet.ada, id.as_str()).await.unwrap_err();
    assert!(matches!(gone, Refusal::OperationNotFound));
    assert_eq!(node.read(&fleet.ada, open.as_str()).await.unwrap().state, State::Proposed);
    let history = node.history(&id).await.unwrap();
    let stored = &history.stored;
    assert_eq!((&stored.key.id, stored.state), (&id, State::Succeeded));
    assert!(!format!("{} {}", stored.latest.full, stored.latest.summary).contains("secret"));
    let erasure = stored.erased.unwrap();
    assert_eq!(pap_runtime::store::salted(&erasure.salt, &digest), stored.latest.digest);
    assert_eq!(node.operators().export("acc_ada", |_| true).await.unwrap(), 1);
}

#[derive(Clone, Default)]
struct Counts(Arc<Mutex<Vec<String>>>);

impl Meter for Counts {
    fn count(&self, name: &'static str, labels: &[Label<'_>]) {
        let labels: Vec<_> = labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
        self.0.lock().unwrap().push(format!("{name} {}", labels.join(" ")));
    }

    fn took(&self, name: &'static str, labels: &[Label<'_>], _took: Duration) {
        self.count(name, labels);
    }
}

#[tokio::test(start_paused = true)]
async fn what_happens_is_counted_under_names_that_do_not_change() {
    let fleet = Fleet::new();
    let counts = Counts::default();
    let node = fleet.node(|builder| builder.meter(counts.clone())).await;
    let id = fleet.propose(&node, "a", 1).await.operation_id;
    fleet.confirm(&node, &id).await.unwrap();
    fleet.confirm(&node, &id).await.unwrap();
    let mut counted = counts.0.lock().unwrap().clone();
    counted.sort();
    assert_eq!(
        counted,
        [
            "pap_confirm_seconds action=fleet.rent",
            "pap_confirm_seconds action=fleet.rent",
            "pap_confirms_total action=fleet.rent outcome=as_it_is",
            "pap_confirms_total action=fleet.rent outcome=claimed",
            "pap_ended_total action=fleet.rent state=succeeded",
            "pap_perform_seconds action=fleet.rent",
            "pap_proposals_total action=fleet.rent",
        ]
    );
    let known = |line: &String| names::ALL.iter().any(|name| line.starts_with(name));
    assert!(counted.iter().all(known));
}
