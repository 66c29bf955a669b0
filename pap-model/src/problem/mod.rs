//! What is wrong with a declaration: one text, rendered by the compiler and by the command line.

mod codes;
mod sink;
#[cfg(test)]
mod tests;

pub use codes::{Code, explain};
pub use sink::ErrorSink;

use std::fmt::Write as _;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// One mistake in a declaration, with where it is, why it is one, and what to type instead.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Problem {
    /// The stable code, explained by a page of its own.
    pub code: Code,
    /// What is wrong, in the author's words: lower case, names in backticks, no full stop.
    pub message: String,
    /// Where: the first label is the place to edit, the others say where the conflict comes from.
    pub labels: Vec<Label>,
    /// The rule behind it, one line.
    pub note: Option<String>,
    /// What to type.
    pub help: Option<String>,
}

/// A place in the author's sources and what it has to do with the problem.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Label {
    /// The first token of the place.
    pub start: Span,
    /// The last token of the place.
    pub end: Span,
    /// What to say there; may be empty for the place to edit.
    pub text: String,
}

impl Problem {
    /// A problem at this place.
    pub fn new(code: Code, at: &impl ToTokens, message: impl Into<String>) -> Self {
        let labels = vec![Label::new(at, "")];
        Self { code, message: message.into(), labels, note: None, help: None }
    }

    /// A problem at this span.
    pub fn at(code: Code, span: Span, message: impl Into<String>) -> Self {
        let labels = vec![Label { start: span, end: span, text: String::new() }];
        Self { code, message: message.into(), labels, note: None, help: None }
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

    /// Adds what to type, if there is something to say.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds a second place, shown where the renderer can show one.
    #[must_use]
    pub fn label(mut self, at: &impl ToTokens, text: impl Into<String>) -> Self {
        self.labels.push(Label::new(at, text));
        self
    }

    /// The whole text as the compiler shows it: message, note, help and where to read more.
    pub fn text(&self) -> String {
        let mut text = self.message.clone();
        let parts = [("note", self.note.as_ref()), ("help", self.help.as_ref())];
        for (prefix, part) in parts {
            let Some(part) = part else { continue };
            // writing to a string cannot fail
            let _written = write!(text, "\n{prefix}: {part}");
        }
        let _written = write!(text, "\nmore: pap-codegen explain {}", self.code);
        text
    }

    /// The problem as the compiler reports it, at its first label.
    pub fn to_error(&self) -> syn::Error {
        match self.labels.first() {
            Some(label) => syn::Error::new_spanned(label.tokens(), self.text()),
            None => syn::Error::new(Span::call_site(), self.text()),
        }
    }
}

/// All problems as compile errors, each at its own place.
pub fn compile_errors(problems: &[Problem]) -> TokenStream {
    problems.iter().map(|problem| problem.to_error().to_compile_error()).collect()
}

impl Label {
    fn new(at: &impl ToTokens, text: impl Into<String>) -> Self {
        let mut tokens = at.to_token_stream().into_iter().map(|token| token.span());
        let start = tokens.next().unwrap_or_else(Span::call_site);
        let end = tokens.last().unwrap_or(start);
        Self { start, end, text: text.into() }
    }

    /// Two tokens, so that the compiler underlines from the first to the last.
    fn tokens(&self) -> TokenStream {
        let mut tokens = quote_spanned!(self.start=> _);
        tokens.extend(quote_spanned!(self.end=> _));
        tokens
    }
}
