//! What only the insides can show.
