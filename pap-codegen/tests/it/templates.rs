//! Templates: all used, and nothing that is put into them becomes markup.

use std::fs;
use std::path::Path;

use crate::project::Project;

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn every_template_is_used_and_every_used_one_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources: String = files(&root.join("src"))
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let mut found = 0;
    for path in files(&root.join("templates")) {
        let name = path.strip_prefix(root.join("templates")).unwrap().to_str().unwrap().to_owned();
        if path.extension().is_some_and(|extension| extension == "jinja") {
            assert!(sources.contains(&format!("path = \"{name}\"")), "{name} is used by nobody");
            found += 1;
        }
    }
    assert_eq!(sources.matches(".jinja\"").count(), found);
}

#[test]
fn templates_are_those_of_the_top_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(fs::read_link(root.join("templates")).unwrap(), Path::new("../templates"));
}

#[test]
fn words_of_an_author_never_become_markup_or_end_a_cell() {
    let project = Project::gallery();
    project.done(&["generate", "docs"]);
    for file in project.files("generated/docs") {
        let text = project.read(&format!("generated/docs/{file}"));
        let mut columns = 0;
        let mut fence = String::new();
        for line in text.lines().skip(1) {
            if line.starts_with("```") && (fence.is_empty() || line == fence) {
                let ticks: String = line.chars().take_while(|letter| *letter == '`').collect();
                fence = if fence.is_empty() { ticks } else { String::new() };
                continue;
            }
            if !fence.is_empty() {
                continue;
            }
            assert!(!outside_code(line).contains('<'), "{file}: {line}");
            assert!(!line.contains("&#"), "{file}: {line}");
            let bars = line.replace("\\|", "").matches('|').count();
            if bars > 0 && columns > 0 {
                assert_eq!(bars, columns, "{file}: {line}");
            }
            columns = bars;
        }
    }
}

/// The line without its code spans and without what is escaped.
fn outside_code(line: &str) -> String {
    let mut rest = line.to_owned();
    while let Some(start) = rest.find('`') {
        if rest[..start].ends_with('\\') {
            rest.replace_range(start - 1..=start, "");
            continue;
        }
        let ticks: String = rest[start..].chars().take_while(|letter| *letter == '`').collect();
        let inner = start + ticks.len();
        let end = rest[inner..].find(&ticks).unwrap_or_else(|| panic!("open code span: {line}"));
        rest.replace_range(start..inner + end + ticks.len(), "");
    }
    rest.replace("\\<", "")
}
