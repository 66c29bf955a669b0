//! What an endpoint answers when it refuses: the codes of section 9 and of the base protocol.

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

/// A refusal: nothing was changed.
#[derive(Debug)]
pub(super) struct Answer {
    /// The `error` member.
    pub(super) code: &'static str,
    pub(super) status: u16,
    /// What it means for the caller.
    pub(super) meaning: &'static str,
    pub(super) at: &'static [At],
}

/// Every refusal that has a code of the protocol's.
pub(super) static ANSWERS: [Answer; 13] = [
    Answer {
        code: "invalid_request",
        status: 400,
        meaning: "The request is not of the form that is described here.",
        at: EVERYWHERE,
    },
    Answer {
        code: "invalid_token",
        status: 401,
        meaning: "The Session Token is missing, unknown, expired or not for this endpoint.",
        at: EVERYWHERE,
    },
    Answer {
        code: "invalid_dpop_proof",
        status: 401,
        meaning: "The DPoP proof is missing, malformed, for another request, or was used before.",
        at: EVERYWHERE,
    },
    Answer {
        code: "use_dpop_nonce",
        status: 401,
        meaning: "The proof must carry the nonce that is in the `DPoP-Nonce` header.",
        at: EVERYWHERE,
    },
    Answer {
        code: "sign_in_required",
        status: 403,
        meaning: "The Session has to be signed in; `scope` names what is needed, when known.",
        at: EVERYWHERE,
    },
    Answer {
        code: "insufficient_scope",
        status: 403,
        meaning: "The token lacks a scope; `scope` names those that are needed.",
        at: EVERYWHERE,
    },
    Answer {
        code: "extension_required",
        status: 403,
        meaning: "The Personal Agent does not list the extension that `extension` names.",
        at: EVERYWHERE,
    },
    Answer {
        code: "user_approval_required",
        status: 403,
        meaning: "The operation needs the User's approval of this revision, not a standing permission.",
        at: &[At::Confirm],
    },
    Answer {
        code: "operation_not_found",
        status: 404,
        meaning: "The operation is unknown, or this Session cannot use it.",
        at: AT_THE_ENDPOINT,
    },
    Answer {
        code: "terms_changed",
        status: 409,
        meaning: "The revision is not the latest. `operation` is the current one, so that the User can approve its terms.",
        at: &[At::Confirm],
    },
    Answer {
        code: "request_too_large",
        status: 413,
        meaning: "The body of the request is larger than the company reads.",
        at: &[At::Propose, At::Confirm],
    },
    Answer {
        code: "rate_limited",
        status: 429,
        meaning: "Too many requests: ask again after the time in `Retry-After`.",
        at: EVERYWHERE,
    },
    Answer {
        code: "temporarily_unavailable",
        status: 503,
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

    /// OPS-9-2, OPS-9-3, OPS-9-4, OPS-9-6, OPS-9-7
    #[test]
    fn every_error_of_the_specification_is_at_its_endpoint_with_its_status() {
        let statuses =
            |place| at(place).map(|answer| (answer.code, answer.status)).collect::<Vec<_>>();
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
