//! What the specification asks for, and which tests say that they prove it.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::layout::REQUIREMENTS;
use crate::rust;
use crate::tree::{File, Tree};

/// One row of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// Such as `OPS-5.2-4`.
    pub id: String,
    /// The second column: the level, or what it waits for.
    pub says: String,
    /// Where the row stands.
    pub line: usize,
}

/// A test, or a compile-fail case, that names requirements.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Proof {
    /// The requirement.
    pub id: String,
    /// The test.
    pub test: String,
    /// The file it is in.
    pub path: String,
    /// Where it stands.
    pub line: usize,
}

/// The list and what names it.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Requirements {
    /// What is asked for.
    pub asked: Vec<Row>,
    /// What is left for later, and what it waits for.
    pub waiting: Vec<Row>,
    /// What tests name.
    pub proofs: Vec<Proof>,
}

impl Requirements {
    /// Reads the list and every test.
    pub fn of(tree: &Tree) -> Self {
        let text = tree.file(REQUIREMENTS).map_or("", |file| &file.text);
        let (asked, waiting) = rows(text);
        let mut proofs: Vec<Proof> = tree.of_kind("rs").flat_map(proofs_in).collect();
        proofs.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
        Self { asked, waiting, proofs }
    }

    /// The proofs of one requirement.
    pub fn proofs_of<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Proof> {
        self.proofs.iter().filter(move |proof| proof.id == id)
    }

    /// Each requirement with the tests that name it, then how many there are of each kind.
    pub fn report(&self) -> String {
        let waiting: BTreeMap<&str, &str> =
            self.waiting.iter().map(|row| (row.id.as_str(), row.says.as_str())).collect();
        let (mut text, mut named, mut missing) = (String::new(), 0, Vec::new());
        for row in &self.asked {
            let mut proofs = self.proofs_of(&row.id).peekable();
            let state = match (proofs.peek(), waiting.get(row.id.as_str())) {
                (Some(_), _) => "",
                (None, Some(_)) => "waits for ",
                (None, None) => "NOT NAMED BY ANY TEST",
            };
            let why = if proofs.peek().is_some() { None } else { waiting.get(row.id.as_str()) };
            named += usize::from(proofs.peek().is_some());
            if proofs.peek().is_none() && why.is_none() {
                missing.push(row.id.as_str());
            }
            let head = format!("{:<11} {state}{}", row.id, why.unwrap_or(&""));
            line(&mut text, head.trim_end());
            for proof in proofs {
                line(&mut text, &format!("    {}:{} {}", proof.path, proof.line, proof.test));
            }
        }
        let all = self.asked.len();
        let later = all - named - missing.len();
        line(&mut text, "");
        line(
            &mut text,
            &format!(
                "{all} requirements: {named} named by tests, {later} left for later, {} missing",
                missing.len()
            ),
        );
        if !missing.is_empty() {
            line(&mut text, &format!("missing: {}", missing.join(" ")));
        }
        text
    }

    /// The list's text without the rows that wait although a test names them.
    pub fn pruned(&self, text: &str) -> String {
        let done = self.waiting.iter().filter(|row| self.proofs_of(&row.id).next().is_some());
        let gone: Vec<usize> = done.map(|row| row.line).collect();
        let kept = text.lines().enumerate().filter(|(index, _)| !gone.contains(&(index + 1)));
        kept.fold(String::new(), |mut all, (_, kept)| {
            line(&mut all, kept);
            all
        })
    }
}

fn line(text: &mut String, line: &str) {
    // writing to a String cannot fail
    writeln!(text, "{line}").unwrap_or_default();
}

/// The rows above and below the heading of what is left for later.
fn rows(text: &str) -> (Vec<Row>, Vec<Row>) {
    let (mut asked, mut waiting) = (Vec::new(), Vec::new());
    let mut later = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("## ") {
            later = line == "## Left for later";
        }
        let mut cells = line.split('|').map(str::trim);
        if let (Some(""), Some(id), Some(says)) = (cells.next(), cells.next(), cells.next())
            && ids_in(id).first().is_some_and(|found| found == id)
        {
            let row = Row { id: id.to_owned(), says: says.to_owned(), line: index + 1 };
            if later { waiting.push(row) } else { asked.push(row) }
        }
    }
    (asked, waiting)
}

/// What a file proves: its tests, the cases that a store's suite runs, or itself if it is a case of
/// what the compiler refuses.
fn proofs_in(file: &File) -> Vec<Proof> {
    if file.path.contains("/tests/ui/") {
        let ids = ids_in(&file.text).into_iter();
        let proof = |id| Proof {
            id,
            test: "refused by the compiler".to_owned(),
            path: file.path.clone(),
            line: 1,
        };
        return ids.map(proof).collect();
    }
    let is_suite = file.path.contains("/conformance");
    let tests = rust::functions(&file.tokens).into_iter().filter(|found| found.is_test || is_suite);
    let proofs = tests.flat_map(|test| {
        let ids = ids_in(&test.doc).into_iter();
        ids.map(move |id| (id, test.name.clone(), test.line)).collect::<Vec<_>>()
    });
    proofs.map(|(id, test, line)| Proof { id, test, path: file.path.clone(), line }).collect()
}

/// The ids that a text names: `OPS-5.2-4`, `EXT-11`.
pub fn ids_in(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_end_matches(['.', '-']));
    words.filter(|word| is_id(word)).map(str::to_owned).collect()
}

fn is_id(word: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let parts: Vec<&str> = word.split('-').collect();
    match parts.as_slice() {
        ["OPS", section, number] => section.split('.').all(is_number) && is_number(number),
        ["EXT", number] => is_number(number),
        _ => false,
    }
}
