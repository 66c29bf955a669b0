//! Why a text was refused as a value.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{Display, Formatter};

/// A text is not the value it should be. Says what was expected, never what was found: values are
/// terms, and terms stay out of logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAValue {
    expected: Cow<'static, str>,
}

impl NotAValue {
    /// What was expected, such as ``a calendar day, such as `2026-10-08` ``.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    pub(crate) fn new(expected: impl Into<Cow<'static, str>>) -> Self {
        Self { expected: expected.into() }
    }
}

impl Display for NotAValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl Error for NotAValue {}
