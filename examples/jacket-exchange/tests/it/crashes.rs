//! The process dies, and a new one on the same files finds out: never twice, and the truth in the end.

use jacket_exchange::Shop;
use jacket_exchange::serve::CrashAfter;
use serde_json::json;

use crate::shop::{EXCHANGES, Street};

/// OPS-6-4 OPS-6-6 OPS-6-10
async fn exchange_through_a_death(moment: CrashAfter, state: &str, times: u32, summary: &str) {
    let street = Street::open(Some(moment)).await;
    let jacket = json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" });
    let id = street.propose(EXCHANGES, jacket).await;
    street.confirm_into_death(&id).await;

    let street = street.restart();
    let ended = street.until_final(&id).await;
    assert_eq!(ended.ended(state), summary);
    // the agent's own retry, and another process later: the same, and nothing more
    let again = street.confirm(&id, "user").await;
    assert_eq!(again.text, ended.text);
    let street = street.kill_and_restart();
    assert_eq!(street.until_final(&id).await.text, ended.text);
    assert_eq!(street.times("card charged", "itm_4Qa").await, times);
    assert_eq!(street.times("parcel sent", "itm_4Qa").await, times);
    assert_eq!(street.shop.effects().await.unwrap(), 2 * times);
}

const PLACED: &str = "Exchange placed. The Stormline Insulated Jacket (M) ships today, and a return \
    label for the original was emailed. $70.00 was charged to the card ending in 4242.";
const NOT_DONE: &str = "This was not done. Nothing was changed.";

#[tokio::test]
async fn a_death_after_the_claim_does_nothing() {
    exchange_through_a_death(CrashAfter::Claim, "failed", 0, NOT_DONE).await;
}

#[tokio::test]
async fn a_death_after_the_checkpoint_does_nothing() {
    exchange_through_a_death(CrashAfter::Checkpoint, "failed", 0, NOT_DONE).await;
}

#[tokio::test]
async fn a_death_after_the_charge_is_found_out_and_finished_once() {
    exchange_through_a_death(CrashAfter::Effect, "succeeded", 1, PLACED).await;
}

#[tokio::test]
async fn a_death_after_the_finish_loses_nothing() {
    exchange_through_a_death(CrashAfter::Finish, "succeeded", 1, PLACED).await;
}

#[tokio::test]
async fn what_is_unknown_is_still_asked_about_by_the_next_process() {
    let street = Street::open(None).await;
    street.shop.silence(Shop::WORKSHOP).await.unwrap();
    let what = json!({ "what": "a seam" });
    let id = street.propose("/orders/ord_7Hk2/items/itm_6Rg/repairs", what).await;
    assert_eq!(street.confirm(&id, "user").await.json["state"], "in_progress");

    // in a pause between two questions: one that died with its asker is asked again minutes later
    street.logged("asking again later", 4).await;
    let street = street.kill_and_restart();
    street.shop.let_answer(Shop::WORKSHOP).await.unwrap();
    street.until_final(&id).await.ended("succeeded");
    assert_eq!(street.times("repair booked", "itm_6Rg").await, 1);
}

#[tokio::test]
async fn a_failed_exchange_can_be_proposed_anew_under_a_new_id() {
    let street = Street::open(Some(CrashAfter::Claim)).await;
    let jacket = json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" });
    let first = street.propose(EXCHANGES, jacket.clone()).await;
    street.confirm_into_death(&first).await;
    let street = street.restart();
    street.until_final(&first).await.ended("failed");

    let second = street.propose(EXCHANGES, jacket).await;
    assert_ne!(first, second);
    street.performed(&street.ada, &second).await.ended("succeeded");
    assert_eq!(street.times("card charged", "itm_4Qa").await, 1);
}
