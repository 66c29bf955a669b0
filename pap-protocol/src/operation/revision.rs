//! Which version of the terms.

use std::fmt::{Display, Formatter};
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::value::NotAValue;

/// Which version of the terms this is (section 3.1): starts at 1, and grows by one each time they change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(NonZeroU32);

impl Revision {
    /// The revision that is proposed first.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// The revision after this one.
    ///
    /// Four thousand million revisions are not reached; there the number stays, and the store's rule
    /// that each number is issued once refuses the change.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The number on the wire.
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

impl TryFrom<u32> for Revision {
    type Error = NotAValue;

    fn try_from(number: u32) -> Result<Self, NotAValue> {
        let number = NonZeroU32::new(number);
        number.map(Self).ok_or_else(|| NotAValue::new("a revision: a whole number from 1"))
    }
}

impl From<Revision> for u32 {
    fn from(revision: Revision) -> Self {
        revision.get()
    }
}

impl Display for Revision {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}
