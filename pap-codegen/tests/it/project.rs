//! A company's folder, and the command run in it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use pap_codegen::{Exit, Surroundings, run};
use serde_json::Value;
use tempfile::TempDir;

/// Every form and every hostile name.
pub(crate) const GALLERY: &str = include_str!("../gallery.json");

/// All targets, from a saved catalogue.
pub(crate) const CONFIG: &str = r#"
[company]
name = "Example | <Outfitters>"
origin = "https://api.example.com"

[operations]
endpoint = "/poppy/operations"

[source]
catalogue = "catalogue.json"

[targets.openapi]
[targets.discovery]
[targets.docs]
[targets.shapes]
"#;

pub(crate) struct Project {
    folder: TempDir,
}

/// What a run left behind.
#[derive(Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) exit: Exit,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Project {
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// The gallery with every target.
    pub(crate) fn gallery() -> Self {
        Self::of(CONFIG, &gallery())
    }

    pub(crate) fn of(config: &str, catalogue: &Value) -> Self {
        let project = Self::empty();
        project.write("pap.toml", config);
        project.write("catalogue.json", &catalogue.to_string());
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The files below a folder, sorted.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        walk(&self.path(folder), "", &mut found);
        found.sort();
        found
    }

    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings::at(self.folder.path().to_owned())
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        run_in(&self.surroundings(), arguments)
    }

    /// Runs what must succeed.
    #[track_caller]
    pub(crate) fn done(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.exit, Exit::Done, "{}", ran.err);
        ran
    }
}

impl Ran {
    /// The run ended so, and said this.
    #[track_caller]
    pub(crate) fn says(&self, exit: Exit, words: &[&str]) {
        assert_eq!(self.exit, exit, "{}", self.err);
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in:\n{}", self.err);
        }
    }
}

/// Runs the command in these surroundings.
pub(crate) fn run_in(surroundings: &Surroundings, arguments: &[&str]) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = std::iter::once("pap-codegen").chain(arguments.iter().copied());
    let exit = run(arguments.map(OsString::from), surroundings, &mut out, &mut err);
    Ran { exit, out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap() }
}

pub(crate) fn gallery() -> Value {
    serde_json::from_str(GALLERY).unwrap()
}

fn walk(folder: &Path, above: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = format!("{above}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}
