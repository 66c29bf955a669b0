//! The key tables in the runtime's documentation are written from the one table that the parser reads.
//!
//! `UPDATE_DOCS=1 cargo test -p pap-model --test it` writes them.

use std::path::{Path, PathBuf};

use pap_model::keys::{ATTRIBUTES, Attribute};

const PAGES: [&str; 4] = ["operation.md", "terms.md", "term.md", "shape.md"];

#[test]
fn the_key_tables_in_the_documentation_are_the_parsers_own() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    for page in PAGES {
        let path = folder().join(page);
        let text = std::fs::read_to_string(&path).expect("the page is in the repository");
        let expected = with_tables(&text);
        if update {
            std::fs::write(&path, expected).expect("the page can be written");
        } else {
            assert!(text == expected, "{page}: UPDATE_DOCS=1 cargo test -p pap-model --test it");
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src/docs")
}

/// The page with the table of each `<!-- keys: … -->` line behind that line.
fn with_tables(text: &str) -> String {
    let mut out = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        let name = line.strip_prefix("<!-- keys: ").and_then(|rest| rest.strip_suffix(" -->"));
        let Some(attribute) = ATTRIBUTES.iter().find(|attribute| Some(attribute.name) == name)
        else {
            continue;
        };
        while lines.next_if(|line| line.starts_with('|') || line.is_empty()).is_some() {}
        out.push(String::new());
        out.extend(table(attribute));
        if lines.peek().is_some() {
            out.push(String::new());
        }
    }
    out.join("\n") + "\n"
}

fn table(attribute: &Attribute) -> Vec<String> {
    let mut rows =
        vec!["| key | without it | meaning |".to_owned(), "| --- | --- | --- |".to_owned()];
    rows.extend(attribute.keys.iter().map(|key| {
        let example = key.example.replace('|', "\\|");
        format!("| `{example}` | {} | {} |", key.default, key.doc)
    }));
    rows
}
