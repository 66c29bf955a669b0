//! What only the inside of the store can show.

mod commits;
mod plans;
mod schema;
mod settings;
