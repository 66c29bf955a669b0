//! What only the insides can show.

mod links;
mod texts;
