//! Why a JSON text was refused.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{Display, Formatter};

/// A JSON text was refused. Says what is wrong and where, and never repeats what the text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    problem: Cow<'static, str>,
    at: Option<usize>,
}

impl Refused {
    /// What is wrong, in plain words.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Where it was noticed, in bytes from the start; none if it is about the whole text.
    pub fn at(&self) -> Option<usize> {
        self.at
    }

    pub(crate) fn new(problem: impl Into<Cow<'static, str>>) -> Self {
        Self { problem: problem.into(), at: None }
    }

    pub(super) fn at_byte(problem: impl Into<Cow<'static, str>>, at: usize) -> Self {
        Self { problem: problem.into(), at: Some(at) }
    }

    /// What `serde_json` refused about `text`, without the values that its messages repeat.
    pub(super) fn from_serde(error: &serde_json::Error, text: &str) -> Self {
        use serde_json::error::Category;
        let problem = match error.classify() {
            Category::Eof => Cow::Borrowed("it ends before the JSON value does"),
            Category::Syntax | Category::Io => Cow::Borrowed("it is not JSON"),
            Category::Data => Cow::Owned(without_values(&error.to_string())),
        };
        Self { problem, at: byte_of(text, error.line(), error.column()) }
    }
}

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.problem)?;
        self.at.map_or(Ok(()), |at| write!(f, ", noticed at byte {at}"))
    }
}

impl Error for Refused {}

/// The messages of serde's own errors, down to the parts that the program wrote: what was expected, and
/// the names of missing members. Everything else may repeat a value.
fn without_values(message: &str) -> String {
    let message = match message.rsplit_once(" at line ") {
        Some((message, _)) => message,
        None => message,
    };
    // the last `, expected` is the program's: a value comes before it
    if let Some((_, expected)) = message.rsplit_once(", expected ") {
        return format!("expected {expected}");
    }
    if message.starts_with("missing field `") {
        return message.replacen("field", "member", 1);
    }
    "a value is not of the form that is expected".to_owned()
}

fn byte_of(text: &str, line: usize, column: usize) -> Option<usize> {
    let before: usize = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    // the column counts the byte that was noticed as 1, and 0 stands for the line break before
    Some((before + column).saturating_sub(1))
}
