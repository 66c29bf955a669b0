//! What an endpoint answers when it refuses: the codes of section 9 and of the base protocol.

use pap_protocol::refusal::ErrorCode;

/// An endpoint that can refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// A company's endpoint that proposes (section 4.1).
    Propose,
    /// `GET …/{operation_id}` (section 6).
    Read,
    /// `POST …/{operation_id}/confirm` (section 5.2).
    Confirm,
    /// `POST …/{operation_id}/cancel` (section 7).
    Cancel,
}

const EVERYWHERE: &[At] = &[At::Propose, At::Read, At::Confirm, At::Cancel];
const AT_THE_ENDPOINT: &[At] = &[At::Read, At::Confirm, At::Cancel];

/// A refusal: nothing was performed.
#[derive(Debug)]
pub(super) struct Answer {
    /// The `error` member and the status.
    pub(super) code: ErrorCode,
    /// What it means for the caller.
    pub(super) meaning: &'static str,
    pub(super) at: &'static [At],
}

impl Answer {
    pub(super) fn code(&self) -> &'static str {
        self.code.code()
    }

    pub(super) fn status(&self) -> u16 {
        self.code.status()
    }
}

/// Every refusal that has a code of the protocol's.
pub(super) static ANSWERS: [Answer; 14] = [
    Answer {
        code: ErrorCode::InvalidRequest,
        meaning: "The request is not of the form that is described here.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::InvalidToken,
        meaning: "The Session Token is missing, unknown, expired or not for this endpoint.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::InvalidDpopProof,
        meaning: "The DPoP proof is missing, malformed, for another request, or was used before.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::UseDpopNonce,
        meaning: "The proof must carry the nonce that is in the `DPoP-Nonce` header.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::SignInRequired,
        meaning: "The Session has to be signed in; `scope` names what is needed, when known.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::InsufficientScope,
        meaning: "The token lacks a scope; `scope` names those that are needed.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::ExtensionRequired,
        meaning: "The Personal Agent does not list the extension that `extension` names.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::UserApprovalRequired,
        meaning: "The operation needs the User's approval of this revision, not a standing permission.",
        at: &[At::Confirm],
    },
    Answer {
        code: ErrorCode::OperationNotFound,
        meaning: "The operation is unknown, or this Session cannot use it.",
        at: AT_THE_ENDPOINT,
    },
    Answer {
        code: ErrorCode::TermsChanged,
        meaning: "The revision is not the latest. `operation` is the current one, so that the User can approve its terms.",
        at: &[At::Confirm],
    },
    Answer {
        code: ErrorCode::RequestTooLarge,
        meaning: "The body of the request is larger than the company reads.",
        at: &[At::Propose, At::Confirm],
    },
    Answer {
        code: ErrorCode::RateLimited,
        meaning: "Too many requests: ask again after the time in `Retry-After`.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::InternalError,
        meaning: "The company's own fault. Nothing was proposed; whether a confirm counted is found out by reading the operation, or by confirming again.",
        at: EVERYWHERE,
    },
    Answer {
        code: ErrorCode::TemporarilyUnavailable,
        meaning: "The company cannot answer now. Nothing was changed by this request; ask again with the same operation.",
        at: EVERYWHERE,
    },
];

/// The refusals of an endpoint, in the order of their statuses.
pub(super) fn at(place: At) -> impl Iterator<Item = &'static Answer> {
    ANSWERS.iter().filter(move |answer| answer.at.contains(&place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_protocol_is_described_unless_its_address_is_none() {
        for code in ErrorCode::ALL {
            let is_described = ANSWERS.iter().any(|answer| answer.code == code);
            let is_elsewhere = matches!(code, ErrorCode::NotFound | ErrorCode::MethodNotAllowed);
            assert_ne!(is_described, is_elsewhere, "{code}");
        }
    }

    #[test]
    fn the_answers_stand_in_the_order_of_their_statuses() {
        assert!(ANSWERS.iter().map(Answer::status).is_sorted());
    }

    /// OPS-9-2, OPS-9-3, OPS-9-4, OPS-9-6, OPS-9-7
    #[test]
    fn every_error_of_the_specification_is_at_its_endpoint_with_its_status() {
        let statuses =
            |place| at(place).map(|answer| (answer.code(), answer.status())).collect::<Vec<_>>();
        let confirm = statuses(At::Confirm);
        assert!(confirm.contains(&("operation_not_found", 404)));
        assert!(confirm.contains(&("terms_changed", 409)));
        assert!(confirm.contains(&("user_approval_required", 403)));
        assert!(statuses(At::Propose).contains(&("extension_required", 403)));
        assert!(!statuses(At::Propose).contains(&("operation_not_found", 404)));
        for place in [At::Propose, At::Read, At::Confirm, At::Cancel] {
            for code in ["invalid_token", "invalid_dpop_proof", "use_dpop_nonce"] {
                assert!(statuses(place).contains(&(code, 401)), "{code}");
            }
            for code in ["sign_in_required", "insufficient_scope"] {
                assert!(statuses(place).contains(&(code, 403)), "{code}");
            }
        }
    }
}
