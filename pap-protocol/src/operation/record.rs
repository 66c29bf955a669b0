//! One action that a Company has proposed, as every channel shows it.

use std::fmt::{Debug, Formatter};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::{ApprovedBy, OperationId, Revision, State};
use crate::json::{
    Limits, OnlyObject, Refused, decode, not_null, object_or_null, only_object, strict,
};
use crate::value::{Instant, Url};

/// One action that a Company has proposed, with the terms the User approves and, later, its result
/// (section 3).
///
/// `terms` and `result.data` are raw JSON text: what the Company wrote is what the agent gets and what
/// the User approves, byte for byte. Two operations are equal if their texts are. `Debug` shows neither
/// terms nor summaries.
#[derive(Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Operation {
    /// Identifies the operation at this Company.
    pub operation_id: OperationId,
    /// Which version of the terms this is.
    pub revision: Revision,
    /// Where the operation is.
    pub state: State,
    /// The terms in plain language, written so that the User can decide from it alone.
    pub summary: String,
    /// The same terms as a JSON object.
    #[serde(default, deserialize_with = "object_text", skip_serializing_if = "Option::is_none")]
    pub terms: Option<Box<RawValue>>,
    /// The last time this revision can be confirmed; there while proposed.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Instant>,
    /// Whether only the User's approval of this revision is accepted, not an earlier permission.
    #[serde(default)]
    pub user_approval_required: bool,
    /// A page on the Company's website that shows this operation in the same Session.
    #[serde(default, deserialize_with = "not_null", skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What was confirmed, how and when; `null` until then.
    #[serde(deserialize_with = "object_or_null")]
    pub confirmation: Option<Confirmation>,
    /// What happened; `null` until the operation is final.
    #[serde(deserialize_with = "object_or_null")]
    pub result: Option<OperationResult>,
}

/// Which revision was confirmed, how it was approved, and when (section 5.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "these three members are the confirmation, by section 3"
)]
pub struct Confirmation {
    /// The confirmed revision.
    pub revision: Revision,
    /// How the User approved it.
    pub approved_by: ApprovedBy,
    /// When the Company recorded it.
    pub confirmed_at: Instant,
}

/// What happened, once an operation is final (section 6).
#[derive(Clone, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "these two members are the result, by section 3")]
pub struct OperationResult {
    /// Every change that was made, in plain language.
    pub summary: String,
    /// Details, such as a business reference, as raw JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Box<RawValue>>,
}

/// What a proposing endpoint answers with 202 (section 4.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::exhaustive_structs, reason = "the operation is the body, by section 4.1")]
pub struct Proposed {
    /// The operation, not performed.
    #[serde(deserialize_with = "only_object")]
    pub operation: Operation,
}

impl Operation {
    /// An operation with the members that every operation has; the others are absent or `null`.
    pub fn new(
        operation_id: OperationId,
        revision: Revision,
        state: State,
        summary: impl Into<String>,
    ) -> Self {
        Self {
            operation_id,
            revision,
            state,
            summary: summary.into(),
            terms: None,
            expires_at: None,
            user_approval_required: false,
            url: None,
            confirmation: None,
            result: None,
        }
    }

    /// Reads an operation and checks it. Members that are not known are ignored.
    ///
    /// # Errors
    ///
    /// [`Refused`] if it is not strict JSON, not the object of section 3, or fails [`Operation::check`].
    pub fn from_json(bytes: &[u8]) -> Result<Self, Refused> {
        let text = strict(bytes, Limits::default())?;
        let OnlyObject(operation) = decode::<OnlyObject<Self>>(text)?;
        operation.check()?;
        Ok(operation)
    }

    /// Checks what section 3 says about members together: each state has the members it must have, and
    /// none that it cannot have.
    ///
    /// # Errors
    ///
    /// [`Refused`] with the first rule that does not hold.
    pub fn check(&self) -> Result<(), Refused> {
        let confirmed = self.confirmation.as_ref();
        let broken = [
            (self.summary.trim().is_empty(), "`summary` is empty"),
            (self.terms.as_deref().is_some_and(|terms| !is_object(terms)), "`terms` is no object"),
            (self.url.as_ref().is_some_and(|url| url.parse::<Url>().is_err()), URL),
            (self.state == State::Proposed && self.expires_at.is_none(), EXPIRES_AT),
            (confirmed.is_some_and(|confirmed| confirmed.revision != self.revision), REVISION),
            (self.result.is_some() != self.state.is_final(), RESULT),
            (!self.confirmation_fits(), CONFIRMATION),
        ];
        let broken = broken.into_iter().find_map(|(broken, rule)| broken.then_some(rule));
        broken.map_or(Ok(()), |rule| Err(Refused::new(rule)))
    }

    fn confirmation_fits(&self) -> bool {
        match self.state {
            State::Proposed | State::Expired => self.confirmation.is_none(),
            State::InProgress | State::Succeeded | State::Failed => self.confirmation.is_some(),
            State::Cancelled => true,
        }
    }
}

const URL: &str = "`url` is not an absolute `https` address";
const EXPIRES_AT: &str = "`expires_at` is absent while the operation is proposed";
const REVISION: &str = "`confirmation` is of another revision";
const RESULT: &str = "`result` is there exactly when the operation is final";
const CONFIRMATION: &str = "`confirmation` is there exactly when the operation was confirmed";

impl Proposed {
    /// The 202 body that carries this operation.
    pub fn new(operation: Operation) -> Self {
        Self { operation }
    }

    /// Reads the 202 body and checks its operation.
    ///
    /// # Errors
    ///
    /// As [`Operation::from_json`].
    pub fn from_json(bytes: &[u8]) -> Result<Self, Refused> {
        let text = strict(bytes, Limits::default())?;
        let OnlyObject(proposed) = decode::<OnlyObject<Self>>(text)?;
        proposed.operation.check()?;
        Ok(proposed)
    }
}

impl Confirmation {
    /// That revision was confirmed.
    pub fn new(revision: Revision, approved_by: ApprovedBy, confirmed_at: Instant) -> Self {
        Self { revision, approved_by, confirmed_at }
    }
}

impl OperationResult {
    /// A result with a summary alone.
    pub fn new(summary: impl Into<String>) -> Self {
        Self { summary: summary.into(), data: None }
    }

    /// With details.
    #[must_use]
    pub fn with_data(mut self, data: Box<RawValue>) -> Self {
        self.data = Some(data);
        self
    }
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.operation_id == other.operation_id
            && self.revision == other.revision
            && self.state == other.state
            && self.summary == other.summary
            && text_of(self.terms.as_deref()) == text_of(other.terms.as_deref())
            && self.expires_at == other.expires_at
            && self.user_approval_required == other.user_approval_required
            && self.url == other.url
            && self.confirmation == other.confirmation
            && self.result == other.result
    }
}

impl Eq for Operation {}

impl PartialEq for OperationResult {
    fn eq(&self, other: &Self) -> bool {
        self.summary == other.summary
            && text_of(self.data.as_deref()) == text_of(other.data.as_deref())
    }
}

impl Eq for OperationResult {}

impl Debug for Operation {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operation")
            .field("operation_id", &self.operation_id)
            .field("revision", &self.revision)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl Debug for OperationResult {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OperationResult").finish_non_exhaustive()
    }
}

fn text_of(raw: Option<&RawValue>) -> Option<&str> {
    raw.map(RawValue::get)
}

fn is_object(raw: &RawValue) -> bool {
    raw.get().trim_start().starts_with('{')
}

/// Reads a member that may be absent and otherwise is an object, and keeps its text.
fn object_text<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Box<RawValue>>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    if is_object(&raw) {
        return Ok(Some(raw));
    }
    let found = serde::de::Unexpected::Other("the value");
    Err(serde::de::Error::invalid_type(found, &"`terms` to be an object"))
}
