//! What writing would change.

use std::io;
use std::path::{Path, PathBuf};

use super::manifest::{MANIFEST, Manifest};
use super::{FileSet, mark};
use crate::codes::Code;
use crate::diagnostic::Problem;

/// What would happen to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is not there.
    Create,
    /// It is there, with other bytes.
    Replace,
    /// It is there, byte for byte.
    Same,
    /// It is ours and no longer wanted.
    Remove,
}

/// One file and what would happen to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) target: String,
    /// Relative to the output folder.
    pub(crate) path: String,
    /// As a person names it, from the folder of `pap.toml`.
    pub(crate) shown: String,
    pub(crate) change: Change,
    pub(crate) before: Vec<u8>,
    pub(crate) after: String,
}

/// Everything that writing would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The output folder.
    pub(crate) folder: PathBuf,
    /// Sorted by path, the list of generated files last.
    pub(crate) files: Vec<Planned>,
    /// What the system refused to show: these files are left as they are, the others are written.
    pub(crate) problems: Vec<Problem>,
    /// A list that has the new files beside the old ones, if there are new ones.
    pub(crate) claims: Option<String>,
    /// Nothing was ever generated here.
    pub(crate) is_first: bool,
}

/// What writing `files` would change below the folder, for these targets alone.
///
/// # Errors
///
/// Files in the way that are not ours, and a damaged list. Nothing may be written then.
pub(crate) fn plan(
    folder: PathBuf,
    shown: &str,
    files: &FileSet,
    is_selected: &dyn Fn(&str) -> bool,
) -> Result<Plan, Vec<Problem>> {
    let manifest = Manifest::read(&folder, shown).map_err(|problem| vec![problem])?;
    let mut next = Manifest::default();
    let mut planned = Vec::new();
    let mut problems = Vec::new();
    for (target, path, text) in files.iter() {
        next.files.insert(path.to_owned(), target.to_owned());
        match wanted(&folder, shown, &manifest, (target, path, text)) {
            Ok(file) => planned.push(file),
            Err(problem) => problems.push(problem),
        }
    }
    for (path, target) in &manifest.files {
        if next.files.contains_key(path) {
            continue;
        }
        if !is_selected(target) {
            next.files.insert(path.clone(), target.clone());
            continue;
        }
        match stale(&folder, shown, path, target) {
            Ok(file) => planned.extend(file),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.iter().any(|problem| problem.code != Code::Files) {
        return Err(problems);
    }
    planned.sort_by(|a, b| a.path.cmp(&b.path));
    planned.push(list(shown, &manifest, &next));
    let is_first = manifest.read.is_none();
    let claims = claims(manifest, &next);
    Ok(Plan { folder, files: planned, problems, claims, is_first })
}

fn wanted(
    folder: &Path,
    shown: &str,
    manifest: &Manifest,
    (target, path, text): (&str, &str, &str),
) -> Result<Planned, Problem> {
    let shown = format!("{shown}/{path}");
    let before = contents(&folder.join(path), &shown)?;
    let change = match &before {
        None => Change::Create,
        Some(before) if before == text.as_bytes() => Change::Same,
        Some(before) if is_ours(manifest, path, before) => Change::Replace,
        Some(_) => return Err(not_ours(&shown, target)),
    };
    Ok(Planned {
        target: target.to_owned(),
        path: path.to_owned(),
        shown,
        change,
        before: before.unwrap_or_default(),
        after: text.to_owned(),
    })
}

/// A listed file that nobody wants any more. One that lost our mark belongs to the person who took
/// the mark away, and stays.
fn stale(folder: &Path, shown: &str, path: &str, target: &str) -> Result<Option<Planned>, Problem> {
    let shown = format!("{shown}/{path}");
    let Some(before) = contents(&folder.join(path), &shown)? else { return Ok(None) };
    if mark::has_comments(path) && !mark::is_marked(&before) {
        return Ok(None);
    }
    Ok(Some(Planned {
        target: target.to_owned(),
        path: path.to_owned(),
        shown,
        change: Change::Remove,
        before,
        after: String::new(),
    }))
}

fn list(shown: &str, old: &Manifest, new: &Manifest) -> Planned {
    let after = new.text();
    let change = match &old.read {
        None => Change::Create,
        Some(text) if *text == after => Change::Same,
        Some(_) => Change::Replace,
    };
    Planned {
        target: String::new(),
        path: MANIFEST.to_owned(),
        shown: format!("{shown}/{MANIFEST}"),
        change,
        before: old.read.clone().unwrap_or_default().into_bytes(),
        after,
    }
}

/// What the list says while files are being written: old and new names, so that a run that stops
/// half-way leaves no file that the next run takes for somebody else's.
fn claims(mut old: Manifest, new: &Manifest) -> Option<String> {
    let known = old.files.len();
    old.files.extend(new.files.clone());
    (old.files.len() > known).then(|| old.text())
}

fn is_ours(manifest: &Manifest, path: &str, contents: &[u8]) -> bool {
    if mark::has_comments(path) {
        return mark::is_marked(contents);
    }
    manifest.files.contains_key(path)
}

fn contents(path: &Path, shown: &str) -> Result<Option<Vec<u8>>, Problem> {
    match std::fs::read(path) {
        Ok(contents) => Ok(Some(contents)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Problem::file("read", shown, &error)),
    }
}

fn not_ours(shown: &str, target: &str) -> Problem {
    let message = format!("`{shown}` is in the way: pap-codegen did not write it");
    let help =
        format!("remove the file, or give `[targets.{target}]` another `path` in `pap.toml`");
    let note = "files that are not ours are never replaced";
    Problem::new(Code::NotOurs, message).help(help).note(note)
}
