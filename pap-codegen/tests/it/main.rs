//! Drives the command in-process, and the built program through its console tests.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that meets what it does not expect has failed"
)]

mod catalogue;
mod config;
mod console;
mod discovery;
mod facts;
mod files;
mod golden;
mod init;
mod openapi;
mod program;
mod project;
mod schema;
mod shapes;
mod streams;
mod structure;
mod templates;
