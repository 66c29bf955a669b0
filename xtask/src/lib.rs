//! The repository's housekeeping: `cargo xtask tidy | test | regenerate | requirements`.
//!
//! Read in this order: [`layout`] holds every table that is meant to be edited, [`tree`] reads the
//! repository, [`tidy`] checks one against the other, [`steps`] runs what the tables name.

pub mod finding;
pub mod layout;
pub mod lock;
pub mod requirements;
pub mod rust;
pub mod steps;
pub mod tidy;
pub mod tree;
pub mod workspace;

use std::path::PathBuf;

/// Why the housekeeping could not be done at all, as opposed to what it found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("cannot read or write `{}`", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A manifest or the lock file is no TOML.
    #[error("`{path}` is not valid TOML")]
    Toml {
        /// Which file, relative to the repository.
        path: String,
        /// What is wrong with it.
        source: toml::de::Error,
    },
    /// A program could not be started.
    #[error("cannot start `{program}`")]
    Start {
        /// Which program.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A program that has to succeed did not.
    #[error("`{program}` failed: {said}")]
    Program {
        /// The command line.
        program: String,
        /// What it printed.
        said: String,
    },
    /// What was found or run could not be printed.
    #[error("cannot print")]
    Print(#[from] std::io::Error),
    /// Something that the steps need is not on this machine.
    #[error("{what}\n  help: {help}")]
    Missing {
        /// What is missing.
        what: String,
        /// What to type.
        help: String,
    },
}
