//! Answers and refusals as HTTP: JSON, never stored, with the headers that the protocol names.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use pap_protocol::operation::{Proposed, State};
use pap_protocol::refusal::{ErrorBody, ErrorCode};
use serde::Serialize;

use super::Channel;
use crate::present::operation;
use crate::refusal::Refusal;
use crate::store::Stored;

/// The operation, bare, as read, confirm and cancel answer it (section 5.2).
pub(super) fn answer(stored: &Stored, retry_after: Duration) -> Result<Response<Body>, Refusal> {
    Ok(with_retry_after(json(StatusCode::OK, &operation(stored)?), stored, retry_after))
}

/// `202` with the operation under `operation` (section 4.1).
pub(super) fn proposed(stored: &Stored, retry_after: Duration) -> Result<Response<Body>, Refusal> {
    let body = Proposed::new(operation(stored)?);
    Ok(with_retry_after(json(StatusCode::ACCEPTED, &body), stored, retry_after))
}

/// A refusal with its status, body and challenge (section 9).
pub(super) fn refused(refusal: &Refusal, channel: Channel) -> Response<Body> {
    let status =
        StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = refusal.body();
    let mut response = json(status, &body);
    let in_body_only =
        matches!(refusal, Refusal::ExtensionRequired) && channel == Channel::Endpoint;
    if !in_body_only
        && let Some(challenge) = body.challenge()
        && let Ok(challenge) = HeaderValue::from_str(&challenge)
    {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    if matches!(refusal, Refusal::Unavailable) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// No route of the operations endpoint.
pub(super) fn no_such_route() -> Response<Body> {
    json(StatusCode::NOT_FOUND, &ErrorBody::new(ErrorCode::NotFound))
}

/// A route of the operations endpoint, by another method.
pub(super) fn allow_only(method: &Method) -> Response<Body> {
    let body = ErrorBody::new(ErrorCode::MethodNotAllowed);
    let mut response = json(StatusCode::METHOD_NOT_ALLOWED, &body);
    if let Ok(method) = HeaderValue::from_str(method.as_str()) {
        response.headers_mut().insert(header::ALLOW, method);
    }
    response
}

fn with_retry_after(
    mut response: Response<Body>,
    stored: &Stored,
    retry_after: Duration,
) -> Response<Body> {
    if stored.state == State::InProgress {
        // not before that time: a part of a second counts as a whole one
        let begun = u64::from(retry_after.subsec_nanos() > 0);
        let seconds = HeaderValue::from(retry_after.as_secs().saturating_add(begun).max(1));
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

fn json(status: StatusCode, body: &impl Serialize) -> Response<Body> {
    let (status, bytes) = if let Ok(bytes) = serde_json::to_vec(body) {
        (status, bytes)
    } else {
        tracing::error!("an answer could not be written as JSON");
        (StatusCode::INTERNAL_SERVER_ERROR, br#"{"error":"internal_error"}"#.to_vec())
    };
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
