//! Tokens, proofs, terms and summaries appear in no trace, no error and no `Debug`.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pap_agent::Followed;
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

use crate::company::{Reply, Step};
use crate::host::{
    Host, TOKEN, discovery, exchange, id, in_progress, ok, proposed, refusal, revised, succeeded,
};

/// Everything that was traced.
#[derive(Clone, Default)]
struct Traced(Arc<Mutex<Vec<u8>>>);

impl io::Write for Traced {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Traced {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

fn check_says_no_secret(what: &str, said: &str) {
    for secret in [TOKEN, "Stormline", "stormline", "70.00", "75.00", "itm_4Qa", "eyJ"] {
        assert!(!said.contains(secret), "{what} says `{secret}`:\n{said}");
    }
}

/// EXT-16: through a whole path, with everything that can be traced switched on.
#[tokio::test]
async fn traces_have_ids_and_no_secrets() {
    let traced = Traced::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(traced.clone())
        .finish();
    let _traces = tracing::subscriber::set_default(subscriber);

    let host = Host::start().await;
    let mut document = discovery();
    document["extensions"]["operations"]["note"] = json!("an extension may add members");
    let document = document.to_string();
    let agent = host.builder().build().unwrap();
    let client = agent.negotiate("example.com", document.as_bytes(), host.wallet.clone()).unwrap();
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    host.company.will(Step::Drop);
    host.company.will(refusal(401, "use_dpop_nonce").with("DPoP-Nonce", "nonce-1"));
    host.company.will(refusal(401, "invalid_token"));
    let refused = client.confirm(approval).await.unwrap_err();
    check_says_no_secret("the error", &format!("{refused:?} {refused}"));

    let approval = host.approval(&client, &proposal).await;
    let body = json!({ "error": "terms_changed", "operation": revised() });
    host.company.will(Reply::json(409, &body));
    let changed = client.confirm(approval).await.unwrap_err();
    check_says_no_secret("the error", &format!("{changed:?} {changed}"));

    let mut lie = revised();
    lie["summary"] = json!("Exchange the Stormline Jacket for nothing.");
    host.company.will(ok(&lie));
    let contradiction = client.read(&id()).await.unwrap_err();
    check_says_no_secret("the error", &format!("{contradiction:?} {contradiction}"));

    let said = String::from_utf8(traced.0.lock().unwrap().clone()).unwrap();
    check_says_no_secret("the trace", &said);
    assert!(said.contains("exc_5Rt2") && said.contains("example.com"), "{said}");
}

/// EXT-16
#[tokio::test]
async fn debug_has_ids_and_no_secrets() {
    let host = Host::start().await;
    let agent = host.builder().build().unwrap();
    let client = host.client_of(&agent);
    let proposal = host.proposal(&client).await;
    let approval = host.approval(&client, &proposal).await;
    check_says_no_secret("Request", &format!("{:?}", exchange()));
    check_says_no_secret("Agent", &format!("{agent:?} {client:?}"));
    check_says_no_secret("Proposal", &format!("{proposal:?} {:?}", proposal.shown()));
    check_says_no_secret("Approval", &format!("{approval:?} {:?}", approval.withdrawal()));
    host.company.will(ok(&in_progress(proposed())));
    let followed = client.confirm(approval).await.unwrap();
    check_says_no_secret("InProgress", &format!("{followed:?}"));
    host.company.will(ok(&succeeded(proposed())));
    let followed = client.follow(&id(), Duration::from_secs(60)).await.unwrap();
    assert!(matches!(followed, Followed::Final(_)));
    check_says_no_secret("Outcome", &format!("{followed:?}"));

    let token = pap_agent::Tokens::token(&host.wallet, None).await.unwrap();
    check_says_no_secret("SessionToken", &format!("{token:?}"));
}

/// A broken answer is said to be broken, and not repeated.
#[tokio::test]
async fn errors_do_not_repeat_what_the_company_sent() {
    let host = Host::start().await;
    let client = host.client();
    host.proposal(&client).await;
    let mut broken = proposed();
    broken["state"] = json!("Stormline");
    let mut refused = json!({ "error": "Stormline 70.00" });
    refused["message"] = json!(TOKEN);
    for answer in [
        ok(&broken),
        Reply::text(200, "application/json", r#"{"Stormline": "70.00"#),
        Reply::text(200, "text/Stormline", "Stormline"),
        Reply::json(403, &refused),
    ] {
        host.company.will(answer);
        let error = client.read(&id()).await.unwrap_err();
        check_says_no_secret("the error", &format!("{error:?} {error}"));
        let mut source = std::error::Error::source(&error);
        while let Some(error) = source {
            check_says_no_secret("a source", &format!("{error:?} {error}"));
            source = error.source();
        }
    }
}
