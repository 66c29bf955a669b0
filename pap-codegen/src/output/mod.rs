//! What is written: files in memory first, then only what differs on disk.

mod diff;
mod manifest;
mod mark;
mod plan;
mod write;

use std::collections::BTreeMap;

pub(crate) use diff::unified;
pub(crate) use manifest::MANIFEST;
pub use mark::MARK;
pub(crate) use plan::{Change, Plan, Planned, plan};
pub(crate) use write::write;

use crate::codes::Code;
use crate::diagnostic::Problem;

/// A file that a target wants, relative to the output folder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// Such as `docs/index.md`.
    pub path: String,
    /// All of it; the first line is our mark where the format has comments.
    pub text: String,
}

impl File {
    /// A file whose text ends with exactly one line end.
    pub fn new(path: impl Into<String>, text: &str) -> Self {
        let text = format!("{}\n", text.trim_end_matches('\n'));
        Self { path: path.into(), text }
    }
}

/// The files of all wanted targets, sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileSet {
    files: BTreeMap<String, (&'static str, String)>,
}

impl FileSet {
    /// Adds the files of a target.
    ///
    /// # Errors
    ///
    /// Files that another target writes already.
    pub fn add(&mut self, target: &'static str, files: Vec<File>) -> Result<(), Vec<Problem>> {
        let mut problems = Vec::new();
        for file in files {
            if let Some((other, _)) = self.files.get(&file.path) {
                problems.push(twice(&file.path, other, target));
            } else if file.path == MANIFEST {
                problems.push(twice(&file.path, "the list of generated files", target));
            } else {
                self.files.insert(file.path, (target, file.text));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Target, path and text of each file.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        self.files.iter().map(|(path, (target, text))| (*target, path.as_str(), text.as_str()))
    }
}

fn twice(path: &str, one: &str, other: &str) -> Problem {
    Problem::new(Code::SamePath, format!("`{path}` is written by `{one}` and by `{other}`"))
        .help("give one of the targets another `path` in `pap.toml`")
}
