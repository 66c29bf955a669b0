//! Tokens and proofs: the right token for the place, a new proof each time.

use std::sync::Arc;

use pap_agent::{Error, Followed, NotSent};
use pap_protocol::dpop::{Expected, ProofRefused, verify};
use serde_json::json;

use crate::company::Reply;
use crate::host::{
    CONFIRM, Host, READ, TOKEN, discovery, exchange, id, ok, proposed, refusal, succeeded,
};

const RESOURCE: &str = "https://api.example.com/poppy/operations";

/// OPS-2-7
#[tokio::test]
async fn a_restricted_endpoint_gets_a_token_that_was_issued_for_it() {
    let host = Host::start().await;
    let mut document = discovery();
    document["extensions"]["operations"]["resource"] = json!(RESOURCE);
    let document = document.to_string();
    let agent = host.builder().build().unwrap();
    let client = agent.negotiate("example.com", document.as_bytes(), host.wallet.clone()).unwrap();
    assert_eq!(client.company().resource(), Some(RESOURCE));
    let proposal = host.proposal(&client).await;
    host.company.will(ok(&proposed()));
    assert!(client.read(&id()).await.is_ok());
    let requested = std::mem::take(&mut *host.wallet.requested.lock().unwrap());
    assert_eq!(requested, [None, Some(RESOURCE.to_owned())]);

    // a source that does not honour it: nothing is sent
    let wallet = crate::host::Wallet { ignores_resource: true, ..host.wallet.clone() };
    let careless = agent.negotiate("example.com", document.as_bytes(), wallet).unwrap();
    let approval = host.approval(&careless, &proposal).await;
    host.company.lines();
    let refused = careless.confirm(approval).await;
    let Err(Error::NotSent(NotSent::TokenForOtherResource { wanted })) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(wanted.as_deref(), Some(RESOURCE));
    assert!(host.company.lines().is_empty());
    assert!(careless.open().await.unwrap()[0].confirm.is_none());
}

#[tokio::test]
async fn a_wanted_nonce_is_put_into_the_next_proof_once() {
    let host = Host::start().await;
    let client = host.client();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(refusal(401, "use_dpop_nonce").with("DPoP-Nonce", "nonce-1"));
    host.company.will(ok(&succeeded(proposed())).with("DPoP-Nonce", "nonce-2"));
    assert!(matches!(client.confirm(approval).await, Ok(Followed::Final(_))));
    assert!(host.clock.slept_s().is_empty());

    // the next proof has the newest nonce by itself
    host.company.will(ok(&succeeded(proposed())));
    assert!(client.read(&id()).await.is_ok());
    let received = host.company.received();
    let thumbprint = host.wallet.thumbprint();
    let has = |at: usize, nonce: &str| {
        let request = &received[at];
        let url = format!("https://api.example.com{}", request.target);
        let expected = Expected {
            method: &request.method,
            url: &url,
            access_token: Some(TOKEN),
            thumbprint: Some(&thumbprint),
            now: request.at.as_millis() / 1000,
            nonce: Some(nonce),
        };
        verify(request.header("dpop").unwrap(), expected).map(drop)
    };
    assert_eq!(has(0, "nonce-1"), Err(ProofRefused::Nonce));
    assert_eq!(has(1, "nonce-1"), Ok(()));
    assert_eq!(has(2, "nonce-2"), Ok(()));
    assert_eq!(host.company.lines(), [CONFIRM, CONFIRM, READ]);
}

#[tokio::test]
async fn a_company_that_is_never_content_with_a_nonce_is_not_asked_for_ever() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.company.will(refusal(401, "use_dpop_nonce").with("DPoP-Nonce", "nonce-1"));
    host.company.will(refusal(401, "use_dpop_nonce").with("DPoP-Nonce", "nonce-2"));
    assert!(matches!(client.read(&id()).await, Err(Error::Refused(_))));
    // and without a nonce there is nothing to do again
    host.company.will(refusal(401, "use_dpop_nonce"));
    assert!(matches!(client.read(&id()).await, Err(Error::Refused(_))));
    assert_eq!(host.company.lines(), [READ, READ, READ]);
}

#[tokio::test]
async fn a_refused_token_is_replaced_once_if_there_is_another() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    host.company.will(refusal(401, "invalid_token"));
    let refused = client.read(&id()).await;
    assert!(matches!(refused, Err(Error::Refused(_))), "{refused:?}");
    assert_eq!(host.company.lines(), [READ]);

    let wallet = crate::host::Wallet { replacement: Some("sat_newer"), ..host.wallet.clone() };
    let document = discovery().to_string();
    let agent = host.builder().build().unwrap();
    let renewing = agent.negotiate("example.com", document.as_bytes(), wallet).unwrap();
    host.company.will(refusal(401, "invalid_token"));
    host.company.will(ok(&proposed()));
    assert!(renewing.read(&id()).await.is_ok());
    let received = host.company.received();
    assert_eq!(received[1].header("authorization"), Some("DPoP sat_newer"));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let host = Host::start().await;
    let client = host.client();
    for status in [301, 302, 303, 307, 308] {
        let elsewhere = "https://api.example.com/elsewhere";
        host.company.will(Reply::text(status, "text/html", "").with("Location", elsewhere));
        let refused = client.ask(&exchange()).await;
        assert!(matches!(refused, Err(Error::Unreadable(_))), "{refused:?}");
    }
    assert_eq!(host.company.lines().len(), 5);
}

#[tokio::test]
async fn a_token_that_no_header_can_carry_is_not_sent_in_part() {
    let host = Host::start().await;
    let wallet = crate::host::Wallet { replacement: Some("two\r\nlines"), ..host.wallet.clone() };
    let document = discovery().to_string();
    let agent = host.builder().build().unwrap();
    let client = agent.negotiate("example.com", document.as_bytes(), wallet).unwrap();
    host.company.will(refusal(401, "invalid_token"));
    let refused = client.ask(&exchange()).await;
    assert!(matches!(refused, Err(Error::NotSent(NotSent::TokenNotPresentable))), "{refused:?}");
}

/// Without the allowance for tests, the same address is spoken to over TLS, and nothing in plain text.
#[tokio::test]
async fn plain_http_is_never_spoken_unless_it_was_allowed_and_on_loopback() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let first_byte = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        tokio::io::AsyncReadExt::read_u8(&mut connection).await.unwrap()
    });
    let host = Host::start().await;
    let agent = pap_agent::Agent::builder(host.screen.clone()).dial("api.example.com", address);
    let client = host.client_of(&agent.build().unwrap());
    assert!(matches!(client.ask(&exchange()).await, Err(Error::Unanswered(_))));
    // a TLS handshake record
    assert_eq!(first_byte.await.unwrap(), 22);
}

#[tokio::test]
async fn reads_at_the_same_time_each_have_their_own_proof() {
    let host = Host::start().await;
    let client = Arc::new(host.client());
    host.proposal(&client).await;
    for _ in 0..8 {
        host.company.will(ok(&proposed()));
    }
    let reads: Vec<_> = (0..8)
        .map(|_| {
            let client = Arc::clone(&client);
            tokio::spawn(async move { client.read(&id()).await })
        })
        .collect();
    for read in reads {
        assert!(matches!(read.await.unwrap(), Ok(Followed::Proposed(_))));
    }
}
