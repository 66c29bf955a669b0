//! Revisions: fixed once issued, only the latest can be confirmed, none after the confirmation.

use std::time::Duration;

use pap_runtime::company::ReviseError;
use pap_runtime::value::Money;
use pap_runtime::{Proposal, SettledBy, failed_unchanged, succeeded, unknown};

use crate::shop::{
    Act, EXCHANGES, Exchange, ExchangeTerms, GiftNoteTerms, OPERATIONS, Street, gift_note,
};
use pap_runtime::clock::Clock;

fn terms(price: &str) -> ExchangeTerms {
    ExchangeTerms {
        order_id: "ord_7Hk2".into(),
        item_id: "itm_4Qa".into(),
        replacement_sku: "stormline-insulated-m".into(),
        price_difference: Money::parse(price, "USD").unwrap(),
        hold: "hold-1".into(),
        item: "Stormline Jacket (M)".into(),
        replacement: "Stormline Insulated Jacket (M)".into(),
    }
}

/// OPS-3-3 OPS-3.1-1 OPS-3.1-2 OPS-3.1-3
#[tokio::test]
async fn each_change_of_terms_is_the_next_revision_with_a_new_expiry_and_the_old_ones_stay() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let parsed = id.parse().unwrap();
    let first = street.company.history(&parsed).await.unwrap().revisions.remove(0);
    for (number, price) in [(2, "75.00"), (3, "80.00")] {
        street.clock.advance(Duration::from_secs(60));
        let revised = street.company.revise::<Exchange>(&parsed, terms(price)).await.unwrap();
        assert_eq!(revised.operation_id.as_str(), id);
        assert_eq!(revised.revision.get(), number);
        let read = street.read(&ada, &id).await;
        assert_eq!(read.json["revision"], number);
        assert_eq!(read.json["expires_at"], format!("2026-10-08T19:{}:00Z", 14 + number));
    }
    let history = street.company.history(&parsed).await.unwrap();
    assert_eq!(history.revisions[0], first, "revision 1 is what it was");
    assert_eq!(history.revisions.len(), 3);
    let stale = r#"{ "revision": 2, "approved_by": "user" }"#;
    street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), stale).await.is(409, "terms_changed");
    let latest = r#"{ "revision": 3, "approved_by": "user" }"#;
    street.post(&ada, &format!("{OPERATIONS}/{id}/confirm"), latest).await.state("succeeded");
}

/// OPS-3.1-1
#[tokio::test]
async fn terms_that_say_the_same_are_no_new_revision() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await.parse().unwrap();
    let two = street.company.revise::<Exchange>(&id, terms("75.00")).await.unwrap();
    let same = street.company.revise::<Exchange>(&id, terms("75.00")).await.unwrap();
    assert_eq!((two.revision, two.expires_at), (same.revision, same.expires_at));
    let raised = Proposal::new(terms("75.00")).user_approval_required();
    let raised = street.company.revise::<Exchange>(&id, raised).await.unwrap();
    assert_eq!(raised.revision.get(), 3, "the approval rule is part of what is approved");
}

/// OPS-3.1-4 OPS-3-23
#[tokio::test]
async fn after_confirmation_and_after_the_end_terms_are_frozen() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let in_progress = street.propose(&ada).await;
    street.shop.act(Act::HandOver);
    street.confirm(&ada, &in_progress).await.state("in_progress");
    let before = street.read(&ada, &in_progress).await.text;
    let refused = street
        .company
        .revise::<Exchange>(&in_progress.parse().unwrap(), terms("99.00"))
        .await
        .unwrap_err();
    assert!(matches!(refused, ReviseError::NotProposed(_)), "{refused}");
    assert_eq!(street.read(&ada, &in_progress).await.text, before);
    let settled = street
        .company
        .settle(&in_progress.parse().unwrap(), succeeded("Sent.", ()), SettledBy::new("t", "t"))
        .await
        .unwrap();
    let refused =
        street.company.revise::<Exchange>(&settled.operation_id, terms("99.00")).await.unwrap_err();
    assert!(matches!(refused, ReviseError::NotProposed(_)));
}

/// OPS-3.1-1 OPS-3-22
#[tokio::test]
async fn an_expired_proposal_is_not_revived_by_a_revision() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    street.clock.advance(Duration::from_millis(900_001));
    let refused =
        street.company.revise::<Exchange>(&id.parse().unwrap(), terms("1.00")).await.unwrap_err();
    assert!(matches!(refused, ReviseError::NotProposed(_)));
    street.read(&ada, &id).await.state("expired");
}

/// OPS-3-7
#[tokio::test]
async fn a_proposal_says_how_long_it_can_be_confirmed_and_one_that_has_ended_is_not_made() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let exchange = |sku| format!(r#"{{ "item_id": "itm_{sku}", "replacement_sku": "{sku}" }}"#);
    let gone = street.post(&ada, EXCHANGES, &exchange("gone")).await;
    gone.is(500, "internal_error");
    assert_eq!(street.on_record(), [0, 0, 0]);
    for (sku, until) in [("held", "2026-10-08T19:01:00Z"), ("held-until", "2026-10-08T19:02:00Z")] {
        let proposed = street.post(&ada, EXCHANGES, &exchange(sku)).await;
        assert_eq!(proposed.json["operation"]["expires_at"], until);
        let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
        street.clock.advance(Duration::from_secs(60));
        street.read(&ada, id).await.state("proposed");
        street.clock.advance(Duration::from_millis(1));
        street.confirm(&ada, id).await.state("expired");
        street.clock.set(crate::shop::clock().now().saturating_add(Duration::from_secs(60)));
    }
    assert_eq!(street.shop.effects(), 0);
}

#[tokio::test]
async fn a_revision_of_another_action_is_refused() {
    let street = Street::on_sqlite().await;
    let id = street.propose(&street.ada()).await.parse().unwrap();
    let note = GiftNoteTerms { order_id: "ord_7Hk2".into(), note: "Happy birthday".into() };
    let refused = street.company.revise::<gift_note>(&id, note).await.unwrap_err();
    assert!(matches!(refused, ReviseError::OtherAction(_)), "{refused}");
    assert_eq!(street.on_record(), [1, 1, 1]);
}

/// OPS-3.1-4
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_confirm_and_a_revision_at_once_exactly_one_wins() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    for round in 0..40 {
        let json = format!(r#"{{ "item_id": "itm_{round}", "replacement_sku": "sku_{round}" }}"#);
        let proposed = street.post(&ada, EXCHANGES, &json).await;
        let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
        let parsed = id.parse().unwrap();
        let (confirmed, revised) = tokio::join!(
            street.confirm(&ada, id),
            street.company.revise::<Exchange>(&parsed, terms("99.00")),
        );
        if revised.is_ok() {
            confirmed.is(409, "terms_changed");
            street.read(&ada, id).await.state("proposed");
        } else {
            assert_eq!(confirmed.status.as_u16(), 200, "{confirmed:?}");
            assert_eq!(confirmed.json["confirmation"]["revision"], 1);
        }
    }
}

#[tokio::test]
async fn terms_that_must_not_be_offered_are_refused_before_anything_is_stored() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await.parse().unwrap();
    let refused = street.company.revise::<Exchange>(&id, terms("-5.00")).await.unwrap_err();
    insta::assert_snapshot!(refused, @"the terms must not be offered: `price_difference` is a negative charge: use a variant of its own for money that goes the other way");
    assert_eq!(street.company.history(&id).await.unwrap().revisions.len(), 1);
}

/// OPS-6-7
#[tokio::test]
async fn settling_ends_what_is_in_progress_and_nothing_else() {
    use pap_runtime::company::SettleError;
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let parsed = id.parse().unwrap();
    let by = || SettledBy::new("warehouse webhook", "evt_77");
    let refused = street.company.settle(&parsed, succeeded("Sent.", ()), by()).await.unwrap_err();
    assert!(matches!(refused, SettleError::NotInProgress(_)));
    street.shop.act(Act::HandOver);
    street.confirm(&ada, &id).await.state("in_progress");
    let refused = street.company.settle(&parsed, unknown::<()>("?"), by()).await.unwrap_err();
    assert!(matches!(refused, SettleError::Undecided));
    street.company.settle(&parsed, succeeded("Sent.", "trk_1"), by()).await.unwrap();
    let read = street.read(&ada, &id).await;
    read.state("succeeded");
    assert_eq!(read.json["result"]["data"], "trk_1");
    let later = street.company.settle(&parsed, failed_unchanged::<()>("No."), by()).await.unwrap();
    assert_eq!(later.state.to_string(), "succeeded", "the first final state stands");
    let history = street.company.history(&parsed).await.unwrap();
    let ended = history.events.iter().find(|event| event.kind.word() == "ended").unwrap();
    assert!(ended.detail.contains("warehouse webhook") && ended.detail.contains("evt_77"));
    assert!(history.events.iter().any(|event| event.kind.word() == "late_outcome"));
}
