//! What can be typed.

use std::path::PathBuf;

use crate::serve::Kind;

/// Measures what a confirm costs against the least that could do it, and writes docs/benchmarks.md.
#[derive(Debug, clap::Parser)]
#[command(name = "cargo xtask bench")]
pub(crate) struct Arguments {
    /// The store that is measured.
    #[arg(long, value_enum, default_value_t = Store::Sqlite)]
    pub(crate) store: Store,
    /// How many slices of each kind are paired.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) slices: u32,
    /// How long each slice is.
    #[arg(long, default_value_t = 0.5)]
    pub(crate) seconds: f64,
    /// What is measured; all of it unless named. On PostgreSQL, confirms alone.
    #[arg(long, value_enum)]
    pub(crate) only: Vec<Part>,
    /// Exit with 1 if a gate is missed.
    #[arg(long)]
    pub(crate) gate: bool,
    /// Where the table and the plots are written; nowhere unless named, and the table is printed.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) write: Option<PathBuf>,
    /// Where stores that take long to fill are kept for the next run.
    #[arg(long, value_name = "FOLDER", default_value = "target/bench")]
    pub(crate) keep: PathBuf,
    #[command(subcommand)]
    pub(crate) role: Option<Role>,
}

/// The stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Store {
    /// One file, one process.
    Sqlite,
    /// A server, which is made for this and removed.
    Postgres,
}

impl Store {
    /// As it is typed, and as its part of the page is marked.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// What there is to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Confirms in a second, beside the prototype and the bare store.
    Confirms,
    /// What stored operations cost.
    Stored,
    /// What verifying a proof costs.
    Proofs,
}

/// What a process of this program does that another one started.
#[derive(Debug, clap::Subcommand)]
#[command(hide = true)]
pub(crate) enum Role {
    /// Serves confirms.
    #[command(hide = true)]
    Serve {
        /// Which server.
        kind: Kind,
        /// The key that the token is bound to.
        #[arg(long)]
        thumbprint: String,
        /// Where its database is, if it is no file.
        #[arg(long)]
        database: Option<String>,
        /// Where its file is.
        folder: PathBuf,
    },
    /// Confirms on the bare store.
    #[command(hide = true)]
    Bare {
        /// Where its database is, if it is no file.
        #[arg(long)]
        database: Option<String>,
        /// Where its file is.
        folder: PathBuf,
    },
}
