//! See the workspace README.

pub mod clock;
pub mod lifecycle;
pub mod store;
