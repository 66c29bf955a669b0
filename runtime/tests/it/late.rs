//! What comes after the end: it changes nothing, and is kept.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pap_runtime::store::memory::Memory;
use pap_runtime::store::{ActBy, Erase, EventKind, Store as _};
use pap_runtime::{SettledBy, State};

use crate::faulty::{Fault, Faulty, Plan};
use crate::fleet::Fleet;
use crate::shop::clock;

fn faulty() -> (Arc<Faulty>, Fleet) {
    let clock = clock();
    let store = Faulty::around(Arc::new(Memory::on_clock(Arc::new(clock.clone()))));
    (store.clone(), Fleet::on(store, clock))
}

/// D8: an outcome that came too late comes on record once, however the store fails, and draining waits for it.
/// Row D8
#[tokio::test(start_paused = true)]
async fn a_late_outcome_comes_on_record_however_the_store_fails() {
    for fault in Fault::ALL {
        let (store, fleet) = faulty();
        let node = fleet.node(|builder| builder).await;
        fleet.yard.slow.store(true, Ordering::SeqCst);
        let (id, confirming) = fleet.renting(&node, "a").await;
        fleet.yard.started.notified().await;
        let lost = pap_runtime::failed_unchanged::<()>("The car was lost");
        node.settle(&id, lost, SettledBy::new("operator 7", "seen in the yard")).await.unwrap();
        store.follow(Some(Plan { fault, method: Some("record_late"), from: 1, many: 3 }));
        fleet.yard.let_go.notify_waiters();
        confirming.await.unwrap().unwrap();
        assert_eq!(node.drain(Duration::from_secs(60)).await.unwrap(), 0);
        let history = node.history(&id).await.unwrap();
        let late = history.events.iter().filter(|event| event.kind == EventKind::LateOutcome);
        assert_eq!(late.count(), 1, "{fault:?}");
        assert_eq!(history.stored.state, State::Failed, "the first stands");
    }
}

/// An end whose acknowledgement was lost, and that was blanked before it was looked at again, is no other end.
#[tokio::test(start_paused = true)]
async fn an_end_that_was_blanked_before_it_was_acknowledged_is_not_late() {
    let (store, fleet) = faulty();
    let node = fleet.node(|builder| builder).await;
    let lost = Plan { fault: Fault::UnknownAfter, method: Some("finish"), from: 1, many: 1 };
    store.follow(Some(lost));
    let hold = store.hold("finish", false);
    let (id, confirming) = fleet.renting(&node, "a").await;
    hold.reached.notified().await;
    let by = ActBy::new("operator 7", "request 17").unwrap();
    let (company, account) = ("Fleet".to_owned(), "acc_ada".to_owned());
    let erase = Erase { company, account, limit: 9, by };
    assert_eq!(store.keeping().erase(erase).await.unwrap().erased, 1);
    hold.let_go.notify_one();
    // whoever waits for the answer is told that there is none any more
    drop(confirming.await.unwrap());
    assert_eq!(node.drain(Duration::from_secs(60)).await.unwrap(), 0);
    let history = node.history(&id).await.unwrap();
    assert!(history.events.iter().all(|event| event.kind != EventKind::LateOutcome), "{history:?}");
}
