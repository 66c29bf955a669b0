//! The small languages inside the attribute's texts: actions, routes, scopes, time spans, references.

mod duration;
mod names;
mod nearest;
mod reference;
mod route;

#[cfg(test)]
mod tests;

pub use duration::{MAX_LIFETIME_S, MAX_RETENTION_S, MIN_RETENTION_S, lifetime, retention};
pub use names::{action, id_prefix, scope, tool};
pub use nearest::{distance, nearest};
pub use reference::{MAX_REFERENCE_TEXT, ReferencePart, reference};
pub use route::{METHODS, Route, Segment, route};

/// What is wrong with a text, and what to type instead.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Misspelled {
    /// What is wrong.
    pub message: String,
    /// What to type.
    pub help: String,
}

impl Misspelled {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}
