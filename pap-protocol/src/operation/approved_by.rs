//! How the User approved.

use std::fmt::{Display, Formatter};
use std::str::FromStr;

use crate::text::wire_string;
use crate::value::NotAValue;

/// How the User approved, as the Personal Agent states it (section 5.1). A statement on trust, not a
/// proof (section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the two ways of version 1")]
pub enum ApprovedBy {
    /// The User was shown this revision's terms, and approved them.
    User,
    /// A permission that the User gave earlier covers these terms.
    StandingPermission,
}

impl ApprovedBy {
    /// Both, in the order of the specification.
    pub const ALL: [Self; 2] = [Self::User, Self::StandingPermission];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::StandingPermission => "standing_permission",
        }
    }
}

impl Display for ApprovedBy {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ApprovedBy {
    type Err = NotAValue;

    fn from_str(text: &str) -> Result<Self, NotAValue> {
        let approved_by = Self::ALL.into_iter().find(|approved_by| approved_by.as_str() == text);
        approved_by.ok_or_else(|| NotAValue::new(EXPECTED))
    }
}

const EXPECTED: &str = "`user` or `standing_permission`";

wire_string!(ApprovedBy, EXPECTED);
