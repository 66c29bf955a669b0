//! What came back, read within bounds.

use std::fmt::{Debug, Formatter};

use pap_protocol::json::Refused;
use pap_protocol::refusal::{Code, ErrorBody, ErrorCode};
use pap_protocol::value::Instant;
use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};

use super::retry_after::retry_at;
use crate::error::NotSent;

/// An answer in full.
pub(crate) struct Answer {
    status: u16,
    content_is_json: bool,
    retry_at: Option<Instant>,
    nonce: Option<String>,
    body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// This side refused: the Company got nothing.
    NotSent(NotSent),
    /// Nothing came back, or not all of it: whether the Company got the request is not known.
    Unanswered(Unanswered),
    /// What came back cannot be used.
    Unreadable(Unreadable),
}

/// No answer arrived. Whether the Company got the request, and acted on it, is not known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unanswered {
    /// No connection came about.
    #[error("the Company could not be reached")]
    Unreachable(#[source] reqwest::Error),
    /// The connection ended before the answer did.
    #[error("the connection ended before the Company's answer did")]
    Interrupted(#[source] reqwest::Error),
    /// The answer took longer than is waited for.
    #[error("the Company did not answer in time")]
    TimedOut,
}

/// An answer arrived that the protocol does not allow. It is not used, and says nothing about what the
/// Company did.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// A redirect: protocol endpoints never redirect, and a proof is for one URL.
    #[error("the Company answered with a redirect (status {status}), which is not followed")]
    Redirect {
        /// The HTTP status.
        status: u16,
    },
    /// Another media type than JSON.
    #[error("the Company's answer (status {status}) is not JSON")]
    NotJson {
        /// The HTTP status.
        status: u16,
    },
    /// More bytes than are read.
    #[error("the Company's answer is larger than {bytes_max} bytes")]
    TooLarge {
        /// The most bytes that are read.
        bytes_max: usize,
    },
    /// JSON that is not strict, or not what the specification says.
    #[error("the Company's answer (status {status}) is not what the specification says")]
    NotAsSpecified {
        /// The HTTP status.
        status: u16,
        /// What is wrong with it, without its values.
        source: Refused,
    },
    /// The answer is about another operation than was asked about.
    #[error("the Company answered with another operation than `{asked}`")]
    OtherOperation {
        /// The operation that was asked about.
        asked: pap_protocol::operation::OperationId,
    },
    /// A confirm was answered with an operation that is still proposed, or a cancel likewise.
    #[error("the Company answered as if nothing had been asked: the operation is still proposed")]
    StillProposed,
}

impl Answer {
    pub(super) async fn read(
        mut response: Response,
        bytes_max: usize,
        now: Instant,
    ) -> Result<Self, Failure> {
        let status = response.status().as_u16();
        if response.status().is_redirection() {
            return Err(Unreadable::Redirect { status }.into());
        }
        let header = |name: &str| text(response.headers(), name);
        let retry_at = header(RETRY_AFTER.as_str()).and_then(|header| retry_at(header, now));
        let nonce = header("dpop-nonce").map(str::to_owned);
        let content_is_json = header(CONTENT_TYPE.as_str()).is_some_and(is_json);

        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(Unanswered::from_reqwest)? {
            if body.len().saturating_add(chunk.len()) > bytes_max {
                return Err(Unreadable::TooLarge { bytes_max }.into());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Self { status, content_is_json, retry_at, nonce, body })
    }

    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// When the Company wants to be asked again.
    pub(crate) fn retry_at(&self) -> Option<Instant> {
        self.retry_at
    }

    /// The body, if it is said to be JSON.
    pub(crate) fn json(&self) -> Result<&[u8], Unreadable> {
        if self.content_is_json {
            Ok(&self.body)
        } else {
            Err(Unreadable::NotJson { status: self.status })
        }
    }

    /// The body of a refusal, as section 9 says.
    pub(crate) fn error_body(&self) -> Result<ErrorBody, Unreadable> {
        let body = ErrorBody::from_json(self.json()?);
        body.map_err(|source| self.not_as_specified(source))
    }

    pub(crate) fn not_as_specified(&self, source: Refused) -> Unreadable {
        Unreadable::NotAsSpecified { status: self.status, source }
    }

    pub(crate) fn into_body(self) -> Vec<u8> {
        self.body
    }

    pub(super) fn nonce(&self) -> Option<&str> {
        self.nonce.as_deref()
    }

    pub(super) fn has_nonce(&self) -> bool {
        self.nonce.is_some()
    }

    /// The code of a refused token or proof.
    pub(super) fn refusal_code(&self) -> Option<ErrorCode> {
        let body = (self.status == 401).then(|| self.error_body().ok()).flatten()?;
        match body.error {
            Code::Known(code) => Some(code),
            Code::Other(_) => None,
        }
    }
}

impl Debug for Answer {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answer").field("status", &self.status).finish_non_exhaustive()
    }
}

impl Unanswered {
    pub(super) fn from_reqwest(error: reqwest::Error) -> Self {
        // the URL of a proposing request can hold what the User asked for
        let error = error.without_url();
        if error.is_connect() { Self::Unreachable(error) } else { Self::Interrupted(error) }
    }
}

impl From<NotSent> for Failure {
    fn from(why: NotSent) -> Self {
        Self::NotSent(why)
    }
}

impl From<Unanswered> for Failure {
    fn from(why: Unanswered) -> Self {
        Self::Unanswered(why)
    }
}

impl From<Unreadable> for Failure {
    fn from(why: Unreadable) -> Self {
        Self::Unreadable(why)
    }
}

/// The one value of a header; a header that is there twice says nothing.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok()).flatten()
}

/// `application/json`, with or without parameters.
fn is_json(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case("application/json")
}
