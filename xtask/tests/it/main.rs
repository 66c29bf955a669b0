//! Each rule on a small tree that breaks it, and the repository itself, which breaks none.
#![expect(clippy::unwrap_used, reason = "a fixture that cannot be made fails its test")]

mod crates;
mod documents;
mod files;
mod fixture;
mod modules;
mod repository;
mod requirements;
mod sizes;
mod sql;
mod steps;
mod templates;
mod words;
