//! The testing feature, as a company's own tests use it.

use std::sync::Arc;

use pap_runtime::testing::{confirmed, confirmed_observed};
use pap_runtime::value::Money;

use crate::shop::{Act, Exchange, ExchangeTerms, Shop};

fn terms() -> ExchangeTerms {
    ExchangeTerms {
        order_id: "ord_7Hk2".into(),
        item_id: "itm_4Qa".into(),
        replacement_sku: "stormline-insulated-m".into(),
        price_difference: Money::parse("70.00", "USD").unwrap(),
        hold: "hold-1".into(),
        item: "Stormline Jacket (M)".into(),
        replacement: "Stormline Insulated Jacket (M)".into(),
    }
}

#[tokio::test]
async fn a_handler_is_a_function_that_a_test_calls_with_confirmed_terms() {
    let shop = Shop::new();
    assert!(Exchange::perform(&shop, confirmed(terms())).await.is_ok());
    assert_eq!(shop.effects(), 1);
    shop.act(Act::Decline);
    assert!(Exchange::perform(&shop, confirmed(terms())).await.is_err());
}

#[tokio::test]
async fn what_a_handler_puts_on_record_can_be_looked_at() {
    let shop = Shop::new();
    shop.act(Act::Remember);
    let (op, observed) = confirmed_observed(terms());
    assert!(Exchange::perform(&shop, op).await.is_ok());
    assert!(observed.has_checkpoint("payment"));
    shop.act(Act::FailPartway);
    let (op, observed) = confirmed_observed(terms());
    assert!(Exchange::perform(&shop, op).await.is_err());
    assert_eq!(observed.changes(), ["$70.00 was charged to the card ending in 4242"]);
    shop.act(Act::Remember);
    let (op, observed) = confirmed_observed(terms());
    observed.begin_recovery();
    let before = shop.effects();
    assert!(Exchange::perform(&shop, op).await.is_err());
    assert_eq!(shop.effects(), before, "the effect behind the checkpoint did not happen");
    shop.act(Act::WaitForStop);
    let (op, observed) = confirmed_observed(terms());
    observed.request_stop();
    assert!(Exchange::perform(&shop, op).await.is_err());
}

/// C12 of the failure matrix: one key per step, for the operation's whole life.
#[tokio::test]
async fn a_steps_key_is_the_same_in_every_run() {
    let (one, _) = confirmed_observed(terms());
    let (two, _) = confirmed_observed(terms());
    assert_eq!(one.idempotency_key("pay"), two.idempotency_key("pay"));
    assert_ne!(one.idempotency_key("pay"), one.idempotency_key("ship"));
    let shown = format!("{one:?}");
    assert!(!shown.contains("Jacket") && !shown.contains("ord_7Hk2"), "{shown}");
    drop(Arc::new(one));
}
