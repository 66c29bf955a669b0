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

    /// The grammar of JSON does not fit.
    pub(super) fn grammar(error: &serde_json::Error, text: &str) -> Self {
        if error.is_eof() {
            return Self::at_byte("it ends before the JSON value does", text.len());
        }
        Self { problem: "it is not JSON".into(), at: byte_of(text, error) }
    }

    /// The text is JSON, and a type does not fit: without the values that serde's messages repeat.
    pub(super) fn form(error: &serde_json::Error, text: &str) -> Self {
        let problem = if error.is_data() {
            without_values(&error.to_string())
        } else {
            "a number or the nesting is out of range".to_owned()
        };
        Self { problem: problem.into(), at: byte_of(text, error) }
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
    let message = message.rsplit_once(" at line ").map_or(message, |(message, _)| message);
    // the last `, expected` is the program's: a value comes before it
    if let Some((_, expected)) = message.rsplit_once(", expected ") {
        return format!("expected {expected}");
    }
    if message.starts_with("missing field `") {
        return message.replacen("field", "member", 1);
    }
    "a value is not of the form that is expected".to_owned()
}

/// Where `serde_json` noticed it, which counts lines and bytes in a line, both from 1.
fn byte_of(text: &str, error: &serde_json::Error) -> Option<usize> {
    let lines_before = error.line().checked_sub(1)?;
    let before: usize = text.split_inclusive('\n').take(lines_before).map(str::len).sum();
    Some((before + error.column()).saturating_sub(1))
}
