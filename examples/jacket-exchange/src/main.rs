//! Example Outfitters.

fn main() {}
