//! What is wrong, where, by which rule, and how to put it right.

use std::fmt::{Display, Formatter};

/// One broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Finding {
    /// The file, relative to the repository.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong: lower case, names in backticks.
    pub what: String,
    /// The rule that it breaks.
    pub rule: &'static str,
    /// What to do about it.
    pub help: String,
}

impl Finding {
    /// A finding of `rule` in `path`, at `line`.
    pub fn new(
        rule: &'static str,
        (path, line): (&str, usize),
        what: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { path: path.to_owned(), line, what: what.into(), rule, help: help.into() }
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}:{}: {}", self.path, self.line, self.what)?;
        writeln!(f, "  rule: {}", self.rule)?;
        write!(f, "  help: {}", self.help)
    }
}
