//! The files of the repository, read once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;
use crate::rust::{self, Token};

/// Folders that are never part of the sources, where there is no git to ask.
const NOT_SOURCES: [&str; 3] = [".git", "target", "wip"];

/// What is, or is about to be, tracked: ignored files are not in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tree {
    /// Where the repository is.
    pub root: PathBuf,
    /// Every file, by path.
    pub files: Vec<File>,
}

/// One file.
#[derive(Debug)]
#[non_exhaustive]
pub struct File {
    /// Relative to the repository, with `/`.
    pub path: String,
    /// The text; empty if it is none.
    pub text: String,
    /// How many bytes it has.
    pub bytes: usize,
    /// Where it points, if it is a symbolic link.
    pub link: Option<String>,
    /// The tokens, if it is a Rust file that has any.
    pub tokens: Vec<Token>,
}

impl Tree {
    /// Reads the repository at `root`.
    ///
    /// # Errors
    ///
    /// [`Error::File`] or [`Error::Program`] if git or the disk refuses.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let mut paths =
            if root.join(".git").exists() { asked_of_git(root)? } else { walked(root)? };
        paths.sort();
        let files = paths.into_iter().filter_map(|path| File::read(root, path).transpose());
        Ok(Self { root: root.to_owned(), files: files.collect::<Result<_, _>>()? })
    }

    /// The file at `path`.
    pub fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The files under a folder, which is given with its closing `/`.
    pub fn under<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.path.starts_with(folder))
    }

    /// The files with this extension, each once: a symbolic link is none of them.
    pub fn of_kind<'a>(&'a self, extension: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.link.is_none() && file.is(extension))
    }
}

impl File {
    fn read(root: &Path, path: String) -> Result<Option<Self>, Error> {
        let full = root.join(&path);
        let fails = |source| Error::File { path: full.clone(), source };
        let Ok(about) = fs::symlink_metadata(&full) else {
            return Ok(None); // deleted and not yet committed
        };
        if about.is_symlink() {
            let to = fs::read_link(&full).map_err(fails)?;
            let link = Some(to.to_string_lossy().into_owned());
            return Ok(Some(Self {
                path,
                link,
                text: String::new(),
                bytes: 0,
                tokens: Vec::new(),
            }));
        }
        let content = fs::read(&full).map_err(fails)?;
        let bytes = content.len();
        let text = String::from_utf8(content).unwrap_or_default();
        let mut file = Self { path, text, bytes, link: None, tokens: Vec::new() };
        if file.is("rs") {
            file.tokens = rust::tokens(&file.text);
        }
        Ok(Some(file))
    }

    /// Whether its name has this extension.
    pub fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|end| end == extension)
    }

    /// The first line that contains `needle`, from 1; 1 if none does.
    pub fn line_with(&self, needle: &str) -> usize {
        self.text.lines().position(|line| line.contains(needle)).map_or(1, |at| at + 1)
    }

    /// Whether it only serves tests.
    pub fn is_test(&self) -> bool {
        self.path.contains("/tests/")
            || self.path.contains("/benches/")
            || self.path.ends_with("/tests.rs")
    }
}

fn asked_of_git(root: &Path) -> Result<Vec<String>, Error> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let answer =
        git.output().map_err(|source| Error::Start { program: "git".to_owned(), source })?;
    if !answer.status.success() {
        let said = String::from_utf8_lossy(&answer.stderr).into_owned();
        return Err(Error::Program { program: "git ls-files".to_owned(), said });
    }
    let listed = String::from_utf8_lossy(&answer.stdout);
    Ok(listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

fn walked(root: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let fails = |source| Error::File { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(fails)? {
            let entry = entry.map_err(fails)?;
            let path = entry.path();
            let is_folder = entry.file_type().map_err(fails)?.is_dir();
            let name = entry.file_name();
            if is_folder && !NOT_SOURCES.iter().any(|not| name == *not) {
                folders.push(path);
            } else if !is_folder && let Ok(inside) = path.strip_prefix(root) {
                found.push(inside.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok(found)
}
