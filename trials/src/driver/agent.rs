//! An agent over real HTTP, with proofs, that keeps what it was told.

use std::sync::Arc;
use std::time::Duration;

use pap_runtime::clock::{Clock as _, SystemClock};
use pap_runtime::dpop::{Key, prove};
use reqwest::Method;
use serde_json::{Value, json};

use super::process::PATIENCE;
use super::record::Record;
use crate::Fault;
use crate::node::{ORIGIN, Order, SCOPE, token};

/// An agent with a Session Token and its key. Clones are one.
#[derive(Clone)]
pub struct Agent {
    http: reqwest::Client,
    key: Arc<Key>,
    token: String,
    record: Record,
    /// How far its clock is ahead of this machine's, in seconds.
    ahead_s: i64,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// After how many seconds to come again, if that was said.
    pub retry_after: Option<u64>,
    /// The body, `null` if it is no JSON.
    pub json: Value,
}

impl Answer {
    /// The operation in it: of a proposal's answer or of an endpoint's.
    pub fn operation(&self) -> &Value {
        self.json.get("operation").unwrap_or(&self.json)
    }

    /// The operation's id, if there is one.
    pub fn id(&self) -> Option<&str> {
        self.operation().get("operation_id")?.as_str()
    }

    /// The operation's state.
    pub fn state(&self) -> &str {
        self.operation().get("state").and_then(Value::as_str).unwrap_or_default()
    }

    /// The error's code.
    pub fn error(&self) -> &str {
        self.json.get("error").and_then(Value::as_str).unwrap_or_default()
    }

    /// The operation's latest revision.
    pub fn revision(&self) -> u64 {
        self.operation().get("revision").and_then(Value::as_u64).unwrap_or_default()
    }

    /// What the result says.
    pub fn summary(&self) -> &str {
        let result = self.operation().get("result");
        result.and_then(|result| result.get("summary")?.as_str()).unwrap_or_default()
    }
}

impl Agent {
    /// An agent of this User, signed in to the account of the same name; what it is told goes on `record`.
    ///
    /// # Errors
    ///
    /// If there is no key for it.
    pub fn of(user: &str, record: Record) -> Result<Self, Fault> {
        let key = Key::generate().map_err(|error| error.to_string())?;
        let token = token(&key.thumbprint(), user, Some(user), &[SCOPE]);
        let http = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build()?;
        Ok(Self { http, key: Arc::new(key), token, record, ahead_s: 0 })
    }

    /// The same key with another token.
    #[must_use]
    pub fn signed_in(&self, user: &str, account: Option<&str>, scopes: &[&str]) -> Self {
        let token = token(&self.key.thumbprint(), user, account, scopes);
        Self { token, ..self.clone() }
    }

    /// Somebody else, who is told things that nobody compares.
    ///
    /// # Errors
    ///
    /// If there is no key for it.
    pub fn guest(user: &str) -> Result<Self, Fault> {
        Self::of(user, Record::default())
    }

    /// The same with a clock that is so many seconds ahead.
    #[must_use]
    pub fn ahead(&self, seconds: i64) -> Self {
        Self { ahead_s: seconds, ..self.clone() }
    }

    /// What it was told.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// A new proof for one request.
    ///
    /// # Errors
    ///
    /// If the system has no randomness to give.
    pub fn proof(&self, method: &Method, path: &str) -> Result<String, Fault> {
        let now = SystemClock::default().now().as_millis().div_euclid(1000);
        let iat = now.saturating_add(self.ahead_s);
        let url = format!("{ORIGIN}{path}");
        Ok(prove(&self.key, method.as_str(), &url, Some(&self.token), iat, None)?)
    }

    /// Sends a request with this proof.
    ///
    /// # Errors
    ///
    /// If there is no answer: then nobody knows what came of it.
    pub async fn send(
        &self,
        node: &str,
        (method, path): (Method, &str),
        body: Option<&Value>,
        proof: &str,
    ) -> Result<Answer, Fault> {
        let sent = self.record.sends();
        let request = self
            .http
            .request(method, format!("{node}{path}"))
            .header("authorization", format!("DPoP {}", self.token))
            .header("dpop", proof);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let response = request.send().await?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get("retry-after");
        let retry_after = retry_after.and_then(|seconds| seconds.to_str().ok()?.parse().ok());
        let text = response.text().await?;
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        let answer = Answer { status, retry_after, json };
        if let Some(id) = answer.id().filter(|_| (200..300).contains(&status)) {
            self.record.told(id, answer.operation(), sent);
        }
        Ok(answer)
    }

    /// Proposes `action` (as its route ends).
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub async fn propose(
        &self,
        node: &str,
        action: &str,
        request: &Value,
    ) -> Result<Answer, Fault> {
        self.fresh(node, Method::POST, &format!("/{action}"), Some(request)).await
    }

    /// Confirms a revision, as the User approved.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub async fn confirm(&self, node: &str, id: &str, revision: u64) -> Result<Answer, Fault> {
        let body = json!({ "revision": revision, "approved_by": "user" });
        self.fresh(node, Method::POST, &format!("/poppy/operations/{id}/confirm"), Some(&body))
            .await
    }

    /// Gives the people on call an order: no agent could.
    ///
    /// # Errors
    ///
    /// If it was not carried out, or there is no answer.
    pub async fn order(&self, node: &str, order: &Order) -> Result<u32, Fault> {
        let sent = self.http.post(format!("{node}/operate")).json(order).send();
        Ok(sent.await?.error_for_status()?.json().await?)
    }

    /// Cancels.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub async fn cancel(&self, node: &str, id: &str) -> Result<Answer, Fault> {
        let path = format!("/poppy/operations/{id}/cancel");
        let answer = self.fresh(node, Method::POST, &path, None).await?;
        if answer.status == 200 && answer.state() == "in_progress" {
            self.record.asked_to_stop(id);
        }
        Ok(answer)
    }

    /// Reads.
    ///
    /// # Errors
    ///
    /// If there is no answer.
    pub async fn read(&self, node: &str, id: &str) -> Result<Answer, Fault> {
        self.fresh(node, Method::GET, &format!("/poppy/operations/{id}"), None).await
    }

    /// Reads until the operation is in one of these states.
    ///
    /// # Errors
    ///
    /// If there is no answer, or it does not get there.
    pub async fn until(&self, node: &str, id: &str, states: &[&str]) -> Result<Answer, Fault> {
        let give_up = tokio::time::Instant::now() + PATIENCE;
        loop {
            let answer = self.read(node, id).await?;
            if states.contains(&answer.state()) {
                return Ok(answer);
            }
            if tokio::time::Instant::now() > give_up {
                return Err(format!("`{id}` stays `{}`: {states:?}", answer.state()).into());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Reads until the operation has ended.
    ///
    /// # Errors
    ///
    /// As [`Agent::until`].
    pub async fn until_ended(&self, node: &str, id: &str) -> Result<Answer, Fault> {
        self.until(node, id, &["succeeded", "failed", "cancelled", "expired"]).await
    }

    async fn fresh(
        &self,
        node: &str,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, Fault> {
        let proof = self.proof(&method, path)?;
        self.send(node, (method, path), body, &proof).await
    }
}

impl std::fmt::Debug for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // never the token
        f.debug_struct("Agent").finish_non_exhaustive()
    }
}
