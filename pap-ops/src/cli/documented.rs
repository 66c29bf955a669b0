//! Every command line of the documents is one that the command takes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::parsed;

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["docs", "docs/adr", "changes/unreleased", "."];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let files = files.map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|end| end == "md")).collect()
}

/// What is typed at a prompt, without where a shell sends its output.
fn typed(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("$ "));
    let lines = lines.filter(|line| line.starts_with("pap-ops "));
    lines.map(|line| line.split(" > ").next().unwrap_or(line).trim())
}

/// The words of a line as a shell gives them: `'…'` keeps some together.
fn words(line: &str) -> Vec<OsString> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.into());
        } else {
            words.extend(part.split_whitespace().map(OsString::from));
        }
    }
    words
}

#[test]
fn every_command_line_of_the_documents_is_taken() {
    let (mut count, mut refused) = (0, Vec::new());
    for file in documents() {
        let text = std::fs::read_to_string(&file).unwrap();
        for line in typed(&text) {
            count += 1;
            if let Err(error) = parsed(words(line)) {
                refused.push(format!("{}: $ {line}\n{error}", file.display()));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(count > 30, "only {count} were found");
}

#[test]
fn a_line_that_drifted_is_seen() {
    let line =
        "   $ pap-ops settle exc_5Rt2 --succeded 'It was exchanged.' --who ada > settled.txt";
    let typed: Vec<&str> = typed(line).collect();
    assert_eq!(typed, ["pap-ops settle exc_5Rt2 --succeded 'It was exchanged.' --who ada"]);
    assert!(parsed(words(typed[0])).is_err());
}
