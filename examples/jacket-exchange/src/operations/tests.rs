//! The shop's own tests of its operations: no HTTP, no process, a clock that stands.

use pap_runtime::testing::{Bench, Crash};
use pap_runtime::{Operation, State};
use tempfile::TempDir;

use super::exchange::{Exchange, ExchangeRequest};
use super::returns::{Return, ReturnRequest};
use crate::shop::{ItemId, OrderId, Shop, Sku};

struct Counter {
    bench: Bench<Exchange>,
    _folder: TempDir,
}

impl Counter {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bench = Bench::new(Shop::open(folder.path()).unwrap()).await.unwrap();
        Self { bench, _folder: folder }
    }

    async fn propose(&self, item: &str, replacement: &str) -> Operation {
        let request = ExchangeRequest {
            order_id: OrderId("ord_7Hk2".to_owned()),
            item_id: ItemId(item.to_owned()),
            replacement_sku: Sku(replacement.to_owned()),
        };
        self.bench.propose(request).await.unwrap()
    }

    async fn jacket(&self) -> Operation {
        self.propose("itm_4Qa", "stormline-insulated-m").await
    }

    async fn times(&self, effect: &str) -> u32 {
        self.bench.state().times(effect, "itm_4Qa").await.unwrap()
    }

    async fn run(&self, sql: &'static str) {
        let shop = self.bench.state();
        let run = |tx: &rusqlite::Transaction<'_>| Ok(tx.execute_batch(sql)?);
        shop.database.transaction::<(), crate::Fault>(run).await.unwrap();
    }
}

fn ended(operation: &Operation) -> (State, &str) {
    (operation.state, operation.result.as_ref().unwrap().summary.as_str())
}

const PLACED: &str = "Exchange placed. The Stormline Insulated Jacket (M) ships today, and a return label for the \
                      original was emailed. $70.00 was charged to the card ending in 4242.";

#[tokio::test]
async fn wherever_it_dies_the_jacket_is_charged_and_sent_at_most_once() {
    for (point, state, times) in [
        (Crash::BeforeClaim, State::Proposed, 0),
        (Crash::AfterClaim, State::Failed, 0),
        (Crash::AfterCheckpoint("payment".to_owned()), State::Failed, 0),
        (Crash::AfterChange(1), State::Succeeded, 1),
        (Crash::BeforeFinish, State::Succeeded, 1),
        (Crash::AfterFinish, State::Succeeded, 1),
    ] {
        let mut counter = Counter::open().await;
        let operation = counter.jacket().await;
        let answered = counter.bench.confirm_and_crash(&operation, point.clone()).await.unwrap();
        assert!(answered.is_none(), "it dies at {point:?}");
        counter.bench.reconcile().await.unwrap();

        let operation = counter.bench.read(&operation).await.unwrap();
        assert_eq!(operation.state, state, "{point:?}");
        assert_eq!(counter.times("card charged").await, times, "{point:?}");
        assert_eq!(counter.times("parcel sent").await, times, "{point:?}");
        if state == State::Succeeded {
            // also where `perform` had noted the charge before it died
            assert_eq!(ended(&operation).1, PLACED, "{point:?}");
        }
    }
}

#[tokio::test]
async fn a_declined_card_leaves_everything_as_it_was() {
    let counter = Counter::open().await;
    counter.run("UPDATE cards SET closed = 1").await;
    let operation = counter.bench.confirm(&counter.jacket().await).await.unwrap();
    assert_eq!(ended(&operation), (State::Failed, "The card was declined. Nothing was changed."));
    assert_eq!(counter.bench.state().effects().await.unwrap(), 0);
}

#[tokio::test]
async fn a_card_system_that_says_nothing_is_no_failure_until_it_is_known() {
    let counter = Counter::open().await;
    let operation = counter.jacket().await;
    counter.bench.state().silence(Shop::CARDS).await.unwrap();
    let operation = counter.bench.confirm(&operation).await.unwrap();
    assert_eq!(operation.state, State::InProgress);

    // nothing was remembered, so nothing was asked of it that could have an effect
    counter.bench.reconcile().await.unwrap();
    let operation = counter.bench.read(&operation).await.unwrap();
    assert_eq!(ended(&operation), (State::Failed, "This was not done. Nothing was changed."));
    assert_eq!(counter.bench.state().effects().await.unwrap(), 0);
}

#[tokio::test]
async fn a_charge_for_what_cannot_be_sent_is_given_back_and_told() {
    let counter = Counter::open().await;
    let operation = counter.jacket().await;
    counter.run("UPDATE products SET stock = 0 WHERE sku = 'stormline-insulated-m'").await;
    let operation = counter.bench.confirm(&operation).await.unwrap();
    assert_eq!(
        ended(&operation),
        (
            State::Failed,
            "Nothing was sent: sold out. What was changed: $70.00 was charged to the card ending in 4242. \
             $70.00 was given back."
        )
    );
    assert_eq!(counter.times("card charged").await, 1);
    assert_eq!(counter.times("card refunded").await, 1);
}

#[tokio::test]
async fn the_last_piece_is_held_for_whoever_was_offered_it_first() {
    let counter = Counter::open().await;
    counter.run("UPDATE products SET stock = 1 WHERE sku = 'ridgeline-winter-42'").await;
    let first = counter.propose("itm_6Rg", "ridgeline-winter-42").await;
    let request = ExchangeRequest {
        order_id: OrderId("ord_7Hk2".to_owned()),
        item_id: ItemId("itm_9Bo".to_owned()),
        replacement_sku: Sku("ridgeline-winter-42".to_owned()),
    };
    let refused = counter.bench.propose(request).await.unwrap_err();
    assert!(refused.to_string().contains("sold_out"), "{refused}");
    let operation = counter.bench.confirm(&first).await.unwrap();
    assert_eq!(operation.state, State::Succeeded);
}

#[tokio::test]
async fn two_operations_do_not_send_one_item_back_twice() {
    let counter = Counter::open().await;
    let exchange = counter.jacket().await;
    let shop = counter.bench.state().clone();
    let returns = Bench::<Return>::new(shop).await.unwrap();
    let request = ReturnRequest {
        order_id: OrderId("ord_7Hk2".to_owned()),
        item_id: ItemId("itm_4Qa".to_owned()),
    };
    let operation = returns.propose(request).await.unwrap();
    counter.bench.confirm(&exchange).await.unwrap();

    let operation = returns.confirm(&operation).await.unwrap();
    assert_eq!(
        ended(&operation),
        (State::Failed, "The item was exchanged or returned meanwhile. Nothing was changed.")
    );
    assert_eq!(counter.times("label mailed").await, 0);
    assert_eq!(counter.times("card refunded").await, 0);
}

#[tokio::test]
async fn a_return_that_died_after_its_label_ends_with_what_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let shop = Shop::open(folder.path()).unwrap();
    let mut bench = Bench::<Return>::new(shop).await.unwrap();
    let request = ReturnRequest {
        order_id: OrderId("ord_2Jx5".to_owned()),
        item_id: ItemId("itm_8Vt".to_owned()),
    };
    let operation = bench.propose(request).await.unwrap();
    bench.confirm_and_crash(&operation, Crash::AfterChange(1)).await.unwrap();
    bench.reconcile().await.unwrap();
    let operation = bench.read(&operation).await.unwrap();
    assert_eq!(
        ended(&operation),
        (
            State::Failed,
            "The refund was refused by the card system (declined: the card was closed); please call us. \
             What was changed: A return label was emailed to ada@example.net."
        )
    );
    assert_eq!(bench.state().times("label mailed", "itm_8Vt").await.unwrap(), 1);
}
