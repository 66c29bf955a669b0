//! Where an operation is.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use crate::text::wire_string;
use crate::value::NotAValue;

/// Where an operation is (section 3). A final state never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the six states of version 1: whoever decides by state must handle each"
)]
pub enum State {
    /// Waiting to be confirmed, until `expires_at`.
    Proposed,
    /// Confirmed: the Company is performing the action, or finding out whether it took effect.
    InProgress,
    /// The action was performed. Final.
    Succeeded,
    /// The action was not completed; the result tells the changes that were made. Final.
    Failed,
    /// Declined before confirmation, or stopped after it; the result tells the changes that were made.
    /// Final.
    Cancelled,
    /// Not confirmed in time, nothing was done. Final.
    Expired,
}

impl State {
    /// All six, in the order of the specification.
    pub const ALL: [Self; 6] = [
        Self::Proposed,
        Self::InProgress,
        Self::Succeeded,
        Self::Failed,
        Self::Cancelled,
        Self::Expired,
    ];

    /// Whether the operation has ended.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Proposed | Self::InProgress)
    }

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::InProgress => "in_progress",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
        }
    }
}

impl Display for State {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for State {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let state = Self::ALL.into_iter().find(|state| state.as_str() == text);
        state.ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "`proposed`, `in_progress`, `succeeded`, `failed`, `cancelled` or `expired`";

wire_string!(State, EXPECTED);
