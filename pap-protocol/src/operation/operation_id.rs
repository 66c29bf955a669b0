//! What identifies an operation.

use std::fmt::{Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

use crate::text::wire_string;
use crate::value::NotAValue;

/// Identifies an operation at its Company (section 3): 1 to 256 of `A-Z a-z 0-9 _ -`.
///
/// # Examples
///
/// ```
/// use pap_protocol::operation::OperationId;
///
/// assert!("exc_5Rt2".parse::<OperationId>().is_ok());
/// assert!("exc/5Rt2".parse::<OperationId>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId(Arc<str>);

impl OperationId {
    /// The id as on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for OperationId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Display for OperationId {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for OperationId {
    type Error = NotAValue;

    fn try_from(text: String) -> Result<Self, NotAValue> {
        if is_id(&text) { Ok(Self(text.into())) } else { Err(NotAValue::new(EXPECTED)) }
    }
}

impl FromStr for OperationId {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        if is_id(text) { Ok(Self(text.into())) } else { Err(NotAValue::new(EXPECTED)) }
    }
}

impl From<OperationId> for String {
    fn from(id: OperationId) -> Self {
        id.0.as_ref().into()
    }
}

const EXPECTED: &str = "an operation id: 1 to 256 of `A-Z a-z 0-9 _ -`";

wire_string!(OperationId, EXPECTED);

fn is_id(text: &str) -> bool {
    (1..=256).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
