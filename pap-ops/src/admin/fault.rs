//! What was not done, as an answer.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use pap_runtime::operators::OperatorError;
use pap_runtime::store::ErrorKind;

use super::guard::{May, Operator};
use crate::causes::chain;
use crate::form::{Fault, VERSION};

/// A request that was not carried out.
#[derive(Debug)]
pub(super) struct Refused {
    status: StatusCode,
    error: &'static str,
    message: String,
}

impl Refused {
    pub(super) fn by_guard(status: StatusCode) -> Self {
        // a guard that refuses by a status that is no refusal must not look as if it had let somebody in
        let refusal = status.is_client_error() || status.is_server_error();
        let status = if refusal { status } else { StatusCode::FORBIDDEN };
        Self::new(status, "not_let_in", "the company's guard did not let this request in")
    }

    pub(super) fn request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", message)
    }

    fn new(status: StatusCode, error: &'static str, message: impl Into<String>) -> Self {
        Self { status, error, message: message.into() }
    }
}

/// Refuses whoever only reads.
pub(super) fn may_change(operator: &Operator) -> Result<(), Refused> {
    match operator.may() {
        May::Change => Ok(()),
        May::Look => Err(Refused::new(
            StatusCode::FORBIDDEN,
            "only_reads",
            format!("{} may look at ids, states, moments and counts only", operator.who()),
        )),
    }
}

impl From<OperatorError> for Refused {
    fn from(error: OperatorError) -> Self {
        let message = chain(&error);
        let (status, word) = match error {
            OperatorError::NoSuchOperation(_) => (StatusCode::NOT_FOUND, "no_such_operation"),
            OperatorError::NotInProgress { .. } => (StatusCode::CONFLICT, "not_in_progress"),
            OperatorError::NotStarted(_) => (StatusCode::CONFLICT, "not_started"),
            OperatorError::NoSuchPlace(_) => (StatusCode::BAD_REQUEST, "no_such_cursor"),
            OperatorError::Store(error) => match error.kind() {
                ErrorKind::NotWritten => (StatusCode::SERVICE_UNAVAILABLE, "store"),
                ErrorKind::Unknown => (StatusCode::SERVICE_UNAVAILABLE, "store_unknown"),
                ErrorKind::Corrupt => (StatusCode::INTERNAL_SERVER_ERROR, "store_corrupt"),
            },
            OperatorError::NamesTheAccount => (StatusCode::BAD_REQUEST, "names_the_account"),
            OperatorError::Undecided => (StatusCode::BAD_REQUEST, "undecided"),
            // it may have been written: look before you ask again
            OperatorError::NoAnswer | _ => (StatusCode::SERVICE_UNAVAILABLE, "store_unknown"),
        };
        tracing::warn!(error = message, "an operator's request was not carried out");
        Self::new(status, word, message)
    }
}

impl From<JsonRejection> for Refused {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), "invalid_request", rejection.body_text())
    }
}

impl From<QueryRejection> for Refused {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), "invalid_request", rejection.body_text())
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let fault = Fault { version: VERSION, error: self.error.to_owned(), message: self.message };
        (self.status, Json(fault)).into_response()
    }
}
