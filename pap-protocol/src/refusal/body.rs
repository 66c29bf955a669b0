//! The JSON body of a refusal.

use std::convert::Infallible;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{ErrorCode, Scheme, challenge};
use crate::json::{Limits, OnlyObject, Refused, decode, strict};
use crate::operation::Operation;

/// The JSON body of a refusal (section 9). Members that are absent are left out.
///
/// An agent reads codes it does not know, too: a Company has its own for what it does not offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "the members that an answer can carry, by section 9")]
pub struct ErrorBody {
    /// What is wrong.
    pub error: Code,
    /// The current operation, with `terms_changed`.
    #[serde(default, deserialize_with = "operation", skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
    /// The scopes that are needed, separated by spaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// The extension that is needed, with `extension_required`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension: Option<String>,
    /// The same in plain language, where a Company says more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The value of `error`: a code of the protocol, or another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a code is known or it is not")]
pub enum Code {
    /// A code of the protocol.
    Known(ErrorCode),
    /// A Company's own code, or one of a later version.
    Other(String),
}

impl ErrorBody {
    /// A body with the code alone.
    pub fn new(error: impl Into<Code>) -> Self {
        Self { error: error.into(), operation: None, scope: None, extension: None, message: None }
    }

    /// `terms_changed`, with the current operation.
    pub fn terms_changed(current: Operation) -> Self {
        Self { operation: Some(current), ..Self::new(ErrorCode::TermsChanged) }
    }

    /// `extension_required`, with the name of the extension.
    pub fn extension_required(extension: impl Into<String>) -> Self {
        Self { extension: Some(extension.into()), ..Self::new(ErrorCode::ExtensionRequired) }
    }

    /// With the scopes that are needed.
    #[must_use]
    pub fn with_scope(mut self, scope: impl Into<String>) -> Self {
        self.scope = Some(scope.into());
        self
    }

    /// With the current operation.
    #[must_use]
    pub fn with_operation(mut self, operation: Operation) -> Self {
        self.operation = Some(operation);
        self
    }

    /// With the same in plain language.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Reads the body of an answer and checks its operation. Members that are not known are ignored.
    ///
    /// # Errors
    ///
    /// [`Refused`] if it is not strict JSON, has no `error`, or carries an operation that is none.
    pub fn from_json(bytes: &[u8]) -> Result<Self, Refused> {
        let text = strict(bytes, Limits::default())?;
        let OnlyObject(body) = decode::<OnlyObject<Self>>(text)?;
        body.operation.as_ref().map_or(Ok(()), Operation::check)?;
        Ok(body)
    }

    /// The `DPoP` challenge that goes with it, for the codes that have one.
    pub fn challenge(&self) -> Option<String> {
        let Code::Known(code) = self.error else { return None };
        let members = [("scope", self.scope.as_deref()), ("extension", self.extension.as_deref())];
        let members: Vec<_> =
            members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        code.has_challenge().then(|| challenge(Scheme::Dpop, code, &members))
    }
}

impl Code {
    /// The code as on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(code) => code.code(),
            Self::Other(code) => code,
        }
    }
}

impl From<ErrorCode> for Code {
    fn from(code: ErrorCode) -> Self {
        Self::Known(code)
    }
}

impl From<&str> for Code {
    fn from(code: &str) -> Self {
        code.parse().map_or_else(|_| Self::Other(code.to_owned()), Self::Known)
    }
}

impl FromStr for Code {
    type Err = Infallible;

    fn from_str(code: &str) -> Result<Self, Infallible> {
        Ok(Self::from(code))
    }
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|code| Self::from(code.as_str()))
    }
}

fn operation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Operation>, D::Error> {
    crate::json::object_or_null(deserializer)
}
