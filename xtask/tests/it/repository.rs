//! This repository, as it is.

use std::path::Path;

use xtask::finding::Finding;
use xtask::steps::{REGENERATE, TEST};
use xtask::tidy;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

#[test]
fn the_repository_is_tidy() {
    let found = tidy::findings(root()).unwrap();
    let said: Vec<String> = found.iter().map(Finding::to_string).collect();
    assert!(said.is_empty(), "cargo xtask tidy:\n{}", said.join("\n\n"));
}

#[test]
fn every_step_has_a_name_of_its_own() {
    for steps in [TEST, REGENERATE] {
        let mut names: Vec<&str> = steps.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), steps.len());
    }
}
