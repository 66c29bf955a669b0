//! The front page says what is so. Its Rust is a doctest of `pap-runtime`; the rest is looked at here.

use std::path::{Path, PathBuf};

use reqwest::Method;
use serde_json::Value;

use crate::shop::{Answer, EXCHANGES, Serving, http};
use crate::story::masked;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn file(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The fenced blocks in this language, without the indentation of a list around them.
fn blocks(language: &str) -> Vec<String> {
    let readme = file("README.md");
    let mut blocks = Vec::new();
    let mut lines = readme.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.trim_start().strip_prefix("```") else { continue };
        let indent = line.len() - line.trim_start().len();
        let inside = lines.by_ref().take_while(|line| line.trim() != "```");
        let inside = inside.map(|line| line.get(indent..).unwrap_or_default());
        let block = inside.collect::<Vec<_>>().join("\n");
        if fence == language {
            blocks.push(block);
        }
    }
    blocks
}

#[test]
fn what_the_front_page_shows_of_the_story_is_told_in_it() {
    let story = file(
        "examples/jacket-exchange/tests/it/snapshots/it__story__the_story_ends_well_and_reads_the_same_every_time.snap",
    );
    let mut shown = 0;
    for block in blocks("console") {
        let Some(told) = block.strip_prefix("$ cargo run -p jacket-exchange\n") else { continue };
        let mut story = story.lines();
        for line in told.lines().filter(|line| *line != "…") {
            let line = masked(line);
            assert!(story.any(|told| told == line), "not told, or not in this order: {line}");
            shown += 1;
        }
    }
    assert!(shown > 5);
}

#[tokio::test]
async fn a_visitor_of_the_website_gets_what_the_front_page_shows() {
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::start(folder.path(), None);
    let body = r#"{"item_id":"itm_9Bo","replacement_sku":"ridgeline-43"}"#;
    let request = http().request(Method::POST, format!("{}{EXCHANGES}", serving.address));
    let request = request.header("cookie", "web_session=web_ada");
    let request = request.header("content-type", "application/json").body(body);
    let answer = Answer::of(request.send().await.unwrap()).await;

    let command = format!(
        "$ curl -b web_session=web_ada --json '{body}' http://127.0.0.1:8080{EXCHANGES}\n{}",
        answer.text
    );
    assert!(blocks("console").contains(&command), "{command}");
}

#[test]
fn the_mistakes_on_the_front_page_are_answered_as_it_shows() {
    let refused = file("pap-macros/tests/ui/fail/term_not_in_summary.stderr");
    assert!(blocks("text").iter().any(|block| *block == refused.trim_end()), "{refused}");
    let diagnosed = file("pap-codegen/tests/cmd/config_mistakes.trycmd");
    let shown = blocks("text").into_iter().find(|block| block.starts_with("error[PAP")).unwrap();
    assert!(diagnosed.contains(&shown), "{shown}");
}

#[test]
fn the_exit_codes_are_those_of_the_help() {
    let help = file("pap-codegen/tests/cmd/help.trycmd");
    let readme = file("README.md");
    let (_, codes) = help.split_once("Exit codes:\n").unwrap();
    let codes: Vec<_> = codes.lines().map_while(|line| line.trim().split_once(' ')).collect();
    assert_eq!(codes.len(), 6);
    for (code, meaning) in codes {
        let row = format!("| {code} | {} |", meaning.trim());
        assert!(readme.contains(&row), "{row}");
    }
}

#[test]
fn the_numbers_on_the_front_page_are_counted() {
    let readme = file("README.md");
    let manifest = file("Cargo.toml");
    let version = |key: &str| {
        let line = manifest.lines().find(|line| line.starts_with(key)).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    assert!(readme.contains(&format!("Rust {} or newer", version("rust-version"))));
    assert!(readme.contains(&format!("You need Rust {} and", version("rust-version"))));
    assert!(readme.contains(&format!("Version {},", version("version"))));

    let note = file("examples/jacket-exchange/src/operations/note.rs");
    let declared = note.lines().skip_while(|line| !line.starts_with("///")).count();
    assert!(readme.contains(&format!("note.rs), {declared} lines.")), "{declared} lines");

    let catalogue = file("examples/jacket-exchange/generated/openapi.json");
    let catalogue: Value = serde_json::from_str(&catalogue).unwrap();
    let paths = catalogue["paths"].as_object().unwrap().keys();
    let operations = paths.filter(|path| path.starts_with("/orders/")).count();
    let list = file("examples/jacket-exchange/generated/.pap-codegen");
    let files = list.lines().filter(|line| !line.starts_with('#')).count();
    let checked = format!(
        "$ cargo run -p pap-codegen -- check --config examples/jacket-exchange/pap.toml\n\
         {operations} operations, {files} files up to date"
    );
    assert!(blocks("console").contains(&checked), "{checked}");
}

#[test]
fn the_front_page_is_short_enough_to_be_read() {
    let lines = file("README.md").lines().count();
    assert!((180..=250).contains(&lines), "{lines} lines");
    assert_eq!(blocks("rust").len(), 1, "the doctest is the one Rust block");
}
