//! What only the inside of the store can show.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod plans;
mod schema;
mod settings;
