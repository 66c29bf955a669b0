//! Documents: their links lead to files, and what a release has to tell has its form.

use std::path::Path;

use crate::finding::Finding;
use crate::layout::UNRELEASED;
use crate::tree::{File, Tree};

const LINKS: &str = "a relative link leads to a file of the repository";
const CHANGES: &str = "a change opens with `breaking|added|changed|fixed(area): what changes`";
const KINDS: [&str; 4] = ["breaking", "added", "changed", "fixed"];

/// Checks every Markdown file that is not itself the fixture of a test.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in tree.of_kind("md").filter(|file| !file.is_test()) {
        found.extend(broken_links(tree, file));
    }
    for file in tree.under(UNRELEASED).filter(|file| file.is("md") && !has_form(file)) {
        let help = "see changes/README.md";
        found.push(Finding::new(CHANGES, (&file.path, 1), "opens with something else", help));
    }
    found
}

fn has_form(file: &File) -> bool {
    let first = file.text.lines().next().unwrap_or_default();
    let parts = first.split_once('(').zip(first.split_once("): "));
    parts.is_some_and(|((kind, _), (head, what))| {
        KINDS.contains(&kind) && head.len() > kind.len() + 1 && !what.trim().is_empty()
    })
}

fn broken_links(tree: &Tree, file: &File) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (index, line) in file.text.lines().enumerate() {
        in_code ^= line.trim_start().starts_with("```");
        let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !in_code && !leads_somewhere(tree, file, target)) {
            let what = format!("links to `{target}`, which is not there");
            let help = "correct the path; it is relative to this file";
            found.push(Finding::new(LINKS, (&file.path, index + 1), what, help));
        }
    }
    found
}

fn leads_somewhere(tree: &Tree, file: &File, target: &str) -> bool {
    let path = target.split('#').next().unwrap_or_default();
    let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    path.is_empty() || path.contains(':') || tree.root.join(folder).join(path).exists()
}
