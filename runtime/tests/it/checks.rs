//! The checks of a confirm, in the specification's order, and what the company finds just before it.

use std::time::Duration;

use crate::shop::{BY_PERMISSION, BY_USER, EXCHANGES, Look, OPERATIONS, Street};

/// OPS-5.2-7 OPS-5.2-2 OPS-5.2-3 OPS-5.2-4 OPS-5.2-5 OPS-5.2-6
#[tokio::test]
async fn the_first_check_that_fails_is_the_one_that_is_told() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let stranger = street.agent("ses_2", "juniper", "bob", None);
    let flagged = r#"{ "item_id": "itm_4Qa", "replacement_sku": "needs-user" }"#;
    let proposed = street.post(&ada, EXCHANGES, flagged).await;
    let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
    let url = format!("{OPERATIONS}/{id}/confirm");
    let all_wrong = r#"{ "revision": 7, "approved_by": "standing_permission" }"#;
    for state in ["proposed", "expired"] {
        street.post(&stranger, &url, all_wrong).await.is(404, "operation_not_found");
        street.sessions.change(&ada, |session| session.signed_in("acc_ada", ["orders:read"]));
        street.post(&ada, &url, all_wrong).await.is(403, "insufficient_scope");
        street.sessions.change(&ada, |session| session.signed_in("acc_ada", ["orders:write"]));
        street.post(&ada, &url, all_wrong).await.is(409, "terms_changed");
        street.post(&ada, &url, BY_PERMISSION).await.is(403, "user_approval_required");
        street.read(&ada, id).await.state(state);
        street.clock.advance(Duration::from_secs(901));
    }
    street.post(&ada, &url, BY_USER).await.state("expired");
    assert_eq!(street.shop.effects(), 0);
}

#[tokio::test]
async fn looking_again_in_vain_confirms_nothing() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let before = street.on_record();
    for (look, status, code) in [
        (Look::NotOffered, 409, "sold_out"),
        (Look::Error, 500, "internal_error"),
        (Look::Panic, 500, "internal_error"),
    ] {
        street.shop.look(look);
        let answer = street.confirm(&ada, &id).await;
        answer.is(status, code);
        assert!(!answer.text.contains("digit"), "the error's own text goes no further");
        street.read(&ada, &id).await.state("proposed");
    }
    assert_eq!((street.shop.effects(), street.on_record()), (0, before));
    street.shop.look(Look::Same);
    street.confirm(&ada, &id).await.state("succeeded");
}
