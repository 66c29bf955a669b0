//! From text to pieces. Every input is either a template or a list of faults, never a panic.

use std::ops::Range;

use super::{Piece, Placeholder, Template};

/// What is wrong with a template, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The bytes of the template that are wrong.
    pub at: Range<usize>,
}

/// The ways a template's braces can be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// A `{` without its `}`.
    Unclosed,
    /// A `}` without its `{`.
    Unopened,
    /// `{}`: positions mean nothing here.
    NoName,
    /// What stands in the braces is no field name.
    BadName(String),
    /// What stands after the colon is no format name.
    BadFormat(String),
}

impl FaultKind {
    /// What is wrong, in words.
    pub fn message(&self) -> String {
        match self {
            Self::Unclosed => "the summary has a `{` that is never closed".to_owned(),
            Self::Unopened => "the summary has a `}` without a `{` before it".to_owned(),
            Self::NoName => "the summary has `{}`, which names no field".to_owned(),
            Self::BadName(name) => format!("`{{{name}}}` in the summary is no field name"),
            Self::BadFormat(format) => format!("`:{format}` in the summary is no format name"),
        }
    }

    /// What to type instead.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unclosed => "write `{field}`, or `{{` for a brace that the User reads",
            Self::Unopened => "write `{field}`, or `}}` for a brace that the User reads",
            Self::NoName | Self::BadName(_) => {
                "write a field's name between the braces: `{order_id}`"
            }
            Self::BadFormat(_) => "write a format of the field's type: `{departs_at:date}`",
        }
    }
}

pub(super) fn parse(text: &str) -> Result<Template, Vec<Fault>> {
    let mut reader = Reader { pieces: Vec::new(), faults: Vec::new(), text: String::new() };
    let mut rest = text;
    while let Some((start, brace)) = rest.char_indices().find(|(_, c)| matches!(c, '{' | '}')) {
        let (before, from) = rest.split_at(start);
        let at = text.len() - from.len();
        reader.text.push_str(before);
        let length = match brace {
            '{' => reader.opened(from, at),
            _ => reader.closed(from, at),
        };
        // every step takes at least the brace, which is one byte
        rest = from.get(length.max(1)..).unwrap_or_default();
    }
    reader.text.push_str(rest);
    reader.end()
}

struct Reader {
    pieces: Vec<Piece>,
    faults: Vec<Fault>,
    text: String,
}

impl Reader {
    /// Reads what begins with `{`; how many bytes it took.
    fn opened(&mut self, from: &str, at: usize) -> usize {
        if from.starts_with("{{") {
            self.text.push('{');
            return 2;
        }
        let inside = from.strip_prefix('{').unwrap_or(from);
        let Some((inside, _)) = inside.split_once('}').filter(|(inside, _)| !inside.contains('{'))
        else {
            self.fault(FaultKind::Unclosed, at..at + 1);
            return 1;
        };
        let length = inside.len() + 2;
        self.placeholder(inside, at..at + length);
        length
    }

    fn closed(&mut self, from: &str, at: usize) -> usize {
        if from.starts_with("}}") {
            self.text.push('}');
            return 2;
        }
        self.fault(FaultKind::Unopened, at..at + 1);
        1
    }

    fn placeholder(&mut self, inside: &str, at: Range<usize>) {
        let (name, format) = match inside.split_once(':') {
            Some((name, format)) => (name, Some(format)),
            None => (inside, None),
        };
        if inside.is_empty() {
            self.fault(FaultKind::NoName, at);
        } else if !is_name(name) {
            self.fault(FaultKind::BadName(name.to_owned()), at);
        } else if let Some(format) = format.filter(|format| !is_name(format)) {
            self.fault(FaultKind::BadFormat(format.to_owned()), at);
        } else {
            self.flush();
            let format = format.unwrap_or_default().to_owned();
            self.pieces.push(Piece::Placeholder(Placeholder { name: name.to_owned(), format, at }));
        }
    }

    fn fault(&mut self, kind: FaultKind, at: Range<usize>) {
        self.faults.push(Fault { kind, at });
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.pieces.push(Piece::Text(std::mem::take(&mut self.text)));
        }
    }

    fn end(mut self) -> Result<Template, Vec<Fault>> {
        self.flush();
        if self.faults.is_empty() { Ok(Template { pieces: self.pieces }) } else { Err(self.faults) }
    }
}

fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && chars.all(|c| c == '_' || c.is_alphanumeric())
}
