//! The codes of the protocol.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use crate::text::wire_string;
use crate::value::NotAValue;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $status:literal;)*) => {
        /// A code that a Company answers with at its operations endpoint and its proposing endpoints.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[$doc])* $name,)*
        }

        impl ErrorCode {
            /// All of them: the codes of section 9, then those of the base protocol.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$name),*];

            /// The value of `error`.
            pub fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// The HTTP status it is answered with.
            pub fn status(self) -> u16 {
                match self {
                    $(Self::$name => $status,)*
                }
            }
        }
    };
}

codes! {
    /// The operation is unknown, or the Session cannot use it.
    OperationNotFound = "operation_not_found", 404;
    /// The confirmed revision is not the latest; comes with the current operation.
    TermsChanged = "terms_changed", 409;
    /// The operation needs the User's approval of this revision, not a standing permission.
    UserApprovalRequired = "user_approval_required", 403;
    /// The request needs an extension that the agent does not list; comes with its name.
    ExtensionRequired = "extension_required", 403;
    /// The request cannot be read, or has the wrong form.
    InvalidRequest = "invalid_request", 400;
    /// The Session Token is missing, unknown, expired or not for this place.
    InvalidToken = "invalid_token", 401;
    /// The proof is missing, wrong or was used before.
    InvalidDpopProof = "invalid_dpop_proof", 401;
    /// The proof must carry the nonce that comes with the answer.
    UseDpopNonce = "use_dpop_nonce", 401;
    /// The Session must be signed in.
    SignInRequired = "sign_in_required", 403;
    /// The Session lacks a scope; comes with the scopes that are needed.
    InsufficientScope = "insufficient_scope", 403;
    /// The request body is too large.
    RequestTooLarge = "request_too_large", 413;
    /// Too many requests; comes with `Retry-After`.
    RateLimited = "rate_limited", 429;
    /// The Company cannot answer now.
    TemporarilyUnavailable = "temporarily_unavailable", 503;
    /// There is nothing at this address.
    NotFound = "not_found", 404;
    /// The address exists, the method does not; comes with `Allow`.
    MethodNotAllowed = "method_not_allowed", 405;
    /// The Company failed; whether anything happened is not known from this answer.
    InternalError = "internal_error", 500;
}

impl ErrorCode {
    /// Whether the answer carries a `WWW-Authenticate` challenge: what another token, proof, sign-in or
    /// agent would get past.
    pub fn has_challenge(self) -> bool {
        matches!(
            self,
            Self::InvalidToken
                | Self::InvalidDpopProof
                | Self::UseDpopNonce
                | Self::SignInRequired
                | Self::InsufficientScope
                | Self::ExtensionRequired
        )
    }
}

impl Display for ErrorCode {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for ErrorCode {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let code = Self::ALL.into_iter().find(|code| code.code() == text);
        code.ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "an error code of the protocol, such as `terms_changed`";

wire_string!(ErrorCode, EXPECTED);
