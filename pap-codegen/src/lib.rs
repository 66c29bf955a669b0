//! The files that follow from a company's declared operations: OpenAPI, discovery entry, documents, shapes of terms.
//!
//! In the order of a run: [`config`] (`pap.toml`) → [`load`] (the catalogue, checked) → [`backend`]
//! (one folder per target) → [`output`] (what differs on disk, and writing it). The commands put the
//! steps in order. Everything that is wrong is a [`Problem`] with a page in [`codes`].
//!
//! The same input gives the same bytes: no date, no version and no hash order is in any output.

pub mod backend;
mod cli;
pub mod codes;
mod command;
pub mod config;
mod console;
pub mod diagnostic;
pub mod exit;
mod forms;
pub mod load;
mod nearest;
pub mod output;

pub use command::{guarded, run};
pub use console::Surroundings;
pub use diagnostic::Problem;
pub use exit::Exit;
