//! Why a proof was refused.

use std::error::Error;
use std::fmt::{Display, Formatter};

use crate::refusal::ErrorCode;

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $reason:literal;)*) => {
        /// Why a proof was refused: for a log, with nothing of the proof in it. An agent is told the
        /// [`ProofRefused::code`] alone.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ProofRefused {
            $($(#[$doc])* $name,)*
        }

        impl ProofRefused {
            /// All of them, in the order in which they are looked for.
            pub const ALL: [Self; [$($reason),*].len()] = [$(Self::$name),*];

            /// The reason in words.
            pub fn reason(self) -> &'static str {
                match self {
                    $(Self::$name => $reason,)*
                }
            }
        }
    };
}

reasons! {
    /// More than [`PROOF_BYTES_MAX`](super::PROOF_BYTES_MAX) bytes.
    TooLarge = "the proof is too large";
    /// Not three parts of canonical base64url.
    NotAJwt = "the proof is not a compact JWT";
    /// The header is not strict JSON of the form it should have.
    Header = "the header of the proof is not of its form";
    /// `typ` is not `dpop+jwt`.
    Type = "`typ` is not `dpop+jwt`";
    /// `alg` is neither `ES256` nor `RS256`.
    Algorithm = "`alg` is neither ES256 nor RS256";
    /// The header demands an extension of JWS.
    Critical = "`crit` demands what is not known here";
    /// `jwk` is not a complete public key for the algorithm.
    PublicKey = "`jwk` is not a complete public key for `alg`";
    /// `jwk` has a member of a private key.
    PrivateKey = "`jwk` has a private member";
    /// The signature is not the key's.
    Signature = "the signature does not verify";
    /// The payload is not strict JSON of the form it should have.
    Payload = "the payload of the proof is not of its form";
    /// `jti` has less than 16 or more than 256 characters.
    Jti = "`jti` has not 16 to 256 characters";
    /// `iat` is further from the clock than [`WINDOW_S`](super::WINDOW_S).
    IssuedAt = "`iat` is too far from the clock";
    /// `htm` is not the request's method.
    Method = "`htm` is not the method";
    /// `htu` is not the request's URL.
    Url = "`htu` is not the URL";
    /// `ath` is missing beside a token, is another token's, or is there without one.
    AccessTokenHash = "`ath` does not fit the access token";
    /// The key is not the one that the token is bound to.
    Thumbprint = "the key is not the one the token is bound to";
    /// A nonce is wanted, and this is not it.
    Nonce = "`nonce` is not the one that is wanted";
}

impl ProofRefused {
    /// What the agent is told: `use_dpop_nonce` about a nonce, otherwise `invalid_dpop_proof`.
    pub fn code(self) -> ErrorCode {
        match self {
            Self::Nonce => ErrorCode::UseDpopNonce,
            Self::TooLarge
            | Self::NotAJwt
            | Self::Header
            | Self::Type
            | Self::Algorithm
            | Self::Critical
            | Self::PublicKey
            | Self::PrivateKey
            | Self::Signature
            | Self::Payload
            | Self::Jti
            | Self::IssuedAt
            | Self::Method
            | Self::Url
            | Self::AccessTokenHash
            | Self::Thumbprint => ErrorCode::InvalidDpopProof,
        }
    }
}

impl Display for ProofRefused {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.reason())
    }
}

impl Error for ProofRefused {}
