//! Ada's Personal Agent: the interface that asks her, the tokens it presents, the permissions she gave.

use std::sync::{Arc, Mutex, PoisonError};

use pap_agent::{
    Agent, Answer, Approver, Condition, InFile, NoToken, OperationsClient, Proposal, SessionToken,
    Shown, StandingPermission, StandingPermissions, Tokens,
};
use pap_runtime::dpop::Key;
use pap_runtime::value::Money;
use serde_json::json;

use super::Told;
use super::gateway::{Gateway, on_this_machine};
use crate::sessions::{NewSession, SessionTable};
use crate::shop::Shop;

/// The account, under the name that the agent gives it.
const ACCOUNT: &str = "ada@example.net";

/// What the interface showed, and what was answered: the story prints it.
#[derive(Clone, Default)]
pub(super) struct Screen(Arc<Mutex<Vec<String>>>);

impl Screen {
    /// Everything since the last time this was asked.
    pub(super) fn lines(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Approver for Screen {
    /// A real agent shows this to its User and waits. In this story Ada always answers yes.
    async fn approve(&self, shown: &Shown) -> Answer {
        let Shown { company_name, company_domain, revision, summary, .. } = shown;
        let mut text = vec![format!("  {summary}")];
        for term in shown.important_terms() {
            text.push(format!("[{} {}]", term.path().trim_start_matches('/'), term.value()));
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(format!("Ada is shown revision {revision} from {company_name} ({company_domain}), and answers yes:"));
        lines.push(text.join(" "));
        Answer::Approved
    }
}

/// One Session Token, for as long as the story lasts.
struct Wallet(SessionToken);

impl Tokens for Wallet {
    async fn token(&self, _resource: Option<&str>) -> Result<SessionToken, NoToken> {
        Ok(self.0.clone())
    }
}

/// "Gift-wrap what I order there, if it costs at most $10."
pub(super) struct Given(StandingPermission);

impl Given {
    pub(super) fn gift_wrap_up_to_10_dollars() -> Told<Self> {
        let until = "2099-12-31T23:59:59Z".parse()?;
        Ok(Self(
            StandingPermission::new("example.com", ACCOUNT, "orders.gift_wrap", until)
                .with("/order_id", Condition::equals(&json!("ord_5Kp9")))
                .with("/paper", Condition::equals(&json!("stars")))
                .with("/fee", Condition::AtMost(Money::usd("10.00")?)),
        ))
    }
}

impl StandingPermissions for Given {
    async fn candidates(&self, _proposal: &Proposal) -> Vec<StandingPermission> {
        vec![self.0.clone()]
    }
}

/// An agent that is signed in to Ada's account, and reaches `example.com` through the gateway.
pub(super) async fn sign_in(
    shop: &Shop,
    gateway: &Gateway,
    screen: Screen,
    kept_in: &std::path::Path,
) -> Told<OperationsClient> {
    let key = Arc::new(Key::generate()?);
    let session = NewSession {
        id: "ses_story",
        client: "https://juniper.example/agent.json",
        user: "usr_ada",
        account: Some("acc_ada"),
        scopes: "orders:read orders:write",
        operations: Some("1"),
        key_thumbprint: &key.thumbprint(),
    };
    let token = SessionTable::of(shop).issue(session).await?;
    let wallet = Wallet(SessionToken::new(token, key).signed_in_to(ACCOUNT));

    let agent = Agent::builder(screen)
        .open_operations(InFile::open(kept_in)?)
        // on a real network both names lead to the shop, over TLS
        .dial("api.example.com", gateway.address)
        .dangerously_allow_plain_http_on_loopback()
        .build()?;
    let document = format!("http://{}/.well-known/poppy.json", gateway.address);
    let document = on_this_machine()?.get(document).send().await?.bytes().await?;
    Ok(agent.negotiate("example.com", &document, wallet)?)
}
