//! The list of generated files in the output folder: which are ours, and whose target's.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::mark::MARK;
use crate::codes::Code;
use crate::config::is_below;
use crate::diagnostic::Problem;

/// The name of the list, in the output folder.
pub(crate) const MANIFEST: &str = ".pap-codegen";

/// Path to target, for every file that is ours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) files: BTreeMap<String, String>,
    /// The text as it was read; none if there was no list.
    pub(crate) read: Option<String>,
}

impl Manifest {
    /// The list in the output folder; an empty one if there is none.
    pub(crate) fn read(folder: &Path, shown: &str) -> Result<Self, Problem> {
        let shown = format!("{shown}/{MANIFEST}");
        match std::fs::read_to_string(folder.join(MANIFEST)) {
            Ok(text) => Self::parse(&text, &shown),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(Problem::file("read", &shown, &error)),
        }
    }

    fn parse(text: &str, shown: &str) -> Result<Self, Problem> {
        let mut files = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match line.split_once(' ') {
                Some((target, path)) if is_target(target) && is_below(path) => {
                    files.insert(path.to_owned(), target.to_owned());
                }
                _ => return Err(damaged(shown, index + 1)),
            }
        }
        Ok(Self { files, read: Some(text.to_owned()) })
    }

    /// The text of the list.
    pub(crate) fn text(&self) -> String {
        let mut lines = vec![
            format!("# {MARK}"),
            "# The files below this folder that pap-codegen wrote, each with its target in front."
                .to_owned(),
            "# JSON has no comments, so this list says which files may be replaced and removed."
                .to_owned(),
        ];
        lines.extend(self.files.iter().map(|(path, target)| format!("{target} {path}")));
        lines.push(String::new());
        lines.join("\n")
    }
}

/// A target's name, of this version or another: what a merge leaves in a file is none.
fn is_target(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

fn damaged(shown: &str, line: usize) -> Problem {
    Problem::new(Code::Manifest, format!("line {line} of `{shown}` is not a target and a path"))
        .note("the list says which files may be replaced and removed; nothing was touched")
        .help("restore it from version control, or remove it together with the generated files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back_as_it_was_written() {
        let mut manifest = Manifest::default();
        manifest.files.insert("docs/a file.md".to_owned(), "docs".to_owned());
        manifest.files.insert("openapi.json".to_owned(), "openapi".to_owned());
        let read = Manifest::parse(&manifest.text(), "x").unwrap();
        assert_eq!(read.files, manifest.files);
    }

    #[test]
    fn a_list_that_points_outside_is_refused() {
        for text in ["docs ../x.md", "docs /etc/passwd", "docs", "<<<<<<< ours", "docs a/../../b"] {
            let problem = Manifest::parse(text, "generated/.pap-codegen").unwrap_err();
            assert_eq!(problem.code, Code::Manifest, "{text}");
        }
    }
}
