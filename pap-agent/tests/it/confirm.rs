//! Confirming: exactly the approved revision, at the endpoint, and a check of what comes back.

use std::time::Duration;

use pap_agent::{Error, Followed};
use pap_protocol::refusal::ErrorCode;
use serde_json::json;

use crate::company::Reply;
use crate::host::{
    CONFIRM, Host, READ, ended, id, in_progress, ok, proposed, refusal, revised, succeeded,
};

/// OPS-5.2-1, OPS-1-6, OPS-4.3-3
#[tokio::test]
async fn a_confirm_is_what_section_5_2_shows() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(ok(&succeeded(proposed())));
    let followed = client.confirm(approval).await.unwrap();

    let request = &host.company.received()[0];
    assert_eq!(request.line(), CONFIRM);
    assert_eq!(request.body, r#"{"revision":1,"approved_by":"user"}"#);
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("idempotency-key"), None);
    let Followed::Final(outcome) = followed else { panic!("{followed:?}") };
    assert_eq!(outcome.confirmation.unwrap().revision.get(), 1);
}

/// OPS-6-11
#[tokio::test]
async fn the_result_is_the_companys_account_word_for_word() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    let said = "Not placed.\u{1b}[2J $70.00 was charged and will be refunded.";
    let mut failed = ended(in_progress(proposed()), "failed", said);
    failed["result"]["data"] = json!({ "refund_id": "rfd_1" });
    host.company.will(ok(&failed));
    let Followed::Final(outcome) = client.confirm(approval).await.unwrap() else { panic!() };
    assert_eq!(outcome.said.verbatim(), said);
    assert_eq!(outcome.data.as_ref().unwrap().get(), r#"{"refund_id":"rfd_1"}"#);
    assert_eq!(
        outcome.to_string(),
        "Example Outfitters (example.com) says (failed):\n  \
         Not placed.\\u{1b}[2J $70.00 was charged and will be refunded.\n"
    );
}

/// OPS-9-5, OPS-5.1-9
#[tokio::test]
async fn changed_terms_come_back_as_a_new_proposal_with_what_changed() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    let body = json!({ "error": "terms_changed", "operation": revised(), "more": null });
    host.company.will(Reply::json(409, &body));
    let Err(Error::TermsChanged(changed)) = client.confirm(approval).await else { panic!() };
    assert_eq!((changed.approved.get(), changed.latest.get()), (1, 2));
    let paths: Vec<_> = changed.changed.iter().map(|changed| changed.path.as_str()).collect();
    assert_eq!(paths, ["/price_difference"]);
    let (before, after) = (&changed.changed[0].before, &changed.changed[0].after);
    assert_eq!(before.as_ref().unwrap().to_string(), "70.00 USD");
    assert_eq!(after.as_ref().unwrap().to_string(), "75.00 USD");
    assert!(changed.summary_changed);
    assert!(client.open().await.unwrap()[0].confirm.is_none());

    // the old one is of no use any more, the new one takes its own approval
    let refused = client.seek_approval(&proposal).await;
    assert!(matches!(refused, Err(Error::NotSent(_))));
    let Followed::Proposed(current) = changed.current else { panic!() };
    assert_eq!(current.action(), Some("orders.exchange"));
    let approval = host.approval(&client, &current).await;
    host.company.lines();
    host.company.will(ok(&succeeded(revised())));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::Final(_))));
    let request = &host.company.received()[0];
    assert_eq!(request.body, r#"{"revision":2,"approved_by":"user"}"#);
}

#[tokio::test]
async fn the_company_cannot_change_the_terms_under_the_approved_revision() {
    for change in [
        json!({ "summary": "Exchange it, for $700.00 more." }),
        json!({ "terms": { "order_id": "ord_7Hk2" } }),
        json!({ "terms": null }),
    ] {
        let host = Host::start().await;
        let client = host.client();
        let proposal = host.proposal(&client).await;
        let approval = host.approval(&client, &proposal).await;
        let mut other = in_progress(proposed());
        for (name, value) in change.as_object().unwrap() {
            if value.is_null() {
                other.as_object_mut().unwrap().remove(name);
            } else {
                other[name] = value.clone();
            }
        }
        host.company.will(ok(&other));
        let refused = client.confirm(approval).await;
        let Err(Error::CompanyChangedTerms { operation_id, revision }) = refused else {
            panic!("{change}: {refused:?}")
        };
        assert_eq!((operation_id, revision.get()), (id(), 1));
        // it is still open: what the Company did is not known
        assert!(client.open().await.unwrap()[0].confirm.is_some());
    }
}

#[tokio::test]
async fn a_confirmation_of_another_revision_is_told() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(ok(&in_progress(revised())));
    let refused = client.confirm(approval).await;
    let Err(Error::CompanyConfirmedAnother { approved, confirmed, .. }) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!((approved.get(), confirmed.get()), (1, 2));
}

#[tokio::test]
async fn a_confirmation_that_contradicts_its_operation_is_unreadable() {
    let host = Host::start().await;
    let builder = host.builder().recover_within(Duration::ZERO);
    let client = host.client_of(&builder.build().unwrap());
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    let mut other = in_progress(proposed());
    other["confirmation"]["revision"] = json!(2);
    host.company.will(ok(&other));
    let unknown = client.confirm(approval).await;
    assert!(matches!(unknown, Err(Error::OutcomeUnknown { .. })), "{unknown:?}");
}

/// A final operation never changes, and a Company that changes one is caught.
#[tokio::test]
async fn a_final_operation_that_changes_is_caught() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(ok(&succeeded(proposed())));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::Final(_))));
    for other in [
        ended(in_progress(proposed()), "failed", "Exchange placed. $70.00 was charged."),
        ended(in_progress(proposed()), "succeeded", "Exchange placed. $75.00 was charged."),
        in_progress(proposed()),
        proposed(),
    ] {
        host.company.will(ok(&other));
        let refused = client.read(&id()).await;
        assert!(matches!(refused, Err(Error::Contradiction(_))), "{other}: {refused:?}");
    }
    host.company.will(ok(&succeeded(proposed())));
    assert!(matches!(client.read(&id()).await, Ok(Followed::Final(_))));
    assert_eq!(host.company.lines(), [CONFIRM, READ, READ, READ, READ, READ]);
}

#[tokio::test]
async fn a_refusal_leaves_nothing_begun() {
    for (status, error, code) in [
        (403, "user_approval_required", ErrorCode::UserApprovalRequired),
        (403, "insufficient_scope", ErrorCode::InsufficientScope),
        (404, "operation_not_found", ErrorCode::OperationNotFound),
        (400, "invalid_request", ErrorCode::InvalidRequest),
    ] {
        let host = Host::start().await;
        let client = host.client();
        let proposal = host.proposal(&client).await;
        let approval = host.approval(&client, &proposal).await;
        host.company.will(refusal(status, error));
        let refused = client.confirm(approval).await;
        let Err(Error::Refused(refused)) = refused else { panic!("{refused:?}") };
        assert_eq!((refused.status, refused.code()), (status, Some(code)));
        assert!(client.open().await.unwrap()[0].confirm.is_none());
        assert_eq!(host.company.lines(), [CONFIRM]);
    }
}

/// EXT-6
#[tokio::test]
async fn unknown_members_are_ignored_at_every_level() {
    let host = Host::start().await;
    let client = host.client();
    let mut operation = proposed();
    operation["action"] = json!("orders.exchange");
    let proposal = host.proposal_of(&client, operation.clone()).await;
    let approval = host.approval(&client, &proposal).await;
    let mut done = succeeded(operation);
    done["confirmation"]["by"] = json!({ "new": true });
    done["result"]["mood"] = json!("good");
    done["links"] = json!([{}]);
    host.company.will(ok(&done));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::Final(_))));
}

#[tokio::test]
async fn an_approval_is_for_the_company_that_proposed() {
    let host = Host::start().await;
    let agent = host.builder().build().unwrap();
    let client = host.client_of(&agent);
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    let mut document = crate::host::discovery();
    document["organization"]["domain"] = json!("other.example");
    let document = document.to_string();
    let other = agent.negotiate("other.example", document.as_bytes(), host.wallet.clone()).unwrap();
    let refused = other.confirm(approval).await;
    assert!(matches!(refused, Err(Error::NotSent(pap_agent::NotSent::OtherCompany))));
}
