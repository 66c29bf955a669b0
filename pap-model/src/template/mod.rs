//! Summary templates: text with `{field}` and `{field:format}` in it. Pure text, no syntax trees.

mod parse;
mod prose;
#[cfg(test)]
mod tests;

pub use parse::{Fault, FaultKind};
pub use prose::{MAX_CHARS, Prose, prose_faults};

use std::ops::Range;

/// A template that was read without fault.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Template {
    /// Its parts in order; no two texts stand side by side.
    pub pieces: Vec<Piece>,
}

/// One part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a template has these two parts and no others")]
pub enum Piece {
    /// This text, with `{{` and `}}` read as one brace each.
    Text(String),
    /// The value of a field.
    Placeholder(Placeholder),
}

/// The place of a field in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placeholder {
    /// The field's name.
    pub name: String,
    /// A named format of the field's type; empty: its usual one.
    pub format: String,
    /// The bytes of the template that it takes up, braces included.
    pub at: Range<usize>,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// Every fault of its braces, in order.
    pub fn parse(text: &str) -> Result<Self, Vec<Fault>> {
        parse::parse(text)
    }

    /// The fields it names, in order, each as often as it is named.
    pub fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Placeholder(placeholder) => Some(placeholder),
        })
    }

    /// Whether it states this field.
    pub fn states(&self, field: &str) -> bool {
        self.placeholders().any(|placeholder| placeholder.name == field)
    }

    /// The text outside the placeholders.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Placeholder(_) => None,
        })
    }

    /// The text with each placeholder said by `say`.
    pub fn render(&self, mut say: impl FnMut(&Placeholder) -> String) -> String {
        let said = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Placeholder(placeholder) => say(placeholder),
        });
        said.collect()
    }
}
