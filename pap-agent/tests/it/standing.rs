//! A permission that the User gave earlier covers every term, or nothing.

use std::time::Duration;

use pap_agent::{
    Condition, Error, Followed, NotCovered, NotSent, Proposal, Request, StandingPermission,
};
use pap_protocol::operation::ApprovedBy;
use pap_protocol::value::Money;
use serde_json::{Value, json};

use crate::company::Reply;
use crate::host::{Given, Host, ok, proposed, succeeded};

const ACCOUNT: &str = "user@example.com";

/// "Exchange the jacket of that order if it costs at most $80."
fn permission() -> StandingPermission {
    let ends = "2026-12-31T23:59:59Z".parse().unwrap();
    StandingPermission::new("example.com", ACCOUNT, "orders.exchange", ends)
        .with("/order_id", Condition::equals(&json!("ord_7Hk2")))
        .with("/item_id", Condition::equals(&json!("itm_4Qa")))
        .with("/replacement_sku", Condition::equals(&json!("stormline-insulated-m")))
        .with("/price_difference", Condition::AtMost(Money::usd("80.00").unwrap()))
}

async fn proposal_with(terms: Option<Value>) -> Proposal {
    let host = Host::start().await;
    let mut operation = proposed();
    match terms {
        Some(terms) => operation["terms"] = terms,
        None => drop(operation.as_object_mut().unwrap().remove("terms")),
    }
    host.proposal_of(&host.client(), operation).await
}

fn check(permission: &StandingPermission, proposal: &Proposal) -> Result<(), NotCovered> {
    permission.covers(proposal, Some(ACCOUNT), "2026-10-08T19:04:00Z".parse().unwrap())
}

/// OPS-5.1-3, OPS-5.1-8
#[tokio::test]
async fn a_permission_that_covers_everything_confirms_as_one() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = client.use_permission(&proposal, &Given(vec![permission()])).await.unwrap();
    assert_eq!(approval.approved_by(), ApprovedBy::StandingPermission);
    // the User was not asked
    assert!(host.screen.shown.lock().unwrap().is_empty());

    let mut done = succeeded(proposed());
    done["confirmation"]["approved_by"] = json!("standing_permission");
    host.company.will(ok(&done));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::Final(_))));
    let request = &host.company.received()[0];
    assert_eq!(request.body, r#"{"revision":1,"approved_by":"standing_permission"}"#);
}

/// OPS-5.1-4
#[tokio::test]
async fn no_permission_is_enough_where_the_users_approval_is_required() {
    let host = Host::start().await;
    let client = host.client();
    let mut operation = proposed();
    operation["user_approval_required"] = json!(true);
    let proposal = host.proposal_of(&client, operation).await;
    let refused = client.use_permission(&proposal, &Given(vec![permission()])).await;
    assert!(matches!(refused, Err(Error::NotSent(NotSent::UserApprovalRequired))));
    assert!(host.company.lines().is_empty());
}

/// OPS-5.1-8: each of these differs in one thing from what the permission covers.
#[tokio::test]
async fn a_near_miss_is_not_covered() {
    let proposal = proposal_with(Some(proposed()["terms"].clone())).await;
    assert_eq!(check(&permission(), &proposal), Ok(()));
    let near_miss = |change: &dyn Fn(&mut StandingPermission)| {
        let mut permission = permission();
        change(&mut permission);
        check(&permission, &proposal).unwrap_err()
    };
    assert_eq!(near_miss(&|given| given.company = "example.org".into()), NotCovered::Company);
    assert_eq!(near_miss(&|given| given.account = "other".into()), NotCovered::Account);
    assert_eq!(near_miss(&|given| given.action = "orders.cancel".into()), NotCovered::Action);
    let ended = "2026-10-08T19:03:59Z".parse().unwrap();
    assert_eq!(near_miss(&|given| given.expires_at = ended), NotCovered::Ended);
    let signed_out = permission().covers(&proposal, None, "2026-10-08T19:04:00Z".parse().unwrap());
    assert_eq!(signed_out, Err(NotCovered::Account));
}

/// OPS-5.1-8: every term has a condition, every condition its term, and each holds.
#[tokio::test]
async fn every_term_is_covered_or_none_is() {
    let outside = |path: &str| NotCovered::Outside { path: path.into() };
    let unlisted = |path: &str| NotCovered::Unlisted { path: path.into() };
    let missing = |path: &str| NotCovered::Missing { path: path.into() };
    for (pointer, value, why) in [
        ("/item_id", json!("itm_5Qb"), outside("/item_id")),
        ("/item_id", json!(["itm_4Qa"]), outside("/item_id/0")),
        ("/item_id", json!({ "id": "itm_4Qa" }), outside("/item_id/id")),
        ("/price_difference/amount", json!("80.01"), outside("/price_difference")),
        ("/price_difference/amount", json!(70), outside("/price_difference/amount")),
        ("/price_difference/currency", json!("EUR"), outside("/price_difference")),
        ("/price_difference", json!("70.00"), outside("/price_difference")),
        ("/price_difference", json!(null), outside("/price_difference")),
        ("/price_difference/tip", json!("5.00"), outside("/price_difference/amount")),
        ("/gift_wrap", json!(false), unlisted("/gift_wrap")),
        ("/gift_wrap", json!(null), unlisted("/gift_wrap")),
        ("/item_ids", json!("itm_4Qa"), unlisted("/item_ids")),
        ("/fees", json!([{ "amount": "5.00", "currency": "USD" }]), unlisted("/fees/0")),
    ] {
        let mut terms = proposed()["terms"].clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        terms.pointer_mut(parent).unwrap()[name] = value;
        let proposal = proposal_with(Some(terms)).await;
        assert_eq!(check(&permission(), &proposal), Err(why), "{pointer}");
    }
    let mut terms = proposed()["terms"].clone();
    terms.as_object_mut().unwrap().remove("item_id");
    let proposal = proposal_with(Some(terms)).await;
    assert_eq!(check(&permission(), &proposal), Err(missing("/item_id")));
    for nothing in [None, Some(json!({}))] {
        let proposal = proposal_with(nothing).await;
        assert!(check(&permission(), &proposal).is_err());
    }
}

/// OPS-5.1-8: what is equal is equal however it is written.
#[tokio::test]
async fn limits_include_their_ends_and_a_condition_can_hold_for_a_whole_object() {
    let mut terms = proposed()["terms"].clone();
    terms["price_difference"]["amount"] = json!("80.00");
    assert_eq!(check(&permission(), &proposal_with(Some(terms)).await), Ok(()));

    let address = json!({ "street": "Main Street 1", "lines": [1, { "deep": true }] });
    let mut terms = proposed()["terms"].clone();
    terms["address"] = address.clone();
    let whole = permission().with("/address", Condition::equals(&address));
    assert_eq!(check(&whole, &proposal_with(Some(terms.clone())).await), Ok(()));
    terms["address"]["lines"][1]["deeper"] = json!(1);
    assert!(check(&whole, &proposal_with(Some(terms)).await).is_err());
}

/// OPS-5.1-8: it is still in effect, and still for the same account, when it is used.
#[tokio::test]
async fn a_permission_that_ends_before_the_confirm_confirms_nothing() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let mut permission = permission();
    permission.expires_at = "2026-10-08T19:05:00Z".parse().unwrap();
    let approval = client.use_permission(&proposal, &Given(vec![permission])).await.unwrap();
    host.clock.advance(Duration::from_secs(61));
    let refused = client.confirm(approval).await;
    let Err(Error::NotSent(NotSent::NotCovered(NotCovered::Ended))) = refused else {
        panic!("{refused:?}")
    };
    assert!(host.company.lines().is_empty());
}

#[tokio::test]
async fn a_token_of_another_account_does_not_confirm_by_permission() {
    let host = Host::start().await;
    let agent = host.builder().build().unwrap();
    let client = host.client_of(&agent);
    let proposal = host.proposal(&client).await;
    let approval = client.use_permission(&proposal, &Given(vec![permission()])).await.unwrap();
    let wallet = crate::host::Wallet { account: "other@example.com", ..host.wallet.clone() };
    let document = crate::host::discovery().to_string();
    let switched = agent.negotiate("example.com", document.as_bytes(), wallet).unwrap();
    let refused = switched.confirm(approval).await;
    assert!(matches!(refused, Err(Error::NotSent(NotSent::TokenForOtherAccount))), "{refused:?}");
    assert!(host.company.lines().is_empty());
}

/// OPS-5.1-9: a new revision is covered by itself or not at all.
#[tokio::test]
async fn a_new_revision_is_checked_anew() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let given = Given(vec![permission()]);
    let approval = client.use_permission(&proposal, &given).await.unwrap();
    let mut dearer = crate::host::revised();
    dearer["terms"]["price_difference"]["amount"] = json!("95.00");
    let body = json!({ "error": "terms_changed", "operation": dearer });
    host.company.will(Reply::json(409, &body));
    let Err(Error::TermsChanged(changed)) = client.confirm(approval).await else { panic!() };
    let Followed::Proposed(current) = changed.current else { panic!() };
    let refused = client.use_permission(&current, &given).await;
    let Err(Error::NotSent(NotSent::NotCovered(NotCovered::Outside { path }))) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(path, "/price_difference");
}

#[tokio::test]
async fn without_a_name_for_the_action_nothing_is_covered() {
    let host = Host::start().await;
    let client = host.client();
    host.company.will(Reply::json(202, &json!({ "operation": proposed() })));
    let request = Request::post("https://api.example.com/orders/ord_7Hk2/exchanges").unwrap();
    let pap_agent::Asked::Proposed(proposal) = client.ask(&request).await.unwrap() else {
        panic!()
    };
    let refused = client.use_permission(&proposal, &Given(vec![permission()])).await;
    let Err(Error::NotSent(NotSent::NotCovered(why))) = refused else { panic!("{refused:?}") };
    assert_eq!(why, NotCovered::Action);
    let refused = client.use_permission(&proposal, &Given(vec![])).await;
    let Err(Error::NotSent(NotSent::NotCovered(why))) = refused else { panic!("{refused:?}") };
    assert_eq!(why, NotCovered::NoPermission);
}
