//! A company, its runtime or whoever waits for it goes away: nothing in progress is left without a
//! performer and without a question.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use pap_runtime::declaration::Schema;
use pap_runtime::store::Store;
use pap_runtime::store::memory::Memory;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::terms::{Reader, Said};
use pap_runtime::testing::Bench;
use pap_runtime::{
    ApprovedBy, Company, ConfirmRequest, Confirmed, Outcome, Shape, State, Term, Terms, operation,
    operations, succeeded,
};
use serde::{Deserialize, Deserializer, Serialize};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use crate::lab::{Bay, Lab, TryTerms, lab_company, try_it};
use crate::shop::{LOOKS, ORIGIN, Street, clock};

fn lose() -> TryTerms {
    TryTerms { how: "lose".into(), times: 1, list: vec!["a".into()] }
}

#[tokio::test]
async fn a_company_that_was_closed_claims_nothing() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.company.close().await.unwrap();
    street.confirm(&ada, &id).await.is(503, "temporarily_unavailable");
    street.read(&ada, &id).await.state("proposed");
    assert_eq!(street.shop.effects(), 0);
}

/// OPS-6-7
#[tokio::test(start_paused = true)]
async fn whoever_asks_may_go_away_and_the_question_is_asked_to_its_end() {
    let lab = Arc::new(Lab::default());
    let bench = Bench::<try_it>::new(lab.clone()).await.unwrap();
    let operation = bench.propose(lose()).await.unwrap();
    bench.confirm(&operation).await.unwrap();
    lab.hangs.store(true, Ordering::SeqCst);
    for asked in 1..=5 {
        bench.advance(Duration::from_secs(3600));
        let asking = tokio::time::timeout(Duration::from_secs(1), bench.reconcile()).await;
        assert!(asking.is_err(), "it hangs");
        // it counts as not answered after its time
        tokio::time::sleep(Duration::from_secs(90)).await;
        assert_eq!(lab.asks.load(Ordering::SeqCst), asked);
    }
    lab.hangs.store(false, Ordering::SeqCst);
    bench.advance(Duration::from_secs(3600));
    assert_eq!(bench.reconcile().await.unwrap(), 1);
    assert_eq!(bench.read(&operation).await.unwrap().state, State::Succeeded);
}

/// OPS-6-7
#[tokio::test(start_paused = true)]
async fn a_company_that_is_closed_while_it_asks_has_not_died_asking() {
    let bay = Bay::new().await;
    let id = bay.propose("lose").await;
    bay.lab.hangs.store(true, Ordering::SeqCst);
    bay.confirm(&id).await.state("in_progress");
    let mut company = bay.company.clone();
    for asked in 1..=5 {
        let asks = || bay.lab.asks.load(Ordering::SeqCst);
        while asks() < asked {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        company.close().await.unwrap();
        company = lab_company(&bay.lab, bay.store.clone(), &bay.sessions).await;
    }
    bay.lab.hangs.store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(5)).await;
    bay.read(&id).await.state("succeeded");
}

/// OPS-6-7
#[tokio::test(start_paused = true)]
async fn a_claim_that_is_written_after_its_answer_was_given_up_is_asked_about() {
    let bay = Bay::new().await;
    let id = bay.propose("lose").await;
    bay.store.land_late(Duration::from_secs(7));
    bay.confirm(&id).await.is(503, "temporarily_unavailable");
    bay.read(&id).await.state("proposed");
    tokio::time::sleep(Duration::from_secs(30)).await;
    bay.read(&id).await.state("in_progress");
    assert!(!bay.running(&id).await.performing);
    assert!(bay.lab.asks.load(Ordering::SeqCst) > 0);
    assert_eq!(bay.lab.effects.load(Ordering::SeqCst), 0, "nobody performs from its ticket");
}

/// OPS-6-7
#[test]
fn a_runtime_that_ends_under_a_handler_leaves_it_to_be_asked_about() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let clock = clock();
    let sqlite = Sqlite::open_on(dir.path().join("operations.db"), Arc::new(clock.clone()));
    let memory = Memory::on_clock(Arc::new(clock.clone()));
    let stores: [Arc<dyn Store>; 2] = [Arc::new(sqlite.unwrap()), Arc::new(memory)];
    for store in stores {
        let first = runtime();
        let (id, ada, lab, sessions) = first.block_on(async {
            let bay = Bay::on(store.clone(), clock.clone()).await;
            let id = bay.propose("wait").await;
            drop(bay.confirming(&id));
            bay.lab.started.notified().await;
            (id, bay.ada, bay.lab, bay.sessions)
        });
        drop(first);
        // the effect was on its way
        lab.effects.store(1, Ordering::SeqCst);
        runtime().block_on(async {
            let company = lab_company(&lab, store, &sessions).await;
            for _ in 0..LOOKS {
                clock.advance(Duration::from_secs(10));
                if company.read(ada.session(), &id).await.unwrap().state == State::Succeeded {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            panic!("nobody asks about it");
        });
    }
}

#[tokio::test]
async fn a_handler_outlives_the_company_that_started_it() {
    let bay = Bay::new().await;
    let id = bay.propose("wait").await;
    let confirming = bay.confirming(&id);
    bay.lab.started.notified().await;
    let Bay { lab, store, sessions, company, router, ada, .. } = bay;
    confirming.abort();
    drop((company, router));
    let next = lab_company(&lab, store, &sessions).await;
    next.read(ada.session(), &id).await.unwrap();
    assert_eq!(lab.asks.load(Ordering::SeqCst), 0, "its handler has the say");
    lab.let_go.notify_one();
    for _ in 0..LOOKS {
        if next.read(ada.session(), &id).await.unwrap().state == State::Succeeded {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("its outcome was lost");
}

/// OPS-6-4
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_companies_on_one_store_perform_once_between_them() {
    let (dir, clock) = (tempfile::tempdir().unwrap(), clock());
    let sqlite = Sqlite::open_on(dir.path().join("operations.db"), Arc::new(clock.clone()));
    let bay = Bay::on(Arc::new(sqlite.unwrap()), clock).await;
    let other = lab_company(&bay.lab, bay.store.clone(), &bay.sessions).await;
    let mut confirms = JoinSet::new();
    for times in 0..20 {
        let terms = || TryTerms { how: "succeed".into(), times, list: vec!["a".into()] };
        let (one, same) = tokio::join!(
            bay.company.propose::<try_it>(bay.ada.session(), terms()),
            other.propose::<try_it>(bay.ada.session(), terms()),
        );
        let (one, same) = (one.unwrap(), same.unwrap());
        assert_eq!(one.operation_id, same.operation_id, "one action, one operation");
        for company in [&bay.company, &other, &bay.company, &other] {
            let (company, ada, id) = (company.clone(), bay.ada.clone(), one.operation_id.clone());
            let confirm = ConfirmRequest::new(one.revision, ApprovedBy::User);
            let task = async move { company.confirm(ada.session(), id.as_str(), confirm).await };
            confirms.spawn(task);
        }
    }
    while let Some(confirmed) = confirms.join_next().await {
        let state = confirmed.unwrap().unwrap().state;
        assert!([State::InProgress, State::Succeeded].contains(&state), "{state}");
    }
    assert_eq!(bay.lab.effects.load(Ordering::SeqCst), 20);
}

/// Row D2
#[tokio::test(start_paused = true)]
async fn asking_is_never_a_busy_loop() {
    let lab = Arc::new(Lab::default());
    let clock = clock();
    let company = Company::builder(lab.clone())
        .name("Lab")
        .origin(ORIGIN)
        .store(Memory::on_clock(Arc::new(clock.clone())))
        .operations(operations![try_it])
        .ask_again(Duration::ZERO, Duration::ZERO)
        .start();
    let company = company.await.unwrap();
    let bay = Bay::new().await;
    let asked = company.propose::<try_it>(bay.ada.session(), lose()).await.unwrap();
    let confirm = ConfirmRequest::new(asked.revision, ApprovedBy::User);
    lab.hangs.store(true, Ordering::SeqCst);
    company.confirm(bay.ada.session(), asked.operation_id.as_str(), confirm).await.unwrap();
    lab.effects.store(0, Ordering::SeqCst);
    lab.hangs.store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(120)).await;
    let before = lab.asks.load(Ordering::SeqCst);
    for _ in 0..100 {
        clock.advance(Duration::from_millis(10));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let asks = lab.asks.load(Ordering::SeqCst) - before;
    assert!((1..=101).contains(&asks), "{asks} questions in a second");
}

/// Reads of terms that are still to come before one panics; 0 for none.
static PANICS_IN: AtomicU32 = AtomicU32::new(0);

/// Held by a test for as long as it counts reads.
static TOUCHES: Mutex<()> = Mutex::const_new(());

/// A term of the author's own, whose code is foreign to the engine.
#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Touchy(String);

impl<'de> Deserialize<'de> for Touchy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let left = PANICS_IN.load(Ordering::SeqCst);
        PANICS_IN.store(left.saturating_sub(1), Ordering::SeqCst);
        assert_ne!(left, 1, "the company's own");
        String::deserialize(deserializer).map(Self)
    }
}

impl Shape for Touchy {
    const SCHEMA: Schema = String::SCHEMA;
}

impl Said for Touchy {
    fn say(&self, reader: &Reader, format: &str, out: &mut String) {
        self.0.say(reader, format, out);
    }
}

impl Term for Touchy {}

#[derive(Debug, Serialize, Deserialize, Terms)]
#[terms(summary = "Touch {what}.")]
struct TouchTerms {
    what: Touchy,
}

/// Touches something.
#[operation(action = "lab.touch", scopes = [], terms = TouchTerms, reconcile = operator)]
async fn touch(_lab: &Arc<Lab>, op: Confirmed<TouchTerms>) -> Outcome {
    succeeded(format!("Touched {}.", op.terms.what.0), ())
}

/// What a proposal is read for beside its answer harms nobody.
#[tokio::test]
async fn a_panic_of_the_authors_types_while_a_proposal_is_remembered_is_no_refusal() {
    let _alone = TOUCHES.lock().await;
    let bench = Bench::<touch>::new(Arc::new(Lab::default())).await.unwrap();
    PANICS_IN.store(1_000, Ordering::SeqCst);
    bench.propose(TouchTerms { what: Touchy("it".into()) }).await.unwrap();
    // the last time that they are read is when it is remembered
    let reads = 1_000 - PANICS_IN.load(Ordering::SeqCst);
    PANICS_IN.store(reads, Ordering::SeqCst);
    let operation = bench.propose(TouchTerms { what: Touchy("that".into()) }).await.unwrap();
    assert_eq!(PANICS_IN.load(Ordering::SeqCst), 0, "it panicked there");
    assert_eq!(bench.confirm(&operation).await.unwrap().state, State::Succeeded);
}

/// OPS-6-6
#[tokio::test]
async fn a_panic_of_the_authors_types_after_the_claim_is_an_outcome_nobody_knows() {
    let _alone = TOUCHES.lock().await;
    let bench = Bench::<touch>::new(Arc::new(Lab::default())).await.unwrap();
    let terms = TouchTerms { what: Touchy("it".into()) };
    let operation = bench.propose(terms).await.unwrap();
    // they were read and checked when it was proposed: the next to read them is the handler
    PANICS_IN.store(1, Ordering::SeqCst);
    assert_eq!(bench.confirm(&operation).await.unwrap().state, State::InProgress);
    let running = bench.history(&operation).await.unwrap().stored.running.unwrap();
    assert!(!running.performing, "it can be asked about");
}
