//! Reading until the end: never earlier than the Company says, and never past the caller's limit.

use std::time::Duration;

use pap_agent::{Clock, Error, Followed, InProgress, NotSent, OperationsClient};
use pap_protocol::value::Instant;

use crate::company::{Reply, Step};
use crate::host::{
    CONFIRM, Host, READ, ended, id, in_progress, ok, proposed, refusal, revised, succeeded,
};

/// Confirms, with an answer that says "in progress" and these headers.
async fn confirmed(
    host: &Host,
    client: &OperationsClient,
    retry_after: Option<&str>,
) -> InProgress {
    let proposal = host.proposal(client).await;
    let approval = host.approval(client, &proposal).await;
    let mut reply = ok(&in_progress(proposed()));
    if let Some(retry_after) = retry_after {
        reply = reply.with("Retry-After", retry_after);
    }
    host.company.will(reply);
    let followed = client.confirm(approval).await.unwrap();
    assert_eq!(host.company.lines(), [CONFIRM]);
    let Followed::InProgress(progress) = followed else { panic!("{followed:?}") };
    progress
}

fn still_in_progress(host: &Host, retry_after: &str) {
    host.company.will(ok(&in_progress(proposed())).with("Retry-After", retry_after));
}

/// OPS-1-7, OPS-5.2-11, OPS-6-3
#[tokio::test]
async fn it_is_read_until_it_is_final_and_never_too_early() {
    let host = Host::start().await;
    let client = host.client();
    confirmed(&host, &client, Some("5")).await;
    let began = host.clock.now();
    still_in_progress(&host, "7");
    still_in_progress(&host, "Thu, 08 Oct 2026 19:05:00 GMT");
    host.company.will(ok(&succeeded(proposed())));
    let followed = client.follow(&id(), Duration::from_secs(600)).await.unwrap();
    assert!(matches!(followed, Followed::Final(_)));

    let at: Vec<Instant> = host.company.received().iter().map(|request| request.at).collect();
    let after = |seconds| began.saturating_add(Duration::from_secs(seconds));
    assert_eq!(at, [after(5), after(12), "2026-10-08T19:05:00Z".parse().unwrap()]);
    assert_eq!(host.company.lines(), [READ, READ, READ]);
}

/// OPS-6-3: neither by following again nor by reading once.
#[tokio::test]
async fn what_the_company_asked_for_holds_for_the_next_call_too() {
    let host = Host::start().await;
    let client = host.client();
    let progress = confirmed(&host, &client, Some("600")).await;
    assert_eq!(progress.read_at, host.clock.now().saturating_add(Duration::from_secs(600)));

    let Err(Error::NotSent(NotSent::TooEarly { read_at, .. })) = client.read(&id()).await else {
        panic!("read too early")
    };
    assert_eq!(read_at, progress.read_at);
    // the limit is before that: it returns at once
    let followed = client.follow(&id(), Duration::from_secs(60)).await.unwrap();
    let Followed::InProgress(again) = followed else { panic!("{followed:?}") };
    assert_eq!(again, progress);
    assert!(host.company.lines().is_empty());
    assert!(host.clock.slept_s().is_empty());

    host.clock.advance(Duration::from_secs(600));
    host.company.will(ok(&succeeded(proposed())));
    assert!(matches!(client.read(&id()).await, Ok(Followed::Final(_))));
}

#[tokio::test]
async fn without_retry_after_the_reads_slow_down() {
    let host = Host::start().await;
    let client = host.client();
    confirmed(&host, &client, None).await;
    for _ in 0..8 {
        host.company.will(ok(&in_progress(proposed())));
    }
    let followed = client.follow(&id(), Duration::from_secs(100)).await.unwrap();
    assert!(matches!(followed, Followed::InProgress(_)));
    assert_eq!(host.clock.slept_s(), [1, 1, 2, 4, 8, 16, 30, 30]);
}

/// OPS-6-8
#[tokio::test]
async fn a_lost_read_is_read_again_and_reported_at_the_limit() {
    let host = Host::start().await;
    let client = host.client();
    confirmed(&host, &client, Some("1")).await;
    host.company.will(Step::Drop);
    host.company.will(Step::Hang);
    host.company.will(Reply::text(502, "text/html", "<h1>").with("Retry-After", "9"));
    host.company.will(ok(&succeeded(proposed())));
    let followed = client.follow(&id(), Duration::from_secs(600)).await.unwrap();
    assert!(matches!(followed, Followed::Final(_)));
    assert_eq!(host.clock.slept_s(), [1, 1, 2, 9]);

    host.company.will(Step::Drop);
    let lost = client.follow(&id(), Duration::ZERO).await;
    assert!(matches!(lost, Err(Error::Unanswered(_))), "{lost:?}");
}

#[tokio::test]
async fn a_proposal_comes_back_for_approval_and_a_refusal_as_one() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.company.will(ok(&revised()));
    let followed = client.follow(&id(), Duration::from_secs(600)).await.unwrap();
    let Followed::Proposed(proposal) = followed else { panic!("{followed:?}") };
    assert_eq!(proposal.revision().get(), 2);

    host.company.will(refusal(404, "operation_not_found"));
    let refused = client.follow(&id(), Duration::from_secs(600)).await;
    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    // not found says nothing about what happened: it stays open until the host says otherwise
    assert_eq!(client.open().await.unwrap().len(), 1);
    client.forget(&id()).await.unwrap();
    assert!(client.open().await.unwrap().is_empty());
}

/// OPS-6-11: every final state has the Company's words.
#[tokio::test]
async fn every_final_state_ends_the_following() {
    for state in ["succeeded", "failed", "cancelled"] {
        let host = Host::start().await;
        let client = host.client();
        confirmed(&host, &client, Some("1")).await;
        host.company.will(ok(&ended(in_progress(proposed()), state, "What was done.")));
        let followed = client.follow(&id(), Duration::from_secs(60)).await.unwrap();
        let Followed::Final(outcome) = followed else { panic!("{followed:?}") };
        assert_eq!((outcome.state.as_str(), outcome.said.verbatim()), (state, "What was done."));
        assert!(client.open().await.unwrap().is_empty());
    }
}

/// An answer that another one overtook is no contradiction: the newest word is asked for.
#[tokio::test]
async fn a_read_that_a_confirm_overtook_is_read_again() {
    let host = Host::start().await;
    let client = std::sync::Arc::new(host.client());
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    // the read is answered "proposed" after the confirm was answered "in progress"
    let (confirm_answered, told) = tokio::sync::oneshot::channel();
    host.company.will(Step::Later(told, ok(&proposed())));
    let reader = tokio::spawn({
        let client = std::sync::Arc::clone(&client);
        async move { client.read(&id()).await }
    });
    while host.company.received().is_empty() {
        tokio::task::yield_now().await;
    }
    host.company.will(ok(&in_progress(proposed())).with("Retry-After", "5"));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::InProgress(_))));
    host.company.will(ok(&in_progress(proposed())).with("Retry-After", "5"));
    confirm_answered.send(()).unwrap();
    let read = reader.await.unwrap();
    assert!(matches!(read, Ok(Followed::InProgress(_))), "{read:?}");
    assert_eq!(host.company.lines(), [READ, CONFIRM, READ]);
}
