//! Each operation over HTTP, to its own ending.

use jacket_exchange::Shop;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::shop::{Agent, EXCHANGES, Street};

fn jacket() -> Value {
    json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" })
}

#[tokio::test]
async fn the_exchange_reads_as_in_the_specification() {
    let street = Street::open(None).await;
    let proposed = street.post(EXCHANGES, jacket()).await;
    assert_eq!(proposed.status, StatusCode::ACCEPTED);
    let operation = &proposed.json["operation"];
    assert_eq!(
        operation["summary"],
        "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the Stormline Insulated Jacket (M), \
         for $70.00 more, charged to the card used for the order."
    );
    assert_eq!(
        operation["terms"],
        json!({
            "order_id": "ord_7Hk2",
            "item_id": "itm_4Qa",
            "replacement_sku": "stormline-insulated-m",
            "price_difference": { "amount": "70.00", "currency": "USD" },
        })
    );
    assert_eq!(operation["user_approval_required"], true);

    let id = operation["operation_id"].as_str().unwrap();
    let ended = street.performed(&street.ada, id).await;
    assert_eq!(
        ended.ended("succeeded"),
        "Exchange placed. The Stormline Insulated Jacket (M) ships today, and a return label for the \
         original was emailed. $70.00 was charged to the card ending in 4242."
    );
    assert_eq!(ended.json["result"]["data"], json!({ "exchange_id": id, "return_id": "rtn_4Qa" }));
}

#[tokio::test]
async fn a_repeated_confirm_performs_nothing() {
    let street = Street::open(None).await;
    let id = street.propose(EXCHANGES, jacket()).await;
    let answers = tokio::join!(
        street.confirm(&id, "user"),
        street.confirm(&id, "user"),
        street.confirm(&id, "user"),
    );
    for answer in [answers.0, answers.1, answers.2] {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    }
    let first = street.until_final(&id).await;
    let again = street.confirm(&id, "user").await;
    assert_eq!((first.ended("succeeded"), &first.text), (again.ended("succeeded"), &again.text));
    assert_eq!(street.times("card charged", "itm_4Qa").await, 1);
    assert_eq!(street.times("parcel sent", "itm_4Qa").await, 1);
}

#[tokio::test]
async fn another_size_is_another_revision_and_the_old_one_confirms_nothing() {
    let street = Street::open(None).await;
    let id = street.propose(EXCHANGES, jacket()).await;
    let large = json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-l" });
    assert_eq!(street.propose(EXCHANGES, large).await, id);

    let old = street.confirm(&id, "user").await;
    assert_eq!((old.status, &old.json["error"]), (StatusCode::CONFLICT, &json!("terms_changed")));
    assert_eq!(old.json["operation"]["revision"], 2);
    assert_eq!(street.shop.effects().await.unwrap(), 0);
}

#[tokio::test]
async fn no_permission_given_earlier_confirms_an_exchange() {
    let street = Street::open(None).await;
    let id = street.propose(EXCHANGES, jacket()).await;
    let refused = street.confirm(&id, "standing_permission").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(refused.json["error"], "user_approval_required");
    assert_eq!(street.shop.effects().await.unwrap(), 0);
}

#[tokio::test]
async fn an_exchange_that_the_shop_does_not_offer_is_refused_in_its_own_words() {
    let street = Street::open(None).await;
    for (path, body, status, code) in [
        ("/orders/ord_none/exchanges", jacket(), 404, "order_not_found"),
        (
            EXCHANGES,
            json!({ "item_id": "itm_0", "replacement_sku": "stormline-insulated-m" }),
            404,
            "item_not_found",
        ),
        (EXCHANGES, json!({ "item_id": "itm_4Qa", "replacement_sku": "tent" }), 422, "unknown_sku"),
        (
            EXCHANGES,
            json!({ "item_id": "itm_4Qa", "replacement_sku": "summit-cap" }),
            422,
            "not_dearer",
        ),
        (EXCHANGES, json!({ "item_id": "itm_4Qa" }), 400, "invalid_request"),
    ] {
        let answer = street.post(path, body).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.json["error"]),
            (status, &json!(code)),
            "{}",
            answer.text
        );
    }
    let stranger = Agent::sign_in(&street.shop, Some("acc_eve"), Some("1")).await;
    let answer = street.send(&stranger, Method::POST, EXCHANGES, &jacket()).await;
    assert_eq!(answer.json["error"], "order_not_found");
}

#[tokio::test]
async fn a_gift_wrap_may_be_confirmed_by_a_permission_given_earlier() {
    let street = Street::open(None).await;
    let path = "/orders/ord_5Kp9/gift-wrap";
    let id = street.propose(path, json!({ "paper": "stars" })).await;
    let confirmed = street.confirm(&id, "standing_permission").await;
    assert_eq!(confirmed.status, StatusCode::OK, "{}", confirmed.text);
    let ended = street.until_final(&id).await;
    assert_eq!(
        ended.ended("succeeded"),
        "The order will be gift-wrapped. $5.00 was charged to the card ending in 4242."
    );
    assert_eq!(ended.json["confirmation"]["approved_by"], "standing_permission");
    assert_eq!(street.times("gift wrapped", "ord_5Kp9").await, 1);
}

#[tokio::test]
async fn a_gift_note_takes_one_function() {
    let street = Street::open(None).await;
    let path = "/orders/ord_5Kp9/gift-note";
    let id = street.propose(path, json!({ "note": "With love" })).await;
    let ended = street.performed(&street.ada, &id).await;
    assert_eq!(ended.ended("succeeded"), "The note is in the parcel.");
    assert_eq!(street.times("note put in", "ord_5Kp9").await, 1);
}

#[tokio::test]
async fn a_gift_note_for_somebody_elses_order_changes_nothing() {
    let street = Street::open(None).await;
    let eve = Agent::sign_in(&street.shop, Some("acc_eve"), Some("1")).await;
    let note = json!({ "note": "Not from Ada" });
    let proposed = street.send(&eve, Method::POST, "/orders/ord_5Kp9/gift-note", &note).await;
    let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
    let ended = street.performed(&eve, id).await;
    assert_eq!(
        ended.ended("failed"),
        "You have no such order that is still here. Nothing was changed."
    );
    assert_eq!(street.shop.effects().await.unwrap(), 0);
    // and to Ada it does not exist
    assert_eq!(street.confirm(id, "user").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_return_that_fails_halfway_tells_what_was_changed() {
    let street = Street::open(None).await;
    let id = street.propose("/orders/ord_2Jx5/items/itm_8Vt/return", json!({})).await;
    let ended = street.performed(&street.ada, &id).await;
    assert_eq!(
        ended.ended("failed"),
        "The refund was refused by the card system (declined: the card was closed); please call us. \
         What was changed: A return label was emailed to ada@example.net."
    );
    assert_eq!(street.times("label mailed", "itm_8Vt").await, 1);
    assert_eq!(street.times("card refunded", "itm_8Vt").await, 0);
}

#[tokio::test]
async fn a_return_that_goes_well_refunds_once() {
    let street = Street::open(None).await;
    let id = street.propose("/orders/ord_7Hk2/items/itm_9Bo/return", json!({})).await;
    let ended = street.performed(&street.ada, &id).await;
    assert_eq!(
        ended.ended("succeeded"),
        "$150.00 was refunded to the card ending in 4242. A return label was emailed to ada@example.net."
    );
    assert_eq!(street.times("card refunded", "itm_9Bo").await, 1);
}

#[tokio::test]
async fn a_repair_without_an_answer_is_in_progress_until_the_workshop_answers() {
    let street = Street::open(None).await;
    street.shop.silence(Shop::WORKSHOP).await.unwrap();
    let what = json!({ "what": "the left sole is coming off" });
    let id = street.propose("/orders/ord_7Hk2/items/itm_6Rg/repairs", what).await;
    let confirmed = street.confirm(&id, "user").await;
    assert_eq!(confirmed.json["state"], "in_progress");
    assert_eq!(confirmed.retry_after.as_deref(), Some("1"));

    street.shop.let_answer(Shop::WORKSHOP).await.unwrap();
    let ended = street.until_final(&id).await;
    assert!(ended.ended("succeeded").starts_with("The repair is booked."));
    assert_eq!(street.times("repair booked", "itm_6Rg").await, 1);
}
