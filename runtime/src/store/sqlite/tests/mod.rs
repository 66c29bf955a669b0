//! What only the inside of the store can show.
