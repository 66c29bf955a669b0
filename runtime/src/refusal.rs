//! The protocol's no: nothing was changed (section 9).

use pap_protocol::operation::Operation;
use pap_protocol::refusal::{ErrorBody, ErrorCode};

use crate::proposal::{No, NotOffered};

/// Why a request was refused. Nothing was performed, and nothing but the use of its proof was stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Unknown, or not this Session's (section 3.2): the two look the same.
    #[error("operation_not_found")]
    OperationNotFound,
    /// The confirmed revision is not the latest; the current operation is included.
    #[error("terms_changed")]
    TermsChanged(Box<Operation>),
    /// A standing permission does not do for this revision; the current operation is included.
    #[error("user_approval_required")]
    UserApprovalRequired(Box<Operation>),
    /// The agent does not list the operations extension.
    #[error("extension_required")]
    ExtensionRequired,
    /// The action, or this operation, needs a signed-in Session.
    #[error("sign_in_required")]
    SignInRequired {
        /// Scopes that the action needs.
        scopes: Vec<String>,
    },
    /// The token lacks a scope that the action needs.
    #[error("insufficient_scope")]
    InsufficientScope {
        /// Scopes that the action needs.
        scopes: Vec<String>,
    },
    /// The request is not of the form that the endpoint takes; the text says where.
    #[error("invalid_request: {0}")]
    InvalidRequest(String),
    /// The token is none that may be used here.
    #[error("invalid_token")]
    InvalidToken,
    /// The proof is missing, wrong, or was used before.
    #[error("invalid_dpop_proof")]
    InvalidProof,
    /// The request is longer than the endpoint reads.
    #[error("request_too_large")]
    TooLarge,
    /// The company does not offer this action to this caller.
    #[error("{code}: {message}")]
    NotOffered {
        /// HTTP status, 400 to 499.
        status: u16,
        /// The company's own code.
        code: String,
        /// For the caller.
        message: String,
    },
    /// It cannot be decided now, and nothing was performed: ask again.
    #[error("temporarily_unavailable")]
    Unavailable,
    /// A fault of the company's own: logged, told to nobody.
    #[error("internal_error")]
    Broken,
}

impl Refusal {
    /// The company's no, or a fault of its own, as the answer to a caller. The fault's text is logged
    /// and goes no further.
    pub(crate) fn not_offered(action: &str, not: NotOffered) -> Self {
        match not.0 {
            No::Declared { status, code, message } => Self::NotOffered { status, code, message },
            No::Unacceptable(problem) => Self::InvalidRequest(problem),
            No::TooLong => {
                tracing::warn!(action, "summary and terms are longer than an agent could read");
                Self::TooLarge
            }
            No::Broken(why) => {
                tracing::error!(action, %why, "a function of the company's failed");
                Self::Broken
            }
        }
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match self.code() {
            Ok(code) => code.status(),
            Err((status, _)) => status,
        }
    }

    /// The protocol's code, or the company's own status and code.
    fn code(&self) -> Result<ErrorCode, (u16, &str)> {
        Ok(match self {
            Self::OperationNotFound => ErrorCode::OperationNotFound,
            Self::TermsChanged(_) => ErrorCode::TermsChanged,
            Self::UserApprovalRequired(_) => ErrorCode::UserApprovalRequired,
            Self::ExtensionRequired => ErrorCode::ExtensionRequired,
            Self::SignInRequired { .. } => ErrorCode::SignInRequired,
            Self::InsufficientScope { .. } => ErrorCode::InsufficientScope,
            Self::InvalidRequest(_) => ErrorCode::InvalidRequest,
            Self::InvalidToken => ErrorCode::InvalidToken,
            Self::InvalidProof => ErrorCode::InvalidDpopProof,
            Self::TooLarge => ErrorCode::RequestTooLarge,
            Self::Unavailable => ErrorCode::TemporarilyUnavailable,
            Self::Broken => ErrorCode::InternalError,
            Self::NotOffered { status, code, .. } => return Err((*status, code)),
        })
    }

    /// The `error` member of the answer.
    pub fn word(&self) -> &str {
        match self.code() {
            Ok(code) => code.code(),
            Err((_, code)) => code,
        }
    }

    /// The answer's body.
    pub fn body(&self) -> ErrorBody {
        let mut body = ErrorBody::new(self.word());
        match self {
            Self::TermsChanged(operation) | Self::UserApprovalRequired(operation) => {
                body.operation = Some((**operation).clone());
            }
            Self::SignInRequired { scopes } | Self::InsufficientScope { scopes } => {
                body.scope = (!scopes.is_empty()).then(|| scopes.join(" "));
            }
            Self::ExtensionRequired => body.extension = Some("operations".to_owned()),
            Self::InvalidRequest(message) | Self::NotOffered { message, .. } => {
                body.message = Some(message.clone());
            }
            Self::OperationNotFound
            | Self::InvalidToken
            | Self::InvalidProof
            | Self::TooLarge
            | Self::Unavailable
            | Self::Broken => {}
        }
        body
    }
}
