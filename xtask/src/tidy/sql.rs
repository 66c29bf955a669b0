//! SQL: in its own files, in the store that runs it, short, said what for, and run.

use std::path::{Component, Path};

use crate::finding::Finding;
use crate::layout::{SCHEMA_LINES, SQL_CRATES, SQL_FREE, SQL_HOMES, SQL_LINES};
use crate::rust;
use crate::tree::{File, Tree};

const HOME: &str = "only the store of one database contains SQL or names that database's crate";
const SHORT: &str = "one statement per file, at most 60 lines; a schema at most 400";
const HEADED: &str = "a statement's file opens with two comment lines: who runs it, what it guards";
const USED: &str = "every SQL file is run: named in an `include_str!`";

/// How statements begin, as the text of a string literal.
const STATEMENTS: [&str; 10] = [
    "SELECT ",
    "INSERT INTO ",
    "INSERT OR ",
    "DELETE FROM ",
    "CREATE TABLE ",
    "CREATE INDEX ",
    "CREATE UNIQUE INDEX ",
    "BEGIN IMMEDIATE",
    "PRAGMA ",
    "WITH RECURSIVE ",
];

/// Checks the sources outside the stores, and the SQL files inside them.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut found = Vec::new();
    for folder in SQL_FREE {
        let sources = tree.under(folder).filter(|file| !is_home(&file.path) && !file.is_test());
        found.extend(sources.flat_map(in_source));
    }
    let named = named(tree);
    found.extend(tree.of_kind("sql").flat_map(|file| in_sql(&named, file)));
    found
}

/// A literal that names an SQL file, and the source it stands in.
struct Named<'a> {
    source: &'a str,
    text: &'a str,
}

fn named(tree: &Tree) -> Vec<Named<'_>> {
    let mut named = Vec::new();
    for file in tree.of_kind("rs") {
        let literals = file.tokens.iter().filter(|token| token.text.contains(".sql"));
        let texts = literals.filter_map(rust::Token::string);
        named.extend(texts.map(|text| Named { source: &file.path, text }));
    }
    named
}

fn is_home(path: &str) -> bool {
    SQL_HOMES.iter().any(|home| path.starts_with(home))
}

fn in_source(file: &File) -> Vec<Finding> {
    let (shipped, _) = rust::without_tests(&file.tokens);
    let finding = |what: String, line| {
        let help = format!("move it to {}", SQL_HOMES.join(" or "));
        Finding::new(HOME, (&file.path, line), what, help)
    };
    let judged = shipped.iter().filter_map(|token| match token.string() {
        Some(text) if is_statement(text) => {
            Some(finding("an SQL statement outside a store".to_owned(), token.line))
        }
        None if SQL_CRATES.contains(&token.text.as_str()) => {
            Some(finding(format!("names `{}` outside its store", token.text), token.line))
        }
        _ => None,
    });
    judged.collect()
}

fn is_statement(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\\');
    STATEMENTS.iter().any(|begins| text.starts_with(begins))
        || (text.starts_with("UPDATE ") && text.contains(" SET "))
}

fn in_sql(named: &[Named<'_>], file: &File) -> Vec<Finding> {
    let at = (file.path.as_str(), 1);
    let mut found = Vec::new();
    if !is_home(&file.path) && !file.is_test() {
        let help = format!("move it to {}", SQL_HOMES.join(" or "));
        found.push(Finding::new(HOME, at, "an SQL file outside a store", help));
    }
    let is_schema = file.path.contains("/migrations/") || file.path.ends_with("/schema.sql");
    let (most, comments) = if is_schema { (SCHEMA_LINES, 1) } else { (SQL_LINES, 2) };
    let lines = file.text.lines().count();
    if lines > most {
        found.push(Finding::new(
            SHORT,
            at,
            format!("{lines} lines"),
            "one file for each statement",
        ));
    }
    if file.text.lines().take(comments).filter(|line| is_comment(line)).count() < comments {
        let help = "`-- run by …` and `-- guards: …` above the statement";
        let what = format!("does not open with {comments} lines of comment");
        found.push(Finding::new(HEADED, at, what, help));
    }
    if !named.iter().any(|named| leads_to(named, &file.path)) {
        let help = "remove it, or run it";
        found.push(Finding::new(USED, at, "no source includes it", help));
    }
    found
}

fn is_comment(line: &str) -> bool {
    line.strip_prefix("--").is_some_and(|text| !text.trim().is_empty())
}

/// Whether a literal leads to the file from where its source is, or is the end of the file's path in
/// the same store, as in a list of statements by name.
fn leads_to(named: &Named<'_>, path: &str) -> bool {
    let folder = Path::new(named.source).parent().unwrap_or(Path::new(""));
    let home = SQL_HOMES.iter().find(|home| path.starts_with(**home));
    let is_near = home.is_some_and(|home| named.source.starts_with(home));
    let ends = path.strip_suffix(named.text).is_some_and(|front| front.ends_with('/'));
    (is_near && ends) || resolved(&folder.join(named.text)) == path
}

/// The path with its `..` applied, without asking the disk.
fn resolved(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts.join("/")
}
