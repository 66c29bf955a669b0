//! The catalogue: from the company's own program or a saved file, then checked.

mod program;
mod routes;
mod rules;

use std::path::Path;

use pap_protocol::catalogue::{Catalogue, FORMAT};
use serde::Deserialize;

pub use routes::{parameters, without_names};

use crate::codes::Code;
use crate::config::{Config, Source, shown_path};
use crate::console::{Console, Stop, Surroundings};
use crate::diagnostic::Problem;

/// The declared operations, from `saved` if it is given, else from where `pap.toml` says.
pub(crate) fn load(
    config: &Config,
    saved: Option<&Path>,
    surroundings: &Surroundings,
    console: &mut Console<'_>,
) -> Result<Catalogue, Stop> {
    let directory = &surroundings.directory;
    let catalogue = match (saved, &config.source) {
        (Some(path), _) => from_file(&directory.join(path), directory)?,
        (None, Source::Catalogue(path)) => from_file(&config.root.join(path), directory)?,
        (None, Source::Package { package, bin }) => {
            let program = program::Program::built(package, bin.as_deref(), &surroundings.cargo);
            program.build(&config.root, console)?;
            from_program(&program, config, surroundings, console)?
        }
        (None, Source::Executable(path)) => {
            let program = program::Program::at(&config.root.join(path));
            from_program(&program, config, surroundings, console)?
        }
    };
    Ok(catalogue)
}

/// Reads a catalogue and checks it.
///
/// # Errors
///
/// Text that is no catalogue, a format that this version does not know, and every declaration that
/// cannot be described, all at once.
pub fn catalogue_from(text: &str, from: &str) -> Result<Catalogue, Vec<Problem>> {
    #[derive(Deserialize)]
    struct Head {
        format: u32,
    }
    let unreadable = |error: serde_json::Error| {
        vec![Problem::new(Code::CatalogueUnreadable, format!("{from} is no catalogue: {error}"))]
    };
    let head: Head = serde_json::from_str(text).map_err(unreadable)?;
    if head.format != FORMAT {
        let message = format!("{from} has format {}, this version reads {FORMAT}", head.format);
        let help = "install the `pap-codegen` of the same version as `pap-runtime` in `Cargo.lock`";
        return Err(vec![Problem::new(Code::CatalogueFormat, message).help(help)]);
    }
    let catalogue: Catalogue = serde_json::from_str(text).map_err(unreadable)?;
    let problems = rules::check(&catalogue, from);
    if problems.is_empty() { Ok(catalogue) } else { Err(problems) }
}

fn from_file(path: &Path, directory: &Path) -> Result<Catalogue, Vec<Problem>> {
    let shown = shown_path(path, directory);
    let text = std::fs::read_to_string(path)
        .map_err(|error| vec![Problem::file("read", &shown, &error)])?;
    catalogue_from(&text, &format!("`{shown}`"))
}

fn from_program(
    program: &program::Program,
    config: &Config,
    surroundings: &Surroundings,
    console: &mut Console<'_>,
) -> Result<Catalogue, Stop> {
    let text = program.describe(&config.root, surroundings.patience, console)?;
    Ok(catalogue_from(&text, &format!("the answer of `{}`", program.name()))?)
}
