//! The rules that no compiler and no linter checks. Each is a function from the tree to its findings.

pub mod crates;
pub mod documents;
pub mod files;
pub mod modules;
pub mod names;
pub mod requirements;
pub mod sizes;
pub mod sql;
pub mod templates;
pub mod words;

use std::path::Path;

use crate::Error;
use crate::finding::Finding;
use crate::layout;
use crate::tree::Tree;

/// The floors of `pap-runtime`.
const RUNTIME: modules::Table<'_> = modules::Table {
    folder: layout::FLOORED,
    floors: layout::FLOORS,
    against: layout::AGAINST_FLOORS,
};

/// Everything that is wrong in the repository at `root`, by file and line.
///
/// # Errors
///
/// [`Error`] if the tree cannot be read or a manifest is no TOML.
pub fn findings(root: &Path) -> Result<Vec<Finding>, Error> {
    let tree = Tree::read(root)?;
    let mut found = crates::check(&tree, layout::CRATES)?;
    found.extend(modules::check(&tree, RUNTIME));
    found.extend(sizes::check(&tree));
    found.extend(names::check(&tree));
    found.extend(sql::check(&tree));
    found.extend(templates::check(&tree));
    found.extend(words::check(&tree));
    found.extend(files::check(&tree, layout::LINKS));
    found.extend(documents::check(&tree));
    found.extend(requirements::check(&tree));
    found.sort();
    Ok(found)
}
