//! `pap.toml`: who the company is, where its operations come from, and which files are wanted.

mod first;
mod forms;
mod read;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) use first::first_config;
pub(crate) use table::listed;

use crate::codes::Code;
use crate::diagnostic::Problem;

/// The name of the file.
pub const FILE_NAME: &str = "pap.toml";

/// What `pap.toml` says, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The folder of the file: paths in it start here.
    pub root: PathBuf,
    /// Who proposes and performs.
    pub company: Company,
    /// Where agents read, confirm and cancel.
    pub endpoint: Endpoint,
    /// Where the declared operations come from.
    pub source: Source,
    /// The folder that everything is written to, relative to `root`.
    pub output: String,
    /// The wanted targets, in the order of the registry.
    pub targets: Vec<Target>,
}

/// `[company]`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Company {
    /// As the User knows it.
    pub name: String,
    /// Such as `https://api.example.com`.
    pub origin: String,
}

/// `[operations]`: the operations endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Endpoint {
    /// Such as `/poppy/operations`.
    pub path: String,
    /// The resource that tokens for the endpoint must be issued for, if any (section 2).
    pub resource: Option<String>,
}

/// `[source]`: where the declared operations come from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A program that Cargo builds.
    Package {
        /// The package's name.
        package: String,
        /// The program, if the package has several.
        bin: Option<String>,
    },
    /// A program that is there already.
    Executable(PathBuf),
    /// A saved catalogue.
    Catalogue(PathBuf),
}

/// `[targets.<name>]`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Target {
    /// The backend's name.
    pub name: &'static str,
    /// Its file or folder, relative to the output folder.
    pub path: String,
    /// Its own keys.
    pub settings: BTreeMap<&'static str, String>,
}

impl Config {
    /// Reads the named file, or the nearest one in `directory` or a folder above it.
    ///
    /// # Errors
    ///
    /// No file, an unreadable one, and everything that is wrong in it, all at once.
    pub fn load(named: Option<&Path>, directory: &Path) -> Result<Self, Vec<Problem>> {
        let path = match named {
            Some(path) => directory.join(path),
            None => nearest_file(directory).ok_or_else(|| vec![no_config(directory)])?,
        };
        let shown = shown_path(&path, directory);
        let text = std::fs::read_to_string(&path).map_err(|error| vec![unread(&shown, &error)])?;
        let root = path.parent().map_or_else(|| directory.to_owned(), Path::to_path_buf);
        read::read(&shown, &text, root)
    }

    /// The address of the operations endpoint.
    pub fn endpoint_url(&self) -> String {
        format!("{}{}", self.company.origin, self.endpoint.path)
    }
}

/// Whether a path stays below the folder that it starts from.
pub(crate) fn is_below(path: &str) -> bool {
    forms::below(path).is_ok()
}

fn nearest_file(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file())
}

/// The path as a person in `directory` would name it.
pub(crate) fn shown_path(path: &Path, directory: &Path) -> String {
    let path = path.strip_prefix(directory).unwrap_or(path);
    path.display().to_string().replace('\\', "/")
}

fn no_config(directory: &Path) -> Problem {
    let folder = directory.file_name().map_or_else(
        || directory.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    Problem::new(Code::NoConfig, format!("there is no `{FILE_NAME}` in `{folder}` or above it"))
        .help("run `pap-codegen init` in the company's package, or name the file with `--config`")
}

fn unread(shown: &str, error: &std::io::Error) -> Problem {
    if error.kind() == std::io::ErrorKind::NotFound {
        return Problem::new(Code::NoConfig, format!("there is no file `{shown}`"))
            .help("name the `pap.toml` of the company's package");
    }
    Problem::file("read", shown, error)
}
