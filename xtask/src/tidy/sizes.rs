//! Files that a reader can hold in mind.

use crate::finding::Finding;
use crate::layout::{SOURCE_LINES, SOURCE_LINES_AT_MOST};
use crate::rust;
use crate::tree::{File, Tree};

const RULE: &str = "a source file has 100 to 300 lines, 400 at most, its tests not counted";
const REASON: &str = "// size: ";

/// Checks every source file that is not a test.
pub fn check(tree: &Tree) -> Vec<Finding> {
    tree.of_kind("rs").filter(|file| !file.is_test()).filter_map(in_file).collect()
}

fn in_file(file: &File) -> Option<Finding> {
    let (_, tests) = rust::without_tests(&file.tokens);
    let for_tests: usize = tests.iter().map(|(from, to)| to.saturating_sub(*from) + 1).sum();
    let lines = file.text.lines().count().saturating_sub(for_tests);
    let at = (file.path.as_str(), 1);
    if lines > SOURCE_LINES_AT_MOST {
        let what = format!("{lines} lines without its tests; {SOURCE_LINES_AT_MOST} is the end");
        return Some(Finding::new(RULE, at, what, "split it: a module for each thing it does"));
    }
    if lines > SOURCE_LINES && !says_why(file) {
        let what = format!("{lines} lines without its tests; {SOURCE_LINES} without a reason");
        let help =
            format!("split it, or write `{REASON}…` at its head and say why it is one thing");
        return Some(Finding::new(RULE, at, what, help));
    }
    None
}

/// Whether the head of the file, before its first item, has the line with the reason.
fn says_why(file: &File) -> bool {
    let head = file
        .text
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with("//") || line.starts_with("#!"));
    head.filter_map(|line| line.strip_prefix(REASON)).any(|reason| !reason.trim().is_empty())
}
