//! One request about one operation, and what its answer means.

use std::time::Duration;

use pap_protocol::json::Limits;
use pap_protocol::operation::{ConfirmRequest, Operation, OperationId};
use pap_protocol::value::Instant;
use reqwest::Method;
use url::Url;

use super::OperationsClient;
use crate::error::{Error, NotSent, Refusal};
use crate::history::{Mark, Taken};
use crate::http::{Answer, Call, Failure, Unreadable};

/// The most bytes of an operation that are read.
pub(super) const OPERATION_BYTES_MAX: usize = 256 * 1024;

/// Without `Retry-After`, how long to wait at first, and at most.
const WAIT_MIN: Duration = Duration::from_secs(1);
const WAIT_MAX: Duration = Duration::from_secs(30);

/// How often an answer that another one overtook is asked for again.
const OVERTAKEN_MAX: u32 = 3;

/// What the Company is told.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verb<'a> {
    Read,
    Confirm(ConfirmRequest, Option<&'a str>),
    Cancel,
}

/// What its answer means.
#[derive(Debug)]
pub(super) enum Told {
    /// The operation as it is now, and when it can be read again.
    Operation(Operation, Option<Instant>),
    /// The Company refused, so this request did nothing.
    Refused(Refusal),
    /// The answer is lost or of no use: what was asked may have been done or not.
    Lost(Error, Option<Instant>),
}

impl OperationsClient {
    /// Sends it once. What the Company says is taken over before it is handed out.
    pub(super) async fn tell(&self, verb: Verb<'_>, id: &OperationId) -> Result<Told, Error> {
        let (mut verb, mut overtaken) = (verb, 0);
        loop {
            let mark = self.shared.history.mark();
            let told = self.tell_once(verb, id).await?;
            match self.take_told(mark, &told).await? {
                Taken::Overtaken if overtaken < OVERTAKEN_MAX => {
                    // the newest word is wanted, and reading does nothing
                    (verb, overtaken) = (Verb::Read, overtaken + 1);
                }
                Taken::Newest | Taken::Overtaken => return Ok(told),
            }
        }
    }

    async fn take_told(&self, mark: Mark, told: &Told) -> Result<Taken, Error> {
        let operation = match told {
            Told::Operation(operation, _) => Some(operation),
            Told::Refused(refusal) => refusal.body.operation.as_ref(),
            Told::Lost(..) => None,
        };
        match operation {
            Some(operation) => self.take(mark, operation, None).await,
            None => Ok(Taken::Newest),
        }
    }

    async fn tell_once(&self, verb: Verb<'_>, id: &OperationId) -> Result<Told, Error> {
        let call = self.call(verb, id)?;
        let answer = match self.shared.transport.send(&call, self.tokens.as_ref()).await {
            Ok(answer) => answer,
            Err(Failure::NotSent(why)) => return Err(why.into()),
            Err(Failure::Unanswered(why)) => return Ok(lost(why, None)),
            Err(Failure::Unreadable(why)) => return Ok(lost(why, None)),
        };
        Ok(meaning(&answer, id))
    }

    fn call<'a>(&'a self, verb: Verb<'a>, id: &OperationId) -> Result<Call<'a>, Error> {
        let (method, url, body, account) = match verb {
            Verb::Read => (Method::GET, self.company.operation_url(id), None, None),
            Verb::Cancel => (Method::POST, self.company.cancel_url(id), None, None),
            Verb::Confirm(request, account) => {
                let body = serde_json::to_string(&request).unwrap_or_default();
                (Method::POST, self.company.confirm_url(id), Some(body), account)
            }
        };
        Ok(Call {
            method,
            url: parsed(&url)?,
            body,
            idempotency_key: None,
            resource: self.company.resource(),
            account,
            bytes_max: OPERATION_BYTES_MAX,
        })
    }

    /// When to try again after a lost answer: when the Company says, or later each time.
    pub(super) fn try_again_at(&self, wanted: Option<Instant>, attempts: u32) -> Instant {
        let wait = WAIT_MIN.saturating_mul(1 << attempts.min(10)).min(WAIT_MAX);
        let by_ourselves = self.now().saturating_add(wait);
        // earlier than the Company says is never; right away is a request that repeats itself
        wanted.map_or(by_ourselves, |wanted| wanted.max(self.now().saturating_add(WAIT_MIN)))
    }

    pub(super) async fn sleep_until(&self, moment: Instant) {
        loop {
            let left = moment.as_millis().saturating_sub(self.now().as_millis());
            match u64::try_from(left) {
                Ok(0) | Err(_) => return,
                Ok(left) => self.shared.clock.sleep(Duration::from_millis(left)).await,
            }
        }
    }
}

/// The URL as it is sent and proved.
pub(super) fn parsed(url: &str) -> Result<Url, NotSent> {
    Url::parse(url).map_err(|_not_a_url| NotSent::NotHttps { host: url.to_owned() })
}

fn meaning(answer: &Answer, id: &OperationId) -> Told {
    let retry_at = answer.retry_at();
    if answer.is_success() {
        return match operation(answer, id) {
            Ok(operation) => Told::Operation(operation, retry_at),
            Err(why) => lost(why, retry_at),
        };
    }
    let body = match answer.error_body() {
        Ok(body) => body,
        Err(why) => return lost(why, retry_at),
    };
    if body.operation.as_ref().is_some_and(|operation| operation.operation_id != *id) {
        return lost(Unreadable::OtherOperation { asked: id.clone() }, retry_at);
    }
    let refusal = Refusal { status: answer.status(), body: Box::new(body), retry_at };
    if is_temporary(refusal.status) { lost(refusal, retry_at) } else { Told::Refused(refusal) }
}

fn operation(answer: &Answer, id: &OperationId) -> Result<Operation, Unreadable> {
    // the body is within its limit of bytes already
    debug_assert!(OPERATION_BYTES_MAX <= Limits::default().bytes_max);
    let operation = Operation::from_json(answer.json()?);
    let operation = operation.map_err(|source| answer.not_as_specified(source))?;
    if operation.operation_id == *id {
        Ok(operation)
    } else {
        Err(Unreadable::OtherOperation { asked: id.clone() })
    }
}

/// Whether the same request can have another answer a little later.
fn is_temporary(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..)
}

fn lost(why: impl Into<Error>, retry_at: Option<Instant>) -> Told {
    Told::Lost(why.into(), retry_at)
}
