//! What only the inside of the store can show.

mod plans;
mod schema;
mod settings;
