//! Small trees on disk.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use xtask::finding::Finding;
use xtask::tree::Tree;

/// A folder with a few files, gone when it is dropped.
pub(crate) struct Fixture(TempDir);

impl Fixture {
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let fixture = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            let full = fixture.root().join(path);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            fs::write(full, text).unwrap();
        }
        fixture
    }

    pub(crate) fn linked(self, path: &str, to: &str) -> Self {
        let full = self.root().join(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, full).unwrap();
        self
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn tree(&self) -> Tree {
        Tree::read(self.root()).unwrap()
    }
}

/// Compares findings, written as `path:line: what`, with what is expected, in any order.
#[track_caller]
pub(crate) fn check_found(found: &[Finding], expected: &[&str]) {
    let mut said: Vec<String> =
        found.iter().map(|of| format!("{}:{}: {}", of.path, of.line, of.what)).collect();
    said.sort();
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(said, expected);
    let speaks = found.iter().all(|of| !of.rule.is_empty() && !of.help.is_empty());
    assert!(speaks, "every finding names its rule and what to do: {found:?}");
}
