//! What does not answer in time is unknown: it is asked about, and nothing is run again.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pap_runtime::testing::Bench;

use crate::shop::{Act, Exchange, ExchangeRequest, Find, Shop, Street};

/// OPS-6-6 OPS-6-7
#[tokio::test]
async fn a_handler_that_does_not_answer_in_time_is_asked_about_and_not_run_again() {
    tokio::time::pause();
    let street = Street::in_memory().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.act(Act::Wait);
    street.shop.find(&[Find::Happened]);
    street.confirm(&ada, &id).await.state("in_progress");
    street.read(&ada, &id).await.state("in_progress");
    assert_eq!(street.shop.asks.load(Ordering::SeqCst), 0, "it still has time");
    tokio::time::advance(Duration::from_secs(61)).await;
    let found = street.until(&ada, &id, "succeeded").await;
    assert_eq!(found.json["result"]["summary"], "The exchange had been placed.");
    // the handler goes on; what it says now comes too late
    street.shop.let_go.notify_one();
    let id = id.parse().unwrap();
    let mut kinds = Vec::new();
    for _ in 0..2000 {
        let history = street.company.history(&id).await.unwrap();
        kinds = history.events.iter().map(|event| event.kind.word()).collect();
        if kinds.contains(&"late_outcome") {
            break;
        }
        tokio::task::yield_now().await;
    }
    let all = ["proposed", "confirmed", "unsettled", "asked", "ended", "late_outcome"];
    assert_eq!(kinds, all);
    assert_eq!(street.read(&ada, id.as_str()).await.text, found.text);
    assert_eq!(street.shop.effects(), 1);
}

/// OPS-6-7 Row D2
#[tokio::test]
async fn a_question_that_is_not_answered_in_time_is_asked_again() {
    tokio::time::pause();
    let shop = Shop::new();
    shop.act(Act::Unknown);
    shop.find(&[Find::Hang, Find::Happened]);
    let bench = Bench::<Exchange>::new(Arc::clone(&shop)).await.unwrap();
    let request = ExchangeRequest {
        order_id: "ord_7Hk2".into(),
        item_id: "itm_4Qa".into(),
        replacement_sku: "stormline-insulated-m".into(),
    };
    let operation = bench.propose(request).await.unwrap();
    bench.confirm(&operation).await.unwrap();
    let begun = tokio::time::Instant::now();
    assert_eq!(bench.reconcile().await.unwrap(), 1);
    assert_eq!(begun.elapsed().as_secs(), 60);
    assert_eq!(bench.read(&operation).await.unwrap().state.to_string(), "in_progress");
    bench.advance(Duration::from_secs(3600));
    assert_eq!(bench.reconcile().await.unwrap(), 1);
    assert_eq!(bench.read(&operation).await.unwrap().state.to_string(), "succeeded");
}
