//! The arguments, and nothing else.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use pap_protocol::discovery::PROTOCOL_VERSION;
use pap_protocol::extensions::SUPPORTED_EXTENSIONS;

use crate::exit::Exit;

/// Writes the files that follow from a company's declared operations.
#[derive(Debug, Parser)]
#[command(
    name = "pap-codegen",
    version = version(),
    max_term_width = 100,
    arg_required_else_help = true,
    subcommand_required = true,
    disable_help_subcommand = true,
    after_long_help = after_help()
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The pap.toml to use; without it the nearest one, here or in a folder above
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        help = "The pap.toml to use [env: PAP_CONFIG] [default: the nearest, here or above]"
    )]
    pub(crate) config: Option<PathBuf>,
    /// Read the operations from a saved catalogue, not from the company's program
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) catalogue: Option<PathBuf>,
    /// When to use colour
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
    /// How to say what happened and what is wrong
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = MessageFormat::Human)]
    pub(crate) message_format: MessageFormat,
    /// Print only what was asked for and what is wrong
    #[arg(short, long, global = true, overrides_with = "quiet")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// If the stream is a terminal and the environment does not refuse it
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// Text for people; not an interface
    Human,
    /// One JSON object per line on standard output, `"version": 1`
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a first pap.toml and say what to do next
    Init(Init),
    /// Write the files of every target, or of the named ones
    Generate(Generate),
    /// Compare the files on disk with what would be written; exit 4 if they differ
    Check,
    /// List the operations, the targets and their files
    List,
    /// Print the page of an error code, or list the codes
    Explain(Explain),
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The package that declares the operations
    #[arg(long, value_name = "NAME")]
    pub(crate) package: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// Targets to write; all of pap.toml if none is named
    #[arg(value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
    /// Print what would change as a unified diff, and write nothing
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) diff: bool,
    /// The same as the command `check`
    #[arg(long, hide = true, conflicts_with = "diff")]
    pub(crate) check: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Such as PAP0103; all codes are listed if none is named
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// Ours, and what is implemented.
fn version() -> String {
    let [(extension, version)] = SUPPORTED_EXTENSIONS;
    let ours = env!("CARGO_PKG_VERSION");
    format!("{ours} (Personal Agent Protocol {PROTOCOL_VERSION}, {extension} extension {version})")
}

fn after_help() -> String {
    let mut text = String::from(
        "Examples:
  pap-codegen init              write a first pap.toml
  pap-codegen generate          write every target in pap.toml
  pap-codegen generate --diff   see what would change
  pap-codegen check             for CI: exit 4 if a file is out of date
  pap-codegen explain PAP0103   what an error means and how to fix it

Exit codes:",
    );
    for exit in Exit::ALL {
        text.push_str(&["\n  ", &format!("{:<4}", exit.code()), exit.meaning()].concat());
    }
    text
}
