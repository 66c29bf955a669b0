//! What only the inside of the store can show.

mod commits;
mod migrations;
mod plans;
mod schema;
mod settings;
