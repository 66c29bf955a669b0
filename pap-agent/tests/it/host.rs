//! The agent's host in tests: its screen, its tokens, its permissions, and the Company it talks to.

use std::sync::{Arc, Mutex};

use pap_agent::{
    Agent, AgentBuilder, Answer, Approval, Approver, Asked, Decision, NoToken, OperationsClient,
    Proposal, Request, SessionToken, Shown, StandingPermission, StandingPermissions, Tokens,
};
use pap_protocol::dpop::Key;
use pap_protocol::operation::OperationId;
use serde_json::{Value, json};

use crate::clock::SimClock;
use crate::company::{Reply, ScriptedCompany};

pub(crate) const TOKEN: &str = "sat_7Kd02m-very-secret";

/// The host's own interface: what it showed, and what the User answers.
#[derive(Debug, Clone)]
pub(crate) struct Screen {
    pub(crate) shown: Arc<Mutex<Vec<Shown>>>,
    answer: Answer,
}

impl Approver for Screen {
    async fn approve(&self, shown: &Shown) -> Answer {
        self.shown.lock().unwrap().push(shown.clone());
        self.answer
    }
}

/// The host's tokens.
#[derive(Clone)]
pub(crate) struct Wallet {
    pub(crate) key: Arc<Key>,
    pub(crate) requested: Arc<Mutex<Vec<Option<String>>>>,
    pub(crate) replacement: Option<&'static str>,
    pub(crate) ignores_resource: bool,
    pub(crate) account: &'static str,
}

impl Wallet {
    pub(crate) fn new() -> Self {
        Self {
            key: Arc::new(Key::generate().unwrap()),
            requested: Arc::default(),
            replacement: None,
            ignores_resource: false,
            account: "user@example.com",
        }
    }

    pub(crate) fn thumbprint(&self) -> String {
        self.key.thumbprint()
    }

    fn issue(&self, access_token: &str, resource: Option<&str>) -> SessionToken {
        let token = SessionToken::new(access_token, Arc::clone(&self.key));
        let token = token.signed_in_to(self.account);
        match resource.filter(|_| !self.ignores_resource) {
            Some(resource) => token.issued_for(resource),
            None => token,
        }
    }
}

impl Tokens for Wallet {
    async fn token(&self, resource: Option<&str>) -> Result<SessionToken, NoToken> {
        self.requested.lock().unwrap().push(resource.map(str::to_owned));
        Ok(self.issue(TOKEN, resource))
    }

    async fn replacement(&self, _refused: &SessionToken) -> Result<SessionToken, NoToken> {
        Ok(self.issue(self.replacement.unwrap_or(TOKEN), None))
    }
}

/// The permissions that a User gave.
pub(crate) struct Given(pub(crate) Vec<StandingPermission>);

impl StandingPermissions for Given {
    async fn candidates(&self, _proposal: &Proposal) -> Vec<StandingPermission> {
        self.0.clone()
    }
}

/// Everything of one test.
pub(crate) struct Host {
    pub(crate) company: ScriptedCompany,
    pub(crate) clock: SimClock,
    pub(crate) screen: Screen,
    pub(crate) wallet: Wallet,
}

impl Host {
    pub(crate) async fn start() -> Self {
        Self::with_answer(Answer::Approved).await
    }

    pub(crate) async fn with_answer(answer: Answer) -> Self {
        let (clock, wallet) = (SimClock::new(), Wallet::new());
        let company = ScriptedCompany::start(clock.clone(), wallet.thumbprint()).await;
        Self { company, clock, screen: Screen { shown: Arc::default(), answer }, wallet }
    }

    pub(crate) fn builder(&self) -> AgentBuilder {
        Agent::builder(self.screen.clone())
            .clock(self.clock.clone())
            .dial("api.example.com", self.company.address)
            .dangerously_allow_plain_http_on_loopback()
    }

    pub(crate) fn client(&self) -> OperationsClient {
        self.client_of(&self.builder().build().unwrap())
    }

    pub(crate) fn client_of(&self, agent: &Agent) -> OperationsClient {
        let document = discovery().to_string();
        agent.negotiate("example.com", document.as_bytes(), self.wallet.clone()).unwrap()
    }

    /// A proposal of the Company for the exchange.
    pub(crate) async fn proposal(&self, client: &OperationsClient) -> Proposal {
        self.proposal_of(client, proposed()).await
    }

    pub(crate) async fn proposal_of(
        &self,
        client: &OperationsClient,
        operation: Value,
    ) -> Proposal {
        self.company.will(Reply::json(202, &json!({ "operation": operation })));
        let asked = client.ask(&exchange()).await.unwrap();
        let Asked::Proposed(proposal) = asked else { panic!("not proposed: {asked:?}") };
        assert_eq!(self.company.lines(), ["POST /orders/ord_7Hk2/exchanges"]);
        proposal
    }

    /// The User's approval of that proposal.
    pub(crate) async fn approval(
        &self,
        client: &OperationsClient,
        proposal: &Proposal,
    ) -> Approval {
        let decision = client.seek_approval(proposal).await.unwrap();
        let Decision::Approved(approval) = decision else { panic!("{decision:?}") };
        approval
    }
}

pub(crate) fn id() -> OperationId {
    "exc_5Rt2".parse().unwrap()
}

pub(crate) const CONFIRM: &str = "POST /poppy/operations/exc_5Rt2/confirm";
pub(crate) const CANCEL: &str = "POST /poppy/operations/exc_5Rt2/cancel";
pub(crate) const READ: &str = "GET /poppy/operations/exc_5Rt2";

pub(crate) fn exchange() -> Request {
    Request::post("https://api.example.com/orders/ord_7Hk2/exchanges")
        .unwrap()
        .json(&json!({ "item_id": "itm_4Qa", "replacement_sku": "stormline-insulated-m" }))
        .action("orders.exchange")
}

pub(crate) fn discovery() -> Value {
    json!({
        "protocol_version": "0.2",
        "organization": { "name": "Example Outfitters", "domain": "example.com" },
        "auth": { "issuer": "https://api.example.com" },
        "extensions": {
            "operations": { "version": "1", "endpoint": "https://api.example.com/poppy/operations" }
        }
    })
}

pub(crate) fn proposed() -> Value {
    json!({
        "operation_id": "exc_5Rt2",
        "revision": 1,
        "state": "proposed",
        "summary": "Exchange the Stormline Jacket (M) on order ord_7Hk2 for the Stormline Insulated Jacket (M), for $70.00 more.",
        "terms": {
            "order_id": "ord_7Hk2",
            "item_id": "itm_4Qa",
            "replacement_sku": "stormline-insulated-m",
            "price_difference": { "amount": "70.00", "currency": "USD" }
        },
        "expires_at": "2026-10-08T12:20:00-07:00",
        "user_approval_required": false,
        "url": "https://example.com/orders/ord_7Hk2/exchanges/exc_5Rt2",
        "confirmation": null,
        "result": null
    })
}

/// Revision 2: the price is another.
pub(crate) fn revised() -> Value {
    let mut operation = proposed();
    operation["revision"] = json!(2);
    operation["summary"] = json!("Exchange the Stormline Jacket (M) for $75.00 more.");
    operation["terms"]["price_difference"]["amount"] = json!("75.00");
    operation
}

/// The operation after a confirm of its revision.
pub(crate) fn in_progress(mut operation: Value) -> Value {
    operation["state"] = json!("in_progress");
    operation["confirmation"] = json!({
        "revision": operation["revision"],
        "approved_by": "user",
        "confirmed_at": "2026-10-08T12:04:31-07:00"
    });
    operation.as_object_mut().unwrap().remove("expires_at");
    operation
}

pub(crate) fn succeeded(operation: Value) -> Value {
    ended(in_progress(operation), "succeeded", "Exchange placed. $70.00 was charged.")
}

pub(crate) fn ended(mut operation: Value, state: &str, summary: &str) -> Value {
    operation["state"] = json!(state);
    operation["result"] = json!({ "summary": summary });
    operation
}

pub(crate) fn ok(operation: &Value) -> Reply {
    Reply::json(200, operation)
}

pub(crate) fn refusal(status: u16, error: &str) -> Reply {
    Reply::json(status, &json!({ "error": error }))
}
