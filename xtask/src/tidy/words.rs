//! Words that stand for unfinished work, for a test that is not run, or for one machine.

use crate::finding::Finding;
use crate::rust;
use crate::tree::{File, Tree};

const UNFINISHED: &str = "what is committed is finished";
const SKIPPED: &str = "every test runs, and says what it expects";
const MACHINE: &str = "a tracked file names no folder of one machine";

// written in halves, or this file would break its own rules
const NOTES: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
const MACROS: [&str; 2] = [concat!("to", "do"), concat!("unimple", "mented")];
const FOLDERS: [&str; 3] = [concat!("/", "work"), concat!("/", "root"), concat!("/", "farm")];

/// Checks every text file.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in &tree.files {
        for (index, line) in file.text.lines().enumerate() {
            found.extend(in_line(file, line, index + 1));
        }
        found.extend(in_tokens(file));
    }
    found
}

fn in_line(file: &File, line: &str, number: usize) -> Vec<Finding> {
    let at = (file.path.as_str(), number);
    let mut found = Vec::new();
    // a lock file is made of names and hashes that others chose
    let notes = NOTES.iter().filter(|note| !file.is("lock") && has_word(line, note));
    for note in notes {
        let help = "do it, or say in the text what is missing and why that is right for now";
        found.push(Finding::new(UNFINISHED, at, format!("`{note}`"), help));
    }
    for folder in FOLDERS.iter().filter(|folder| names_folder(line, folder)) {
        let help = "write it relative to the repository, or take it from the environment";
        found.push(Finding::new(MACHINE, at, format!("names `{folder}`"), help));
    }
    found
}

fn in_tokens(file: &File) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, token) in file.tokens.iter().enumerate() {
        let rest = file.tokens.get(at..).unwrap_or_default();
        let place = (file.path.as_str(), token.line);
        if rest.get(1).is_some_and(|next| next.text == "!") && MACROS.contains(&&*token.text) {
            let what = format!("`{}!` panics when it is reached", token.text);
            found.push(Finding::new(UNFINISHED, place, what, "write the part that is missing"));
        }
        match rust::attribute(rest).map(|found| found.name) {
            Some("ignore") => {
                let help = "make it fast or deterministic enough to run, or remove it";
                found.push(Finding::new(SKIPPED, place, "a test that is not run", help));
            }
            Some("should_panic") => {
                let help = "return the error and compare it, so that only this failure passes";
                found.push(Finding::new(SKIPPED, place, "a test that any panic passes", help));
            }
            _ => {}
        }
    }
    found
}

fn has_word(line: &str, word: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|after| after.chars().next());
        edge(before) && edge(after)
    })
}

/// Whether an absolute path under `folder` starts in this line: one within an address is none.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let after = line.get(at + folder.len()..).and_then(|after| after.chars().next());
        let starts = before.is_none_or(|c| c.is_whitespace() || "\"'`(=:[,".contains(c));
        starts && after.is_none_or(|c| !c.is_alphanumeric() && !"_-".contains(c))
    })
}
