//! What the User approves: values that can be said, compared and kept.

mod render;
mod values;
mod wire;

pub use render::{neutralised, problem_in, render};
pub(crate) use wire::{members, on_the_wire};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::declaration::{Facts, Schema, TermsDeclaration};

/// A value with a form that documents, clients and schemas can state.
///
/// Implemented by `#[derive(Shape)]`, `#[derive(Term)]`, `#[derive(Terms)]`, and for whole numbers,
/// text, booleans, lists, optional values and the values of [`crate::value`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no form that a caller could be told",
    label = "not a value that requests, results and terms can hold",
    note = "requests and results hold whole numbers, text, booleans, `Decimal`, `Money`, `Date`, `Instant`, `LocalTime`, `Url`, lists and optional values of them, and types with `#[derive(Shape)]` or `#[derive(Term)]`",
    note = "a floating-point number is none of them: two sides must read the same value; use `Decimal` or `Money`"
)]
pub trait Shape {
    /// The form.
    const SCHEMA: Schema;
}

/// A value that can be said in a summary (section 3: the User decides from the summary alone).
pub trait Said {
    /// Appends what the value says, in the named `format` of its type (empty: the usual one).
    fn say(&self, reader: &Reader, format: &str, out: &mut String);

    /// Whether there is no value, so that the template's `if_none` text is said instead.
    fn is_none(&self) -> bool {
        false
    }

    /// Why this value must not be offered to a User under these facts, such as a negative charge.
    fn problem(&self, facts: &Facts) -> Option<String> {
        let _ = facts;
        None
    }
}

/// A value that can stand in terms: it has a form, can be said, and reads back as it was written.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a term",
    label = "not a term value",
    note = "terms hold whole numbers, text, booleans, `Decimal`, `Money`, `Date`, `Instant`, `LocalTime`, `Url`, lists and optional values of them, newtypes and enums with `#[derive(Term)]`, and structs with `#[derive(Terms)]`",
    note = "a floating-point number is none of them: two sides must compare terms exactly; use `Money` for amounts and `Decimal` for other numbers"
)]
pub trait Term: Shape + Said + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The formats that `{field:format}` may name.
    const FORMATS: &'static [&'static str] = &[];
}

/// The terms of one action: a struct with `#[derive(Terms)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the terms of an operation",
    label = "no `#[derive(Terms)]` here",
    note = "put `#[derive(Terms, Serialize, Deserialize)]` and `#[terms(summary = \"…\")]` on the struct"
)]
pub trait Terms: Term {
    /// What the author declared.
    const DECLARATION: &'static TermsDeclaration;

    /// The terms in plain language, for this reader (section 3).
    fn summary(&self, reader: &Reader) -> String {
        let mut out = String::new();
        self.say(reader, "", &mut out);
        out
    }
}

/// For whom a summary is written: language and time zone. English and UTC for now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Reader {}

/// Text that the summary shows and nobody can act on: it can be written, never read.
///
/// A shown-only field lets the summary name things ("Stormline Jacket (M)") that `terms` hold as
/// identifiers. The handler cannot read it back, so it can act on nothing that is not in `terms`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shown(String);

impl Shown {
    /// Text to show.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl<T: Into<String>> From<T> for Shown {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shown(…)")
    }
}

impl Said for Shown {
    fn say(&self, _reader: &Reader, _format: &str, out: &mut String) {
        out.push_str(&neutralised(&self.0));
    }
}
