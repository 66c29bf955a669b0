//! The list of rows against the tests: each has one, or openly waits for something.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const LIST: &str = include_str!("../../../docs/failure-matrix.md");

/// A row's id at the beginning of a table's row.
fn id(line: &str) -> Option<&str> {
    let cell = line.strip_prefix("| ")?.split(" |").next()?;
    is_id(cell).then_some(cell)
}

fn is_id(word: &str) -> bool {
    let number = word.strip_prefix(['A', 'B', 'C', 'D', 'E']);
    number.is_some_and(|number| number.parse::<u8>().is_ok())
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every test by its row: by the beginning of its name here, by its doc comment elsewhere.
fn tests() -> BTreeMap<String, Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for folder in ["trials/tests", "runtime/tests", "runtime/src"] {
        sources(&root.join(folder), &mut files);
    }
    let mut tests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let here = file.starts_with(root.join("trials/tests/matrix"));
        let mut named = Vec::new();
        for line in text.lines().map(str::trim) {
            let signature = ["async fn ", "fn ", "pub async fn "]
                .iter()
                .find_map(|before| line.strip_prefix(before)?.split(['(', '<']).next());
            if let Some(name) = signature {
                if here {
                    let row = name.split('_').next().unwrap_or_default().to_uppercase();
                    named.extend(is_id(&row).then_some(row));
                }
                for row in named.drain(..) {
                    tests.entry(row).or_default().push(name.to_owned());
                }
            } else if let Some(rows) = line.strip_prefix("/// ").filter(|_| !here) {
                let mut words = rows.split([' ', ',', '.', ':']);
                while words.by_ref().any(|word| word == "Row") {
                    named.extend(words.by_ref().next().filter(|row| is_id(row)).map(str::to_owned));
                }
            } else if line.is_empty() {
                named.clear();
            }
        }
    }
    tests
}

#[test]
fn the_table_of_rows_has_a_test_for_each_or_says_what_it_waits_for() {
    let (rows, waiting) = LIST.split_once("## Waiting").unwrap();
    let rows: Vec<&str> = rows.lines().filter_map(id).collect();
    let waiting: BTreeSet<&str> = waiting.lines().filter_map(id).collect();
    let tests = tests();
    let mut wrong = Vec::new();
    for row in &rows {
        let proofs = tests.get(*row).map(|tests| tests.join(", "));
        println!("{row}: {}", proofs.as_deref().unwrap_or("waits"));
        match (proofs, waiting.contains(row)) {
            (None, false) => wrong.push(format!("{row} has no test and waits for nothing")),
            (Some(proofs), true) => wrong.push(format!("{row} waits, yet {proofs} proves it")),
            _ => {}
        }
    }
    let known: BTreeSet<&str> = rows.iter().copied().collect();
    wrong.extend(
        tests
            .keys()
            .filter(|row| !known.contains(row.as_str()))
            .map(|row| format!("there is no row {row}")),
    );
    wrong.extend(waiting.difference(&known).map(|row| format!("there is no row {row}")));
    assert_eq!(known.len(), 12 + 10 + 13 + 9 + 21, "every row of the matrix, each once");
    assert_eq!(rows.len(), known.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}
