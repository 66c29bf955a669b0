//! A lost confirm is found out about by the same operation id, and nothing is asked for anew.

use std::time::Duration;

use pap_agent::{Error, Followed, NotSent, Unanswered, Unreadable};
use serde_json::json;

use crate::company::{Reply, Step};
use crate::host::{CONFIRM, Host, exchange, in_progress, ok, proposed, refusal, succeeded};

/// What a lost answer looks like.
fn losses() -> Vec<(&'static str, Step)> {
    let done = ok(&succeeded(proposed())).bytes();
    let half = done[..done.len() - 20].to_vec();
    let cut = succeeded(proposed()).to_string();
    let twice = cut.replacen("\"revision\":1", "\"revision\":1,\"revision\":1", 1);
    assert_ne!(twice, cut);
    let mut other = succeeded(proposed());
    other["operation_id"] = json!("exc_other");
    let huge = json!({ "padding": "x".repeat(300 * 1024) }).to_string();
    vec![
        ("dropped", Step::Drop),
        ("out of time", Step::Hang),
        ("cut off on the wire", Step::Bytes(half)),
        ("not HTTP", Step::Bytes(b"SSH-2.0-OpenSSH_9.6\r\n".to_vec())),
        ("502 in HTML", Reply::text(502, "text/html", "<h1>Bad Gateway</h1>").into()),
        ("404 in HTML", Reply::text(404, "text/html", "<h1>Not Found</h1>").into()),
        ("500 in JSON", refusal(500, "internal_error").into()),
        ("503", refusal(503, "temporarily_unavailable").into()),
        ("429", refusal(429, "rate_limited").into()),
        ("JSON cut off", Reply::text(200, "application/json", &cut[..cut.len() - 9]).into()),
        ("wrong media type", Reply::text(200, "text/plain", cut.clone()).into()),
        ("duplicate members", Reply::text(200, "application/json", twice).into()),
        ("another operation", ok(&other).into()),
        ("too large", Reply::text(200, "application/json", huge).into()),
        ("a redirect", Reply::text(307, "text/plain", "").with("Location", "/elsewhere").into()),
    ]
}

/// OPS-6-8
#[tokio::test]
async fn a_lost_confirm_is_confirmed_again_by_the_same_id() {
    for (name, loss) in losses() {
        let host = Host::start().await;
        let client = host.client();
        let proposal = host.proposal(&client).await;
        let approval = host.approval(&client, &proposal).await;
        host.company.will(loss);
        host.company.will(ok(&succeeded(proposed())));
        let followed = client.confirm(approval).await;
        assert!(matches!(followed, Ok(Followed::Final(_))), "{name}: {followed:?}");

        let received = host.company.received();
        let bodies: Vec<_> = received.iter().map(|request| request.body.as_str()).collect();
        assert_eq!(bodies, [r#"{"revision":1,"approved_by":"user"}"#; 2], "{name}");
        // the script checks that no proof is used twice
        assert_ne!(received[0].header("dpop"), received[1].header("dpop"), "{name}");
        assert_eq!(host.company.lines(), [CONFIRM, CONFIRM], "{name}");
        assert!(client.open().await.unwrap().is_empty(), "{name}");
    }
}

/// OPS-6-8, OPS-6-9
#[tokio::test]
async fn what_stays_unknown_stays_open_and_is_not_asked_for_again() {
    for (name, loss) in losses() {
        let host = Host::start().await;
        let builder = host.builder().recover_within(Duration::ZERO);
        let client = host.client_of(&builder.build().unwrap());
        let proposal = host.proposal(&client).await;
        let approval = host.approval(&client, &proposal).await;
        host.company.will(loss);
        let unknown = client.confirm(approval).await;
        assert!(matches!(unknown, Err(Error::OutcomeUnknown { .. })), "{name}: {unknown:?}");
        assert_eq!(host.company.lines(), [CONFIRM], "{name}");

        let refused = client.ask(&exchange()).await;
        let Err(Error::NotSent(NotSent::StillOpen(open))) = refused else {
            panic!("{name}: {refused:?}")
        };
        assert_eq!(open.confirm.unwrap().revision.get(), 1, "{name}");
        // by the same id it is found out later
        host.company.will(ok(&succeeded(proposed())));
        let followed = client.follow(&open.operation_id, Duration::from_secs(60)).await;
        assert!(matches!(followed, Ok(Followed::Final(_))), "{name}: {followed:?}");
    }
}

#[tokio::test]
async fn the_reason_is_in_the_chain_of_sources() {
    let host = Host::start().await;
    let builder = host.builder().recover_within(Duration::ZERO);
    let client = host.client_of(&builder.build().unwrap());
    let proposal = host.proposal(&client).await;
    for (loss, expected) in [
        (Step::Hang, "the Company did not answer in time"),
        (Step::Drop, "the connection ended before the Company's answer did"),
        (
            Reply::text(502, "text/html", "<h1>").into(),
            "the Company's answer (status 502) is not JSON",
        ),
    ] {
        let approval = host.approval(&client, &proposal).await;
        host.company.will(loss);
        let error = client.confirm(approval).await.unwrap_err();
        assert!(std::error::Error::source(&error).unwrap().to_string() == expected, "{error:?}");
    }
}

#[tokio::test]
async fn a_company_that_cannot_be_reached_is_told_from_one_that_broke_off() {
    let host = Host::start().await;
    let unused = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = unused.local_addr().unwrap();
    drop(unused);
    let builder = host.builder().dial("api.example.com", nobody);
    let client = host.client_of(&builder.build().unwrap());
    let unreachable = client.ask(&exchange()).await;
    let Err(Error::Unanswered(Unanswered::Unreachable(_))) = unreachable else {
        panic!("{unreachable:?}")
    };
}

/// OPS-6-8: waiting is as long as the Company says, and grows by itself otherwise.
#[tokio::test]
async fn retries_wait_for_retry_after_and_longer_each_time() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(refusal(503, "temporarily_unavailable").with("Retry-After", "17"));
    host.company.will(refusal(429, "rate_limited").with("Retry-After", "0"));
    host.company.will(Step::Drop);
    host.company.will(Step::Drop);
    host.company.will(ok(&in_progress(proposed())));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::InProgress(_))));
    assert_eq!(host.clock.slept_s(), [17, 1, 4, 8]);
}

/// OPS-6-8: the refusal of a retry does not say what became of the first attempt.
#[tokio::test]
async fn a_refused_retry_leaves_the_confirm_begun() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(Step::Drop);
    host.company.will(refusal(403, "insufficient_scope"));
    assert!(matches!(client.confirm(approval).await, Err(Error::Refused(_))));
    assert!(client.open().await.unwrap()[0].confirm.is_some());
}

#[tokio::test]
async fn an_answer_as_if_nothing_was_confirmed_is_not_believed() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(ok(&proposed()));
    let Err(Error::OutcomeUnknown { source, .. }) = client.confirm(approval).await else {
        panic!()
    };
    assert!(matches!(*source, Error::Unreadable(Unreadable::StillProposed)));
    assert!(client.open().await.unwrap()[0].confirm.is_some());
}
