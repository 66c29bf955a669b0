//! What only the insides can show.

mod texts;
