//! What an operator reads: which step of which operation, never what was agreed or a secret.

use axum::http::Method;
use pap_runtime::store::sqlite::Sqlite;
use pap_runtime::{SettledBy, failed_after};
use std::sync::Arc;

use crate::shop::{Act, EXCHANGES, Find, JACKET, Log, Look, OPERATIONS, Shop, Stops, Street};

/// EXT-16: at the finest level, in every thread, also where something fails, panics or does not answer.
#[tokio::test]
async fn logs_hold_no_token_no_proof_and_no_terms() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    // the store writes in threads of its own
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let (dir, clock) = (tempfile::tempdir().unwrap(), crate::shop::clock());
    let sqlite = Sqlite::open_on(dir.path().join("operations.db"), Arc::new(clock.clone()));
    let sqlite = sqlite.unwrap();
    let street = Street::around(Shop::new(), Arc::new(sqlite.clone()), clock, Some(dir)).await;
    let ada = street.ada();

    for (act, find) in [
        (Act::Succeed, Find::Happened),
        (Act::Decline, Find::Happened),
        (Act::Contradict, Find::Happened),
        (Act::FailPartway, Find::Happened),
        (Act::Panic, Find::Panic),
        (Act::Unknown, Find::Error),
        (Act::Remember, Find::Happened),
        (Act::HandOver, Find::Partly),
    ] {
        street.shop.act(act);
        street.shop.find(&[find, Find::Partly]);
        let secret = format!(r#"{{ "item_id": "itm_secret{act:?}", "replacement_sku": "x" }}"#);
        let proposed = street.post(&ada, EXCHANGES, &secret).await;
        let id = proposed.json["operation"]["operation_id"].as_str().unwrap().to_owned();
        let dearer = secret.replace(r#""x""#, r#""sku_secret""#);
        street.post(&ada, EXCHANGES, &dearer).await;
        let latest = r#"{ "revision": 2, "approved_by": "user" }"#;
        let confirmed = street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), latest).await;
        assert_eq!(confirmed.status, 200, "{act:?}: {confirmed:?}");
        street.cancel(&ada, &id).await;
        let later = failed_after::<(), 1>(["$70.00 was charged"], "Stormline is lost");
        let by = SettledBy::new("operator", "seen");
        street.company.settle(&id.parse().unwrap(), later, by).await.unwrap();
        assert!(log.text().contains(&id), "the operation's steps are logged");
    }
    failures(&street).await;
    sqlite.close().await;
    street.post(&ada, EXCHANGES, JACKET).await.is(503, "temporarily_unavailable");

    let text = log.text();
    assert!(text.contains("the store did not answer") && text.contains("panicked"), "{text}");
    for forbidden in [ada.token(), "not.a.proof", "secret", "Stormline", "70.00", "eyJ"] {
        assert!(!text.contains(forbidden), "`{forbidden}` is in the log:\n{text}");
    }
}

/// Everything that goes wrong before a claim.
async fn failures(street: &Street) {
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.shop.stop(Stops::Panic);
    for look in [Look::NotOffered, Look::Error, Look::Panic, Look::Dearer, Look::Gone] {
        street.shop.look(look);
        street.confirm(&ada, &id).await;
    }
    for sku in ["broken", "panics"] {
        let body = format!(r#"{{ "item_id": "itm_secret", "replacement_sku": "{sku}" }}"#);
        street.post(&ada, EXCHANGES, &body).await.is(500, "internal_error");
    }
    let wrong = r#"{ "item_id": "itm_secret", "replacement_sku": 70.00 }"#;
    street.post(&ada, EXCHANGES, wrong).await.is(400, "invalid_request");
    let bad = ada.request_proved(Method::POST, EXCHANGES, Some(JACKET), "not.a.proof");
    street.send(bad).await.is(401, "invalid_dpop_proof");
    let proof = ada.proof(&Method::POST, EXCHANGES);
    for _ in 0..2 {
        let used = ada.request_proved(Method::POST, EXCHANGES, Some(JACKET), &proof);
        street.send(used).await;
    }
}
