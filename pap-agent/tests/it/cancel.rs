//! Declining, stopping, and taking an approval back.

use std::time::Duration;

use pap_agent::{Error, Followed};
use serde_json::json;

use crate::company::Step;
use crate::host::{
    CANCEL, CONFIRM, Host, READ, ended, id, in_progress, ok, proposed, refusal, succeeded,
};

/// OPS-7-1, OPS-5.2-14
#[tokio::test]
async fn a_cancel_is_what_section_7_shows() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.company.will(ok(&ended(proposed(), "cancelled", "Nothing was changed.")));
    let Followed::Final(outcome) = client.cancel(&id()).await.unwrap() else { panic!() };
    assert_eq!((outcome.state.as_str(), outcome.confirmation), ("cancelled", None));
    let request = &host.company.received()[0];
    assert_eq!((request.line().as_str(), request.body.as_str()), (CANCEL, ""));
    assert!(client.open().await.unwrap().is_empty());
}

/// OPS-5.2-14
#[tokio::test]
async fn what_is_in_progress_is_followed_after_the_cancel() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(ok(&in_progress(proposed())).with("Retry-After", "5"));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::InProgress(_))));
    // cancelling does not wait for the time to read
    host.company.will(ok(&in_progress(proposed())).with("Retry-After", "5"));
    assert!(matches!(client.cancel(&id()).await, Ok(Followed::InProgress(_))));
    let stopped = "The exchange was stopped. $70.00 was charged and refunded.";
    host.company.will(ok(&ended(in_progress(proposed()), "cancelled", stopped)));
    let followed = client.follow(&id(), Duration::from_secs(60)).await.unwrap();
    let Followed::Final(outcome) = followed else { panic!("{followed:?}") };
    assert_eq!(outcome.said.verbatim(), stopped);
    assert_eq!(host.company.lines(), [CONFIRM, CANCEL, READ]);
}

#[tokio::test]
async fn a_lost_cancel_is_sent_again_and_a_final_operation_comes_back_as_it_is() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.company.will(Step::Drop);
    host.company.will(Step::Hang);
    host.company.will(ok(&succeeded(proposed())));
    let Followed::Final(outcome) = client.cancel(&id()).await.unwrap() else { panic!() };
    assert_eq!(outcome.state.as_str(), "succeeded");
    assert_eq!(host.company.lines(), [CANCEL, CANCEL, CANCEL]);

    host.company.will(refusal(404, "operation_not_found"));
    assert!(matches!(client.cancel(&id()).await, Err(Error::Refused(_))));
}

#[tokio::test]
async fn an_answer_as_if_nothing_was_cancelled_is_not_believed() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.company.will(ok(&proposed()));
    assert!(matches!(client.cancel(&id()).await, Err(Error::OutcomeUnknown { .. })));
}

/// OPS-7-6
#[tokio::test]
async fn an_approval_withdrawn_before_the_confirm_confirms_nothing() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;

    let approval = host.approval(&client, &proposal).await;
    approval.withdraw();

    let approval = host.approval(&client, &proposal).await;
    let withdrawal = approval.withdrawal();
    assert!(matches!(client.withdraw(&withdrawal).await, Ok(Followed::NotConfirmed)));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::NotConfirmed)));
    assert!(host.company.lines().is_empty());
    assert!(client.open().await.unwrap()[0].confirm.is_none());
}

/// OPS-7-7
#[tokio::test]
async fn an_approval_withdrawn_after_the_confirm_cancels() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    let withdrawal = approval.withdrawal();
    host.company.will(ok(&in_progress(proposed())).with("Retry-After", "5"));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::InProgress(_))));
    host.company.will(ok(&ended(in_progress(proposed()), "cancelled", "Stopped in time.")));
    assert!(matches!(client.withdraw(&withdrawal).await, Ok(Followed::Final(_))));
    assert_eq!(host.company.lines(), [CONFIRM, CANCEL]);
}

/// OPS-7-7: while a lost confirm waits to be sent again.
#[tokio::test]
async fn an_approval_withdrawn_between_retries_is_not_confirmed_again() {
    let host = Host::start().await;
    let client = std::sync::Arc::new(host.client());
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    let withdrawal = approval.withdrawal();
    host.clock.hold_sleepers();
    host.company.will(Step::Drop);
    let confirming = tokio::spawn({
        let client = std::sync::Arc::clone(&client);
        async move { client.confirm(approval).await }
    });
    host.clock.somebody_sleeps().await;
    check_cancels(&host, &client, &withdrawal, confirming).await;
}

/// OPS-7-7: while the confirm is on its way.
#[tokio::test]
async fn an_approval_withdrawn_while_the_confirm_is_on_its_way_cancels() {
    let host = Host::start().await;
    let client = std::sync::Arc::new(host.client());
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    let withdrawal = approval.withdrawal();
    host.company.will(Step::HoldOn);
    let confirming = tokio::spawn({
        let client = std::sync::Arc::clone(&client);
        async move { client.confirm(approval).await }
    });
    while host.company.received().is_empty() {
        tokio::task::yield_now().await;
    }
    check_cancels(&host, &client, &withdrawal, confirming).await;
}

async fn check_cancels(
    host: &Host,
    client: &pap_agent::OperationsClient,
    withdrawal: &pap_agent::Withdrawal,
    confirming: tokio::task::JoinHandle<Result<Followed, Error>>,
) {
    let cancelled = ended(in_progress(proposed()), "cancelled", "Stopped in time.");
    // who withdraws and who confirms both cancel: it is the same operation
    host.company.will(ok(&cancelled));
    host.company.will(ok(&cancelled));
    let withdrawn = client.withdraw(withdrawal).await.unwrap();
    assert!(matches!(withdrawn, Followed::Final(_)), "{withdrawn:?}");
    let confirmed = confirming.await.unwrap().unwrap();
    let Followed::Final(outcome) = confirmed else { panic!("{confirmed:?}") };
    assert_eq!(outcome.state.as_str(), "cancelled");
    assert_eq!(host.company.lines(), [CONFIRM, CANCEL, CANCEL]);
}

#[tokio::test]
async fn a_withdrawal_is_for_its_own_company() {
    let host = Host::start().await;
    let agent = host.builder().build().unwrap();
    let client = host.client_of(&agent);
    let proposal = host.proposal(&client).await;
    let withdrawal = host.approval(&client, &proposal).await.withdrawal();
    let mut document = crate::host::discovery();
    document["organization"]["domain"] = json!("other.example");
    let document = document.to_string();
    let other = agent.negotiate("other.example", document.as_bytes(), host.wallet.clone()).unwrap();
    assert!(matches!(other.withdraw(&withdrawal).await, Err(Error::NotSent(_))));
}
