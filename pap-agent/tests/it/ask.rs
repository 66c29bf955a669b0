//! Asking: an operation, an ordinary answer, or no; and never the same action twice.

use std::time::Duration;

use pap_agent::{Asked, Error, Followed, NotSent, Request, Unreadable};
use pap_protocol::operation::State;
use serde_json::json;

use crate::company::Reply;
use crate::host::{
    CANCEL, Host, READ, ended, exchange, id, in_progress, ok, proposed, refusal, revised, succeeded,
};

const ASK: &str = "POST /orders/ord_7Hk2/exchanges";

#[tokio::test]
async fn the_request_is_the_same_as_without_the_extension() {
    let host = Host::start().await;
    let client = host.client();
    host.company.will(Reply::json(202, &json!({ "operation": proposed() })));
    let asked = client.ask(&exchange()).await.unwrap();
    assert!(matches!(asked, Asked::Proposed(_)));

    let request = &host.company.received()[0];
    assert_eq!(request.line(), ASK);
    let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(body, json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" }));
    assert_eq!(request.header("idempotency-key").unwrap().len(), 36);
}

#[tokio::test]
async fn an_ordinary_answer_is_handed_on() {
    let host = Host::start().await;
    let client = host.client();
    host.company.will(Reply::json(200, &json!({ "placed": true })));
    let Asked::Done(reply) = client.ask(&exchange()).await.unwrap() else { panic!() };
    assert_eq!((reply.status, reply.body.as_slice()), (200, br#"{"placed":true}"#.as_slice()));

    // an API has its own reasons for 202
    host.company.will(Reply::json(202, &json!({ "queued": true })));
    assert!(matches!(client.ask(&exchange()).await, Ok(Asked::Done(_))));
    assert!(client.open().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_refusal_is_a_value_with_what_is_needed() {
    let host = Host::start().await;
    let client = host.client();
    let body = json!({ "error": "extension_required", "extension": "operations", "new": [1] });
    host.company.will(Reply::json(403, &body));
    let Asked::Refused(refused) = client.ask(&exchange()).await.unwrap() else { panic!() };
    assert_eq!((refused.status, refused.body.error.as_str()), (403, "extension_required"));
    assert_eq!(refused.body.extension.as_deref(), Some("operations"));
}

#[tokio::test]
async fn a_refusal_of_the_apis_own_is_handed_on_and_a_broken_gateway_is_an_error() {
    let host = Host::start().await;
    let client = host.client();
    host.company.will(Reply::json(422, &json!({ "errors": ["no such item"] })));
    let Asked::RefusedByApi(reply) = client.ask(&exchange()).await.unwrap() else { panic!() };
    assert_eq!((reply.status, reply.body.len()), (422, 27));
    host.company.will(Reply::text(502, "text/html", "<h1>Bad Gateway</h1>"));
    let refused = client.ask(&exchange()).await;
    assert!(matches!(refused, Err(Error::Unreadable(Unreadable::NotJson { status: 502 }))));
}

#[tokio::test]
async fn a_proposal_that_is_not_as_specified_is_no_ordinary_answer() {
    let host = Host::start().await;
    let client = host.client();
    let mut broken = proposed();
    broken["state"] = json!("done");
    host.company.will(Reply::json(202, &json!({ "operation": broken })));
    let refused = client.ask(&exchange()).await;
    assert!(matches!(refused, Err(Error::Unreadable(Unreadable::NotAsSpecified { .. }))));

    let twice = format!(r#"{{"operation":{0},"operation":{0}}}"#, proposed());
    host.company.will(Reply::text(202, "application/json", twice));
    let refused = client.ask(&exchange()).await;
    assert!(matches!(refused, Err(Error::Unreadable(Unreadable::NotAsSpecified { .. }))));
}

/// OPS-6-9
#[tokio::test]
async fn an_action_is_not_asked_for_again_while_its_operation_is_open() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;

    let check_refused = async || {
        let Err(Error::NotSent(NotSent::StillOpen(open))) = client.ask(&exchange()).await else {
            panic!("not refused")
        };
        assert_eq!(open.operation_id, id());
        assert!(host.company.lines().is_empty());
    };
    check_refused().await;

    let approval = host.approval(&client, &proposal).await;
    host.company.will(ok(&in_progress(proposed())).with("Retry-After", "5"));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::InProgress(_))));
    host.company.lines();
    check_refused().await;

    host.company.will(ok(&succeeded(proposed())));
    let followed = client.follow(&id(), Duration::from_secs(60)).await.unwrap();
    assert!(matches!(followed, Followed::Final(_)));
    assert_eq!(host.company.lines(), [READ]);
    host.company.will(Reply::json(200, &json!({})));
    assert!(matches!(client.ask(&exchange()).await, Ok(Asked::Done(_))));
}

/// OPS-6-9
#[tokio::test]
async fn another_action_can_be_asked_for_meanwhile() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    // another size: the Company revises the same operation
    let other = Request::post("https://api.example.com/orders/ord_7Hk2/exchanges").unwrap();
    let other = other.json(&json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-l" }));
    host.company.will(Reply::json(202, &json!({ "operation": revised() })));
    let Asked::Proposed(proposal) = client.ask(&other).await.unwrap() else { panic!() };
    assert_eq!(proposal.revision().get(), 2);

    let open = client.open().await.unwrap();
    assert_eq!((open.len(), open[0].actions.len(), open[0].revision.get()), (1, 2, 2));
}

/// OPS-3-25, OPS-6-9
#[tokio::test]
async fn after_a_final_state_the_action_is_proposed_anew() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.company.will(ok(&ended(proposed(), "cancelled", "Nothing was changed.")));
    let cancelled = client.cancel(&id()).await.unwrap();
    assert!(matches!(cancelled, Followed::Final(_)));
    assert_eq!(host.company.lines(), [CANCEL]);

    let mut anew = proposed();
    anew["operation_id"] = json!("exc_6Vw1");
    let proposal = host.proposal_of(&client, anew).await;
    assert_eq!(proposal.operation_id().as_str(), "exc_6Vw1");
}

/// OPS-6-9: what is past its time is read before it is replaced.
#[tokio::test]
async fn a_proposal_past_its_time_stands_in_the_way_until_the_company_says_so() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.clock.advance(Duration::from_secs(16 * 60 + 1));

    // the Company's clock is behind
    host.company.will(ok(&proposed()));
    let refused = client.ask(&exchange()).await;
    assert!(matches!(refused, Err(Error::NotSent(NotSent::StillOpen(_)))));
    assert_eq!(host.company.lines(), [READ]);

    host.company.will(ok(&ended(proposed(), "expired", "Nothing was done.")));
    let mut anew = proposed();
    anew["operation_id"] = json!("exc_6Vw1");
    host.company.will(Reply::json(202, &json!({ "operation": anew })));
    assert!(matches!(client.ask(&exchange()).await, Ok(Asked::Proposed(_))));
    assert_eq!(host.company.lines(), [READ, ASK]);
}

/// OPS-6-9: the company is asked once, also by two tasks.
#[tokio::test]
async fn two_tasks_do_not_ask_for_one_action_at_the_same_time() {
    let host = Host::start().await;
    let (client, request) = (host.client(), exchange());
    host.company.will(Reply::json(202, &json!({ "operation": proposed() })));
    let (first, second) = tokio::join!(client.ask(&request), client.ask(&request));
    assert!(matches!(first, Ok(Asked::Proposed(_))), "{first:?}");
    assert!(matches!(second, Err(Error::NotSent(NotSent::BeingAsked))), "{second:?}");
}

#[tokio::test]
async fn a_company_may_answer_with_an_operation_that_is_underway() {
    let host = Host::start().await;
    let client = host.client();
    host.company.will(Reply::json(202, &json!({ "operation": in_progress(proposed()) })));
    let asked = client.ask(&exchange()).await.unwrap();
    assert!(matches!(asked, Asked::Underway(Followed::InProgress(_))), "{asked:?}");
    assert_eq!(client.open().await.unwrap()[0].state, State::InProgress);
}

/// OPS-4-2: an operation from a conversation or a tool is confirmed at the same endpoint.
#[tokio::test]
async fn an_operation_from_another_channel_is_confirmed_at_the_endpoint() {
    let host = Host::start().await;
    let client = host.client();
    let message = proposed().to_string();
    let received = client.receive(message.as_bytes(), None).await.unwrap();
    let Followed::Proposed(proposal) = received else { panic!("{received:?}") };
    let approval = host.approval(&client, &proposal).await;
    host.company.will(ok(&succeeded(proposed())));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::Final(_))));
    assert_eq!(host.company.lines(), ["POST /poppy/operations/exc_5Rt2/confirm"]);
}

#[tokio::test]
async fn an_old_message_is_no_news_and_says_nothing_about_what_was_confirmed() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal_of(&client, revised()).await;
    // the message with revision 1 was not read before: what counts is at the endpoint
    host.company.will(ok(&revised()));
    let received = client.receive(proposed().to_string().as_bytes(), None).await.unwrap();
    let Followed::Proposed(proposal) = received else { panic!("{received:?}") };
    assert_eq!(proposal.revision().get(), 2);

    host.company.will(ok(&revised()));
    let done = succeeded(revised()).to_string();
    let received = client.receive(done.as_bytes(), None).await.unwrap();
    assert!(matches!(received, Followed::Proposed(_)), "{received:?}");
    assert_eq!(host.company.lines(), [READ, READ]);

    // while the Company wants to be left alone, the message is answered from memory
    host.company.will(ok(&in_progress(revised())).with("Retry-After", "600"));
    assert!(matches!(client.read(&id()).await, Ok(Followed::InProgress(_))));
    host.company.lines();
    let received = client.receive(proposed().to_string().as_bytes(), None).await.unwrap();
    assert!(matches!(received, Followed::InProgress(_)), "{received:?}");
    assert!(host.company.lines().is_empty());

    let nothing = client.receive(b"{ \"operation_id\": \"a/b\" }", None).await;
    assert!(matches!(nothing, Err(Error::NotSent(NotSent::NotAnOperation(_)))));
}

#[tokio::test]
async fn a_session_token_is_sent_to_the_company_alone() {
    let host = Host::start().await;
    let client = host.client();
    for url in [
        "https://evil.example/orders",
        "https://notexample.com/",
        "https://example.com.evil.example/",
    ] {
        let refused = client.ask(&Request::post(url).unwrap()).await;
        assert!(matches!(refused, Err(Error::NotSent(NotSent::OutsideCompany { .. }))), "{url}");
    }
    assert!(Request::post("http://api.example.com/orders").is_err());
    assert!(host.wallet.requested.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_same_request_again_after_a_lost_answer_has_the_same_idempotency_key() {
    let host = Host::start().await;
    let (client, request) = (host.client(), exchange());
    host.company.will(crate::company::Step::Drop);
    assert!(matches!(client.ask(&request).await, Err(Error::Unanswered(_))));
    host.company.will(refusal(403, "sign_in_required"));
    assert!(matches!(client.ask(&request).await, Ok(Asked::Refused(_))));
    let received = host.company.received();
    let keys: Vec<_> = received.iter().map(|request| request.header("idempotency-key")).collect();
    assert_eq!((keys.len(), keys[0]), (2, keys[1]));
}
