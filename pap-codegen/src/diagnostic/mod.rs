//! What is wrong, in one form for people and machines.

mod render;

use std::fmt;
use std::ops::Range;

pub use crate::codes::Code;
use crate::exit::Exit;

/// Something that is wrong: what, where, which rule, and what to type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Problem {
    /// Its page.
    pub code: Code,
    /// What is wrong, in one line, lower case.
    pub message: String,
    /// The rule behind it.
    pub note: Option<String>,
    /// What to type.
    pub help: Option<String>,
    /// The file that it is in, if its text can be shown.
    pub file: Option<Box<Excerpt>>,
    /// A warning: the work was done.
    pub is_warning: bool,
}

/// A place in a file that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The file as the person named it.
    pub name: String,
    /// All of its text.
    pub text: String,
    /// The bytes that are meant.
    pub span: Range<usize>,
    /// What is said about them.
    pub label: String,
}

impl Problem {
    /// A problem without a place.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message, note: None, help: None, file: None, is_warning: false }
    }

    /// Adds the rule behind it.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds what to type.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, name: &str, text: &str, span: Range<usize>, label: &str) -> Self {
        let (name, text, label) = (name.to_owned(), text.to_owned(), label.to_owned());
        self.file = Some(Box::new(Excerpt { name, text, span, label }));
        self
    }

    /// Makes it a warning: it is said, and the work is done.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.is_warning = true;
        self
    }

    /// How a run ends that met this problem.
    pub fn exit(&self) -> Exit {
        if self.is_warning {
            return Exit::Done;
        }
        self.code.exit()
    }

    /// Something of ours that cannot happen, happened.
    pub fn bug(message: impl fmt::Display) -> Self {
        Self::new(Code::Bug, format!("this is a bug in pap-codegen: {message}"))
            .help("report it with this message; your declarations are not the cause")
    }

    /// A file could not be read or written.
    pub fn file(doing: &str, path: &str, error: &std::io::Error) -> Self {
        Self::new(Code::Files, format!("`{path}` could not be {doing}: {error}"))
    }
}
