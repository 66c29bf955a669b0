//! One request with its proof, and what came back.

mod answer;
mod dial;
mod retry_after;

use std::collections::HashMap;
use std::fmt::{Debug, Formatter};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pap_protocol::dpop::prove;
use pap_protocol::refusal::ErrorCode;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue};
use reqwest::{Client, Method, RequestBuilder};
use url::Url;

pub(crate) use answer::{Answer, Failure};
pub use answer::{Unanswered, Unreadable};
pub(crate) use dial::Dial;

use crate::clock::Clock;
use crate::error::NotSent;
use crate::session::{AnyTokens, NoToken, SessionToken};

/// One request, without what is fresh in every attempt.
pub(crate) struct Call<'a> {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) body: Option<String>,
    pub(crate) idempotency_key: Option<&'a str>,
    /// What the Session Token must be issued for.
    pub(crate) resource: Option<&'a str>,
    /// The account that its Session must be signed in to, where a standing permission is for one.
    pub(crate) account: Option<&'a str>,
    /// The most bytes of an answer that are read.
    pub(crate) bytes_max: usize,
}

/// Sends calls: a token that fits, a new proof each time, no redirects, bounded answers.
pub(crate) struct Transport {
    http: Client,
    dial: Dial,
    answer_within: Duration,
    clock: Arc<dyn Clock>,
    /// The nonce that each origin gave last (RFC 9449, section 8.2).
    nonces: Mutex<HashMap<String, String>>,
}

impl Transport {
    pub(crate) fn new(
        dial: Dial,
        answer_within: Duration,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, NotSent> {
        let http = dial.client().map_err(NotSent::no_http)?;
        Ok(Self { http, dial, answer_within, clock, nonces: Mutex::default() })
    }

    /// The answer, whatever its status.
    ///
    /// A second attempt follows only what says that nothing was done: `use_dpop_nonce`, once with the
    /// nonce, and `invalid_token`, once with another token.
    pub(crate) async fn send(
        &self,
        call: &Call<'_>,
        tokens: &dyn AnyTokens,
    ) -> Result<Answer, Failure> {
        let mut token = fitting(tokens.token(call.resource).await, call)?;
        let mut nonce_refused = false;
        let mut token_refused = false;
        loop {
            let answer = self.attempt(call, &token).await?;
            match answer.refusal_code() {
                Some(ErrorCode::UseDpopNonce) if !nonce_refused && answer.has_nonce() => {
                    tracing::debug!("the Company wants a nonce in the proof");
                    nonce_refused = true;
                }
                Some(ErrorCode::InvalidToken) if !token_refused => {
                    let another = fitting(tokens.replacement(&token).await, call)?;
                    if another.access_token() == token.access_token() {
                        return Ok(answer);
                    }
                    tracing::debug!("the Company refused the token, and there is another");
                    (token, token_refused) = (another, true);
                }
                _ => return Ok(answer),
            }
        }
    }

    async fn attempt(&self, call: &Call<'_>, token: &SessionToken) -> Result<Answer, Failure> {
        let request = self.request(call, token)?;
        let answered = async {
            let response = request.send().await.map_err(Unanswered::from_reqwest)?;
            Answer::read(response, call.bytes_max, self.clock.now()).await
        };
        let answer = tokio::select! {
            // an answer that is there is taken, also when its time is over
            biased;
            answer = answered => answer?,
            () = self.clock.deadline(self.answer_within) => return Err(Unanswered::TimedOut.into()),
        };
        if let Some(nonce) = answer.nonce() {
            self.nonces().insert(call.url.origin().ascii_serialization(), nonce.to_owned());
        }
        tracing::debug!(status = answer.status(), "the Company answered");
        Ok(answer)
    }

    fn request(&self, call: &Call<'_>, token: &SessionToken) -> Result<RequestBuilder, NotSent> {
        let nonce = self.nonces().get(&call.url.origin().ascii_serialization()).cloned();
        let iat = self.clock.now().as_millis().div_euclid(1000);
        let (method, url) = (call.method.as_str(), call.url.as_str());
        let access_token = token.access_token();
        let proof = prove(token.key(), method, url, Some(access_token), iat, nonce.as_deref())?;

        let dialled = self.dial.address(&call.url)?;
        let mut request = self
            .http
            .request(call.method.clone(), dialled.url)
            .header(AUTHORIZATION, secret(&format!("DPoP {access_token}"))?)
            .header("DPoP", secret(&proof)?);
        if let Some(host) = dialled.host {
            request = request.header(HOST, host);
        }
        if let Some(key) = call.idempotency_key {
            request = request.header("Idempotency-Key", key);
        }
        if let Some(body) = &call.body {
            request = request.header(CONTENT_TYPE, "application/json").body(body.clone());
        }
        Ok(request)
    }

    fn nonces(&self) -> std::sync::MutexGuard<'_, HashMap<String, String>> {
        self.nonces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Debug for Transport {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transport").field("dial", &self.dial).finish_non_exhaustive()
    }
}

/// A token for one resource is not presented at another, nor one without where a resource is wanted
/// (section 2); and a standing permission is for one account.
fn fitting(token: Result<SessionToken, NoToken>, call: &Call<'_>) -> Result<SessionToken, NotSent> {
    let token = token?;
    if token.resource() != call.resource {
        return Err(NotSent::TokenForOtherResource { wanted: call.resource.map(str::to_owned) });
    }
    if call.account.is_some_and(|account| token.account() != Some(account)) {
        return Err(NotSent::TokenForOtherAccount);
    }
    Ok(token)
}

fn secret(text: &str) -> Result<HeaderValue, NotSent> {
    let value = HeaderValue::from_str(text);
    let mut value = value.map_err(|_not_shown| NotSent::TokenNotPresentable)?;
    value.set_sensitive(true);
    Ok(value)
}
