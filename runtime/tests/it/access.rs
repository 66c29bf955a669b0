//! Who may use an operation, and what everybody else learns: nothing.

use crate::shop::{EXCHANGES, JACKET, OPERATIONS, Street};

/// OPS-3.2-4 OPS-9-3 OPS-5.2-2 Row B10
#[tokio::test]
async fn a_stranger_cannot_tell_a_foreign_operation_from_one_that_never_was() {
    let street = Street::on_sqlite().await;
    let id = street.propose(&street.ada()).await;
    let strangers = [
        ("another user", street.agent("ses_2", "juniper", "bob", Some("acc_bob"))),
        (
            "another user of a shared account",
            street.agent("ses_3", "juniper", "bob", Some("acc_ada")),
        ),
        (
            "another account of the same user",
            street.agent("ses_4", "juniper", "ada", Some("acc_other")),
        ),
        ("another agent", street.agent("ses_5", "willow", "ada", Some("acc_ada"))),
        ("a signed-out Session of the same user", street.agent("ses_6", "juniper", "ada", None)),
    ];
    for (who, stranger) in strangers {
        let unknown = street.read(&stranger, "exc_never_was").await;
        unknown.is(404, "operation_not_found");
        for id in [id.as_str(), "exc.dots", "a%2Fb", "%2e%2e", "x%00y", "é", &"x".repeat(10_000)] {
            let id = id.replace('é', "%C3%A9");
            let read = street.read(&stranger, &id).await;
            assert_eq!(read, unknown, "{who} reads {id}");
            assert_eq!(street.confirm(&stranger, &id).await, unknown, "{who} confirms {id}");
            assert_eq!(street.cancel(&stranger, &id).await, unknown, "{who} cancels {id}");
        }
    }
    street.read(&street.ada(), &id).await.state("proposed");
    assert_eq!(street.shop.effects(), 0);
}

/// OPS-3.2-1 OPS-3.2-2
#[tokio::test]
async fn every_session_of_the_same_agent_user_and_account_may_read_confirm_and_cancel() {
    let street = Street::on_sqlite().await;
    let first = street.ada();
    let (confirmed, cancelled) = (street.propose(&first).await, {
        let json = r#"{ "item_id": "itm_other", "replacement_sku": "x" }"#;
        let proposed = street.post(&first, EXCHANGES, json).await;
        proposed.json["operation"]["operation_id"].as_str().unwrap().to_owned()
    });
    street.sessions.revoke(&first);
    let second = street.agent("ses_2", "juniper", "ada", Some("acc_ada"));
    street.read(&second, &confirmed).await.state("proposed");
    street.confirm(&second, &confirmed).await.state("succeeded");
    street.cancel(&second, &cancelled).await.state("cancelled");
}

/// OPS-3.2-3
#[tokio::test]
async fn a_signed_out_proposal_is_usable_in_its_session_only_also_after_sign_in() {
    let street = Street::on_sqlite().await;
    let signed_out = street.agent("ses_7", "juniper", "ada", None);
    let note = "https://api.example.com/orders/ord_7Hk2/gift-note";
    let proposed = street.post(&signed_out, note, r#"{"note":"Happy birthday"}"#).await;
    let id = proposed.json["operation"]["operation_id"].as_str().unwrap();
    let elsewhere = street.agent("ses_8", "juniper", "ada", None);
    street.read(&elsewhere, id).await.is(404, "operation_not_found");
    street.read(&street.ada(), id).await.is(404, "operation_not_found");
    street.read(&signed_out, id).await.state("proposed");
    let signed_in = street.agent("ses_7", "juniper", "ada", Some("acc_ada"));
    street.confirm(&signed_in, id).await.state("succeeded");
}

/// OPS-3.2-4
#[tokio::test]
async fn the_proposing_session_is_told_to_sign_in_when_it_has_signed_out() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    for account in [None, Some("acc_other")] {
        street.sessions.change(&ada, |session| {
            let bare = pap_runtime::Session::new(session.id(), session.client(), session.user())
                .bound_to(ada.key().thumbprint())
                .with_extensions(
                    [("operations".to_owned(), pap_runtime::ExtensionDescriptor::new("1"))].into(),
                );
            match account {
                Some(account) => bare.signed_in(account, ["orders:write"]),
                None => bare,
            }
        });
        let read = street.read(&ada, &id).await;
        read.is(403, "sign_in_required");
        assert!(!read.text.contains("Jacket"));
        street.confirm(&ada, &id).await.is(403, "sign_in_required");
        street.cancel(&ada, &id).await.is(403, "sign_in_required");
    }
    assert_eq!(street.shop.effects(), 0);
}

/// OPS-3.2-5 OPS-6-1
#[tokio::test]
async fn an_operation_is_readable_in_every_state() {
    let street = Street::on_sqlite().await;
    let ada = street.ada();
    let id = street.propose(&ada).await;
    let proposed = street.post(&ada, EXCHANGES, JACKET).await;
    let read = street.read(&ada, &id).await;
    assert_eq!(read.json, proposed.json["operation"], "exactly as it was issued");
    street.shop.act(crate::shop::Act::HandOver);
    street.confirm(&ada, &id).await.state("in_progress");
    street.read(&ada, &id).await.state("in_progress");
    let url = format!("{OPERATIONS}/{id}");
    assert!(street.get(&ada, &url).await.json["result"].is_null());
}
